#ifndef PREHEAT_CDRAW_INTERNAL_H
#define PREHEAT_CDRAW_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "cdraw.h"

/* Number of rows drawn at a time: a lane of a vector is a row. */
#define PD_ROWS 16

/* How many pixels of a row are `padded` to. */
static inline size_t pd_padded(size_t count) { return (count + 15) / 16 * 16; }

static inline int pd_clamped(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

/* Weights of the pixels of one axis, as whole numbers of `shift` bits behind the point, two by two: `first` is even, and
 * a weight that is not needed is 0. */
typedef struct {
  int first, pairs, shift;
  /* The last pixel that counts. */
  int last;
  const int16_t *weights;
} pd_tap;

/* What is kept of an axis for the pictures that follow. */
typedef struct pd_kept_axis pd_kept_axis;

typedef struct {
  int size;
  const pd_tap *taps;
  pd_kept_axis *kept;
} pd_axis;

enum pd_kernel { PD_ALIGNED_LANCZOS2, PD_CENTRED_LANCZOS5 };

/* `length` pixels become `size`; with PD_CENTRED_LANCZOS5, `step` of them become one. -1 for want of memory. */
int pd_axis_make(pd_axis *axis, int length, int size, enum pd_kernel kernel, int step);
void pd_axis_free(pd_axis *axis);

/* The inner loops, for any processor or for this one. */
typedef struct {
  /* Makes pairs of neighbours, for pd_across, of PD_ROWS rows of `width` pixels (padded). */
  void (*pair)(void *pairs, const uint8_t *rows, size_t stride, size_t width, int bands);
  /* Draws PD_ROWS rows, `out_stride` bytes apart, which have room for padded widths. */
  void (*across)(uint8_t *out, size_t out_stride, const void *pairs, const pd_axis *axis, int bands);
  /* Draws one row of `count` (padded) bytes; row n of the source is at rows + n % height * stride. */
  void (*down)(uint8_t *out, const uint8_t *rows, size_t stride, int height, const pd_tap *tap, size_t count);
} pd_loops;

/* Of this processor, or those that every one has. */
const pd_loops *pd_loops_for(int is_plain);

/* Bytes of the pairs of a row, by its number of pixels. */
static inline size_t pd_pairs_size(size_t width, int bands) {
  return pd_padded(width) * (size_t)bands * PD_ROWS * sizeof(int16_t);
}

/* Lays rows over a rectangle of the canvas. */
typedef struct pd_sampler pd_sampler;

/* `width` x `height` pixels have the place of the layout's rectangle. */
pd_sampler *pd_sampler_new(
  int width, int height, int bands, const pd_layout *layout, unsigned char *canvas, int canvas_bands);
void pd_sampler_free(pd_sampler *sampler);
/* Takes the next row. */
void pd_sampler_row(pd_sampler *sampler, const uint8_t *row);

#endif
