#ifndef PREHEAT_CJPEG_H
#define PREHEAT_CJPEG_H

#include <stddef.h>

/* Plain JPEG files, in the caller's thread and with nothing in between: libjpeg-turbo reads headers and progressive files,
 * and writes files; the rest is our own. What is not plain (see pj_read) is left to libvips; what looks damaged
 * is mended first, or refused. */

typedef struct {
  /* Stored pixels, and 1 or 3 of bands. */
  int width, height, bands;
} pj_info;

/* Looks at the header: baseline or progressive, 8 bit, grey, YCbCr or RGB.
 *
 * All functions give 0 or, for whatever reason, -1. */
int pj_read(const unsigned char *file, size_t count, pj_info *info);

/* Receives the next rows of the picture at 1/`shrink`, from top to bottom: `count` rows of floor(width / shrink) pixels
 * (at least 1) by `bands` bytes, `stride` bytes apart. A result other than 0 ends the decode. */
typedef int (*pj_take)(void *context, int shrink, const unsigned char *rows, size_t stride, int count);

enum pj_how {
  PJ_AS_IMAGEIO = 0,
  /* Colours by the factors of the JFIF specification, which ImageIO rounds to seven bits. */
  PJ_AS_SPECIFIED = 1,
  /* With loops that every processor has; for tests. */
  PJ_ANYWHERE = 2
};

/* Decodes the whole file once, at every size in `shrinks` (a set: 1 | 2 | 4 | 8): each block by the inverse DCT of its low
 * coefficients. `how` is a set as well. Rows of different sizes take turns. Also -1 if anything is odd, which may be
 * after all rows. */
int pj_decode(
  const unsigned char *file, size_t count, const pj_info *info, int shrinks, int how, pj_take take, void *context);

/* What pj_mend makes of a file: nothing is wrong but that an end mark may be missing; codes, intervals or bytes that are
 * odd; a part of the picture is missing; libjpeg cannot read it. */
enum pj_mended { PJ_WHOLE, PJ_ODD, PJ_CUT, PJ_BROKEN, PJ_NO_MEMORY };
enum { PJ_WORDS = 200 };

/* Reads a file of any kind, damaged or not, and writes it once more in good order: baseline, with the same coefficients,
 * EXIF, XMP and profile. `words` is what libjpeg says of the first thing that is wrong, if anything is; `out`, freed by
 * pj_free, is there for PJ_WHOLE and PJ_ODD. */
enum pj_mended pj_mend(
  const unsigned char *file, size_t count, unsigned char **out, size_t *out_count, char words[PJ_WORDS]);

typedef struct {
  int quality, is_progressive, optimizes_coding;
  /* Chroma at half the size. */
  int halves_chroma;
  /* The colour profile that goes into the file; without one the count is 0. */
  const unsigned char *profile;
  size_t profile_count;
} pj_recipe;

/* Rows of 1 or 3 bands without padding become a file without other metadata; freed by pj_free. */
int pj_encode(
  const unsigned char *pixels, int width, int height, int bands, const pj_recipe *recipe, unsigned char **file,
  size_t *count);

void pj_free(void *memory);

#endif
