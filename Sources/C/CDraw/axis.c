#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "internal.h"

#pragma STDC FP_CONTRACT OFF

static double sinc(double x) { return fabs(x) < 1e-12 ? 1 : sin(M_PI * x) / (M_PI * x); }

static double lanczos(double x, int lobes) { return fabs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0; }

/* Where one pixel of the result looks at the source, and how. */
typedef struct {
  double centre, step;
  int lobes;
  /* The pixel with the kernel's peak; INT_MIN for none. */
  int peak;
} view;

static view view_of(int pixel, int length, int size, enum pd_kernel kernel, int step) {
  view v = {0, step, 5, INT_MIN};
  if (kernel == PD_CENTRED_LANCZOS5) {
    v.centre = (pixel + 0.5) * step - 0.5;
    return v;
  }
  v.lobes = 2;
  /* First on first, last on last. */
  v.step = size > 1 ? (double)(length - 1) / (size - 1) : length;
  v.centre = size > 1 ? v.step * pixel : (length - 1) / 2.0;
  /* Ties go down. */
  v.peak = (int)ceil(v.centre - 0.5 - 1e-9);
  return v;
}

/* The weights of the source's pixels from `*first` to `*last`. They are made for an endless source; what lies outside is
 * like the edge. */
static void weigh(double *weights, const view *v, int length, int *first, int *last) {
  double reach = v->lobes * v->step, sum = 0;
  int from = (int)floor(v->centre - reach), to = (int)ceil(v->centre + reach);

  *first = pd_clamped(from, length - 1);
  *last = pd_clamped(to, length - 1);
  for (int i = *first; i <= *last; i++) weights[i - *first] = 0;
  for (int i = from; i <= to; i++) {
    double weight = i == v->peak ? 1 : lanczos((i - v->centre) / v->step, v->lobes);
    weights[pd_clamped(i, length - 1) - *first] += weight;
    sum += weight;
  }
  for (int i = 0; i <= *last - *first; i++) weights[i] /= sum;
  while (*last > *first && weights[*last - *first] == 0) *last -= 1;
}

/* As whole numbers whose sum is one, from an even pixel on. The largest has fifteen bits, and a sum of them times bytes at
 * most 31. */
static void make_tap(pd_tap *tap, int16_t *whole, const double *weights, int first, int last) {
  int skipped = first & 1, largest = 0, count = last - first + 1, rest;

  for (int i = 1; i < count; i++)
    if (weights[i] > weights[largest]) largest = i;
  tap->first = first - skipped;
  tap->last = last;
  tap->pairs = (count + skipped + 1) / 2;
  tap->shift = (int)fmin(floor(log2(32500 / weights[largest])), 20);
  tap->weights = whole;
  rest = 1 << tap->shift;
  for (int i = 0; i < 2 * tap->pairs; i++) whole[i] = 0;
  for (int i = 0; i < count; i++) {
    whole[i + skipped] = (int16_t)lrint(weights[i] * (1 << tap->shift));
    rest -= whole[i + skipped];
  }
  whole[largest + skipped] = (int16_t)(whole[largest + skipped] + rest);
}

void pd_axis_free(pd_axis *axis) {
  free(axis->taps);
  free(axis->weights);
}

int pd_axis_make(pd_axis *axis, int length, int size, enum pd_kernel kernel, int step) {
  view v = view_of(0, length, size, kernel, step);
  size_t span = (size_t)fmin(2 * ceil(v.lobes * v.step) + 4, length) + 3;
  double *weights = malloc(span * sizeof *weights);
  int first, last;

  axis->size = size;
  axis->taps = malloc((size_t)size * sizeof *axis->taps);
  axis->weights = malloc((size_t)size * span * sizeof *axis->weights);
  for (int i = 0; weights && axis->taps && axis->weights && i < size; i++) {
    v = view_of(i, length, size, kernel, step);
    weigh(weights, &v, length, &first, &last);
    make_tap(&axis->taps[i], axis->weights + (size_t)i * span, weights, first, last);
  }
  free(weights);
  return weights && axis->taps && axis->weights ? 0 : -1;
}
