#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"

/* Resampling of opaque pictures by whole numbers, sixteen rows of the result at a time. Columns become lanes of rows in
 * between, so that both directions are the same sum over vectors. Levels are counted from 128 and have PV_FRACTION bits
 * behind the point, weights have fifteen; each product is rounded. The bytes are the same on every processor: the order
 * and the rounding are fixed, and nothing overflows within the bounds of pv_can_draw_whole. */

#define PV_ROWS 16
#define PV_FRACTION 6
#define PV_ONE 32768

typedef int16_t pv_lanes __attribute__((ext_vector_type(16)));
typedef uint8_t pv_bytes __attribute__((ext_vector_type(16)));
typedef int16_t pv_eight __attribute__((ext_vector_type(8)));
typedef int32_t pv_wide __attribute__((ext_vector_type(16)));

typedef struct {
  int first, count;
  const int16_t *weights;
} pv_whole_tap;

typedef struct {
  pv_whole_tap *taps;
  int16_t *weights;
  int size;
} pv_whole_axis;

#define PV_WIDENED(a) __builtin_convertvector(a, pv_wide)
#define PV_PRODUCT(a, b) __builtin_convertvector((PV_WIDENED(a) * PV_WIDENED(b) + 0x4000) >> 15, pv_lanes)
#define PV_NAME(name) name##_anywhere
#define PV_TARGET
#include "lanes.h"

#if defined(__x86_64__)
#define PV_PRODUCT(a, b) ((pv_lanes)__builtin_ia32_pmulhrsw256(a, b))
#define PV_NAME(name) name##_avx2
#define PV_TARGET __attribute__((target("avx2")))
#include "lanes.h"
#endif

/* Products of more taps would add up what their rounding leaves. */
static const int most_taps = 96;

/* The largest sum of a pixel's weights without their signs; none where a weight is no fraction. */
static double reach(const pv_axis *axis) {
  double most = 0;
  for (int i = 0; i < axis->size; i++) {
    const pv_tap *tap = &axis->taps[i];
    double sum = 0;
    if (tap->count > most_taps) return INFINITY;
    for (int k = 0; k < tap->count; k++) {
      if (!(fabs(tap->weights[k]) <= 1)) return INFINITY;
      sum += fabs(tap->weights[k]);
    }
    most = fmax(most, sum);
  }
  return most;
}

int pv_can_draw_whole(const pv_axis *across, const pv_axis *down) {
  /* 128 levels times this, and the rounding of all taps, still fit sixteen bits. */
  return reach(across) * reach(down) <= 3.9;
}

/* The weights of one pixel as whole numbers whose sum is one. */
static void make_whole(const pv_tap *tap, int16_t *weights) {
  int rest = PV_ONE, largest = 0;
  for (int i = 0; i < tap->count; i++) {
    int weight = (int)lrintf(tap->weights[i] * PV_ONE);
    if (tap->weights[i] > tap->weights[largest]) largest = i;
    weights[i] = (int16_t)(weight > PV_ONE - 1 ? PV_ONE - 1 : weight);
    rest -= weights[i];
  }
  rest += weights[largest];
  weights[largest] = (int16_t)(rest > PV_ONE - 1 ? PV_ONE - 1 : rest);
}

/* `size` may be more than the axis has: the last pixel is repeated. */
static int whole_axis(pv_whole_axis *whole, const pv_axis *axis, int size) {
  size_t count = 0;
  for (int i = 0; i < axis->size; i++) count += (size_t)axis->taps[i].count;
  whole->size = size;
  whole->taps = malloc((size_t)size * sizeof *whole->taps);
  whole->weights = malloc(count * sizeof *whole->weights);
  if (!whole->taps || !whole->weights) return -1;
  count = 0;
  for (int i = 0; i < axis->size; i++) {
    const pv_tap *tap = &axis->taps[i];
    make_whole(tap, whole->weights + count);
    whole->taps[i] = (pv_whole_tap){tap->first, tap->count, whole->weights + count};
    count += (size_t)tap->count;
  }
  for (int i = axis->size; i < size; i++) whole->taps[i] = whole->taps[axis->size - 1];
  return 0;
}

static void free_whole(pv_whole_axis *whole) {
  free(whole->taps);
  free(whole->weights);
}

