#ifndef PREHEAT_CDRAW_H
#define PREHEAT_CDRAW_H

#include <stddef.h>

/* Draws bitmaps into rectangles as Core Graphics does (CGContext.draw, UIImage.draw(in:), default quality): a picture
 * that becomes smaller is reduced by Lanczos 2 with its first pixel on the first and its last on the last, sideways
 * before downwards, and a sampler of eight phases lays the rest over the rectangle. Identified from pictures that
 * Apple's frameworks drew; no library is behind it. Rows come in once, from top to bottom, for all results of a picture
 * together, and the picture is never held whole.
 *
 * Bands: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha; colours are not weighted by alpha, neither in nor out. */

/* A colour weighted by its alpha, and the way back. Both round to the nearest, and 255 is odd, so that there are no
 * ties: weighting what was unweighted gives the same byte again. */
static inline unsigned char pd_weigh(int colour, int alpha) { return (unsigned char)((colour * alpha + 127) / 255); }

static inline unsigned char pd_unweigh(int weighted, int alpha) {
  int colour = alpha ? (weighted * 255 + alpha / 2) / alpha : 0;
  return (unsigned char)(colour > 255 ? 255 : colour);
}

/* The same for rows of RGBA: weighted, the way back, and what comes back from both. `count` is of pixels, and rows may be
 * written where they are read. On the way back no colour may be more than its alpha; what is more is taken for it. */
void pd_weigh_row(unsigned char *to, const unsigned char *from, int count);
void pd_unweigh_row(unsigned char *to, const unsigned char *from, int count);
void pd_settle_row(unsigned char *to, const unsigned char *from, int count);

typedef struct {
  /* Where the whole picture lies on the canvas, in the canvas' pixels; fractions and negative offsets are allowed. */
  double x, y, width, height;
  int canvas_width, canvas_height;
  /* Draws as ImageIO makes thumbnails of a PNG: by whole powers of two first. */
  int reduces_first;
} pd_layout;

/* A pass over the rows of one picture. */
typedef struct pd_pass pd_pass;

/* For a picture of `width` x `height` pixels; NULL for want of memory. */
pd_pass *pd_pass_new(int width, int height, int bands);
void pd_pass_free(pd_pass *pass);

/* Adds a result before the first row. `canvas` has room for the canvas' rows without padding, of `canvas_bands`: those of
 * the picture, or with alpha besides. It is written while the rows come, and has to stay. -1 for want of memory. */
int pd_pass_add(pd_pass *pass, const pd_layout *layout, unsigned char *canvas, int canvas_bands);

/* Takes the next rows, `stride` bytes apart. After the last one all results are done. -1 for want of memory, or for a row
 * too many. */
int pd_pass_rows(pd_pass *pass, const unsigned char *rows, size_t stride, int count);

/* Test hook: draws with the loops that every processor has. */
void pd_pass_use_plain_loops(pd_pass *pass);

#endif
