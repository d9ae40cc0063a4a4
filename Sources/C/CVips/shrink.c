#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"

/* Resampling of 8 bit pictures in memory: Lanczos 3 where an axis shrinks, bicubic where it grows. Opaque pictures are
 * drawn by whole numbers (lanes.c). This is for the others: rows first and then columns, a row of the result at a time,
 * so that all but the source stays in the processor's cache. Both are many times as fast as vips_resize, which is the
 * reason for them; the pixels differ from it by less than a level on average. The sums are made in one order whatever
 * the processor, so that bytes do not depend on it. */

#pragma STDC FP_CONTRACT OFF

/* The loader picks a clone before the thread sanitizer is ready for the call that picks it. */
#if defined(__x86_64__) && defined(__ELF__) && __has_attribute(target_clones) && !__has_feature(thread_sanitizer)
#define PV_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PV_WIDE
#endif

typedef float pv_four __attribute__((ext_vector_type(4)));

static double lanczos3(double x) {
  double t = M_PI * fabs(x);
  if (t < 1e-8) return 1;
  return t >= 3 * M_PI ? 0 : 3 * sin(t) * sin(t / 3) / (t * t);
}

/* Catmull-Rom. */
static double cubic(double x) {
  x = fabs(x);
  if (x >= 2) return 0;
  return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

static void axis_free(pv_axis *axis) {
  free(axis->taps);
  free(axis->weights);
}

/* The weights of one pixel; what lies outside of the source has none. */
static void make_tap(pv_tap *tap, float *weights, double centre, double scale, int length, int most) {
  double reach = scale > 1 ? 3 * scale : 2;
  int first = (int)fmax(0, ceil(centre - reach - 0.5));
  int last = (int)fmin(length - 1, floor(centre + reach - 0.5));
  double sum = 0;

  if (first > length - 1) first = length - 1;
  if (last < first) last = first;
  if (last - first >= most) last = first + most - 1;
  for (int i = first; i <= last; i++) {
    double away = i + 0.5 - centre;
    double weight = scale > 1 ? lanczos3(away / scale) : cubic(away);
    weights[i - first] = (float)weight;
    sum += weight;
  }
  for (int i = 0; i <= last - first; i++)
    weights[i] = fabs(sum) > 1e-6 ? (float)(weights[i] / sum) : 1.0f / (last - first + 1);
  tap->first = first;
  tap->count = last - first + 1;
  tap->weights = weights;
}

/* `size` pixels drawn from `region` pixels of `length`, beginning at `start`. */
static int axis_make(pv_axis *axis, double start, double region, int length, int size) {
  double scale = region / size;
  int most = (int)ceil(2 * fmax(3 * scale, 2)) + 2;

  if (most > length) most = length;
  axis->size = size;
  axis->taps = malloc((size_t)size * sizeof *axis->taps);
  axis->weights = malloc((size_t)size * most * sizeof *axis->weights);
  if (!axis->taps || !axis->weights) return -1;
  for (int i = 0; i < size; i++)
    make_tap(
      &axis->taps[i], axis->weights + (size_t)i * most, start + (i + 0.5) * scale, scale, length, most);
  return 0;
}

PV_WIDE static void add_row(float *restrict sum, const VipsPel *restrict row, float weight, int count) {
  for (int i = 0; i < count; i++) sum[i] += weight * (float)row[i];
}

/* Colours count as much as they can be seen. */
PV_WIDE static void add_row_with_alpha(
  float *restrict sum, const VipsPel *restrict row, float weight, int width, int bands) {
  for (int x = 0; x < width; x++, sum += bands, row += bands) {
    float alpha = weight * (float)row[bands - 1];
    for (int i = 0; i < bands - 1; i++) sum[i] += alpha * (float)row[i] * (1.0f / 255);
    sum[bands - 1] += alpha;
  }
}

static inline VipsPel level(float value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : (VipsPel)(value + 0.5f);
}

/* `sum` is read four floats at a time, whatever the bands. */
PV_WIDE static void write_row(VipsPel *out, const float *sum, const pv_axis *axis, int width, int bands, int alpha) {
  for (int x = 0; x < width; x++, out += bands) {
    const pv_tap *tap = &axis->taps[x];
    const float *from = sum + (size_t)tap->first * bands;
    pv_four total = {0, 0, 0, 0};
    for (int i = 0; i < tap->count; i++, from += bands) {
      pv_four four;
      memcpy(&four, from, sizeof four);
      total += tap->weights[i] * four;
    }
    if (alpha) {
      float seen = total[bands - 1];
      float factor = seen > 0.5f ? 255 / seen : 0;
      for (int i = 0; i < bands - 1; i++) out[i] = level(total[i] * factor);
      out[bands - 1] = level(seen);
    } else {
      for (int i = 0; i < bands; i++) out[i] = level(total[i]);
    }
  }
}

static int draw_by_fractions(VipsImage *in, VipsImage *out, const pv_axis *across, const pv_axis *down) {
  int alpha = vips_image_hasalpha(in), bands = in->Bands;
  size_t count = (size_t)in->Xsize * bands;
  float *sum = malloc((count + 4) * sizeof *sum);

  if (!sum) return -1;
  for (int y = 0; y < out->Ysize; y++) {
    const pv_tap *tap = &down->taps[y];
    memset(sum, 0, (count + 4) * sizeof *sum);
    for (int i = 0; i < tap->count; i++) {
      const VipsPel *row = VIPS_IMAGE_ADDR(in, 0, tap->first + i);
      if (alpha)
        add_row_with_alpha(sum, row, tap->weights[i], in->Xsize, bands);
      else
        add_row(sum, row, tap->weights[i], (int)count);
    }
    write_row(VIPS_IMAGE_ADDR(out, 0, y), sum, across, out->Xsize, bands, alpha);
  }
  free(sum);
  return 0;
}

static int draw(VipsImage *in, VipsImage *out, const pv_axis *across, const pv_axis *down, pv_way way) {
  if (way != PV_FRACTIONS && !vips_image_hasalpha(in) && pv_can_draw_whole(across, down))
    return pv_draw_whole(in, out, across, down, way);
  return draw_by_fractions(in, out, across, down);
}

int pv_can_shrink(const VipsImage *in) {
  return in->BandFmt == VIPS_FORMAT_UCHAR && in->Coding == VIPS_CODING_NONE && in->Bands <= 4
    && VIPS_IMAGE_SIZEOF_IMAGE(in) <= PV_HELD_BYTES;
}

VipsImage *pv_shrink(VipsImage *in, const pv_region *region, pv_way way) {
  pv_axis across = {NULL, NULL, 0}, down = {NULL, NULL, 0};
  VipsImage *image;
  int failed;

  if (vips_image_wio_input(in)) return NULL;
  image = vips_image_new_memory();
  failed = vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, in, NULL);
  image->Xsize = region->width;
  image->Ysize = region->height;
  failed = failed || vips_image_write_prepare(image);
  if (!failed) {
    failed = axis_make(&across, region->left, region->region_width, in->Xsize, region->width)
      || axis_make(&down, region->top, region->region_height, in->Ysize, region->height)
      || draw(in, image, &across, &down, way);
    if (failed) vips_error("preheat", "%s", "out of memory");
    axis_free(&across);
    axis_free(&down);
  }
  if (!failed) return image;
  g_object_unref(image);
  return NULL;
}