/* Rows become columns: an eighth of the way three times, by zipping vectors that lie half of them apart. */
static void transpose_eight(pv_eight v[8]) {
  pv_eight next[8];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 4; i++) {
      next[2 * i] = __builtin_shufflevector(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      next[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    memcpy(v, next, sizeof next);
  }
}

static void transpose_lanes(pv_lanes v[PV_ROWS]) {
  pv_eight part[2][2][8];
  for (int i = 0; i < PV_ROWS; i++) {
    part[i / 8][0][i % 8] = v[i].lo;
    part[i / 8][1][i % 8] = v[i].hi;
  }
  for (int i = 0; i < 4; i++) transpose_eight(part[i / 2][i % 2]);
  for (int i = 0; i < PV_ROWS; i++) {
    v[i].lo = part[0][i / 8][i % 8];
    v[i].hi = part[1][i / 8][i % 8];
  }
}

static void transpose_bytes(pv_bytes v[PV_ROWS]) {
  pv_bytes next[PV_ROWS];
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 8; i++) {
      next[2 * i] = __builtin_shufflevector(
        v[i], v[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(
        v[i], v[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    memcpy(v, next, sizeof next);
  }
}

/* Sixteen columns, or what is left of a row, of `rows` rows. */
static void read_levels(pv_lanes *levels, const VipsPel *from, size_t stride, int rows, size_t left) {
  for (int row = 0; row < rows; row++, from += stride) {
    pv_bytes bytes = 0;
    /* No processor sees by itself what comes next in so many rows. */
    __builtin_prefetch(from + 128);
    /* A copy of known size is one instruction. */
    if (left >= PV_ROWS) memcpy(&bytes, from, PV_ROWS);
    else memcpy(&bytes, from, left);
    levels[row] = (__builtin_convertvector(bytes, pv_lanes) - 128) << PV_FRACTION;
  }
}

static void write_rows(VipsImage *out, int top, pv_bytes *pixels) {
  size_t count = (size_t)out->Xsize * out->Bands;
  int rows = out->Ysize - top < PV_ROWS ? out->Ysize - top : PV_ROWS;
  for (size_t x = 0; x < count; x += PV_ROWS) {
    VipsPel *to = VIPS_IMAGE_ADDR(out, 0, top) + x;
    transpose_bytes(pixels + x);
    for (int row = 0; row < rows; row++, to += count) {
      if (count - x >= PV_ROWS) memcpy(to, &pixels[x + row], PV_ROWS);
      else memcpy(to, &pixels[x + row], count - x);
    }
  }
}

/* What the rows of the result from `top` on are made of. */
static VipsRect span(const pv_whole_tap *taps) {
  VipsRect rect = {0, taps[0].first, 0, 0};
  int end = 0;
  for (int row = 0; row < PV_ROWS; row++) {
    rect.top = VIPS_MIN(rect.top, taps[row].first);
    end = VIPS_MAX(end, taps[row].first + taps[row].count);
  }
  rect.height = end - rect.top;
  return rect;
}

/* Whether the loops of this processor are to be taken. */
static int is_own(pv_way way) {
#if defined(__x86_64__)
  return way == PV_WHOLE && __builtin_cpu_supports("avx2");
#else
  (void)way;
  return 0;
#endif
}

static void draw_rows(
  const VipsImage *in, VipsImage *out, int top, const pv_whole_axis *across, const pv_whole_tap *down, pv_lanes *levels,
  pv_lanes *columns, pv_bytes *pixels, pv_way way) {
  size_t count = (size_t)in->Xsize * in->Bands;
  VipsRect source = span(down);

  for (size_t x = 0; x < count; x += PV_ROWS) {
    read_levels(levels, VIPS_IMAGE_ADDR(in, 0, source.top) + x, count, source.height, count - x);
#if defined(__x86_64__)
    if (is_own(way)) weigh_rows_avx2(columns + x, levels, source.top, down);
    else
#endif
      weigh_rows_anywhere(columns + x, levels, source.top, down);
    transpose_lanes(columns + x);
  }
#if defined(__x86_64__)
  if (is_own(way)) weigh_pixels_avx2(pixels, columns, across, in->Bands);
  else
#endif
    weigh_pixels_anywhere(pixels, columns, across, in->Bands);
  write_rows(out, top, pixels);
}

static size_t padded(size_t count) { return (count + PV_ROWS - 1) / PV_ROWS * PV_ROWS; }

int pv_draw_whole(const VipsImage *in, VipsImage *out, const pv_axis *across, const pv_axis *down, pv_way way) {
  pv_whole_axis columns = {NULL, NULL, 0}, rows = {NULL, NULL, 0};
  size_t wide = padded((size_t)in->Xsize * in->Bands), narrow = padded((size_t)out->Xsize * in->Bands);
  size_t tall = (size_t)in->Ysize;
  int failed = whole_axis(&columns, across, out->Xsize) || whole_axis(&rows, down, (int)padded((size_t)out->Ysize));
  pv_lanes *lanes = NULL;
  pv_bytes *pixels = NULL;

  /* Aligned as vectors are. */
  failed = failed || posix_memalign((void **)&lanes, sizeof *lanes, (wide + tall) * sizeof *lanes)
    || posix_memalign((void **)&pixels, sizeof *pixels, narrow * sizeof *pixels);
  for (int y = 0; !failed && y < out->Ysize; y += PV_ROWS)
    draw_rows(in, out, y, &columns, rows.taps + y, lanes + wide, lanes, pixels, way);
  free(lanes);
  free(pixels);
  free_whole(&columns);
  free_whole(&rows);
  return failed ? -1 : 0;
}
