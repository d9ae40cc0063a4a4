#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

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

/* Those of the last drawings, the last one first: the pictures of a catalogue are often alike, and sines take time. */
struct pd_kept_axis {
  int length, size, step, users;
  enum pd_kernel kernel;
  pd_tap *taps;
  int16_t *weights;
};

enum { most_kept = 16, most_kept_bytes = 256 << 10 };

static pd_kept_axis *kept_axes[most_kept];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static void let_go(pd_kept_axis *kept) {
  if (!kept || --kept->users > 0) return;
  free(kept->taps);
  free(kept->weights);
  free(kept);
}

/* Moves what stands at `place` to the front, or puts `kept` there where that is not a place. */
static void move_to_front(int place, pd_kept_axis *kept) {
  int last = place < most_kept ? place : most_kept - 1;
  if (place == most_kept) let_go(kept_axes[last]);
  memmove(kept_axes + 1, kept_axes, (size_t)last * sizeof *kept_axes);
  kept_axes[0] = kept;
}

static pd_kept_axis *find(int length, int size, enum pd_kernel kernel, int step) {
  for (int i = 0; i < most_kept && kept_axes[i]; i++) {
    pd_kept_axis *kept = kept_axes[i];
    if (kept->length != length || kept->size != size || kept->kernel != kernel || kept->step != step) continue;
    move_to_front(i, kept);
    return kept;
  }
  return NULL;
}

static pd_kept_axis *make(int length, int size, enum pd_kernel kernel, int step) {
  view v = view_of(0, length, size, kernel, step);
  size_t span = (size_t)fmin(2 * ceil(v.lobes * v.step) + 4, length) + 3;
  double *weights = malloc(span * sizeof *weights);
  pd_kept_axis *made = calloc(1, sizeof *made);
  int first, last;

  if (made) {
    *made = (pd_kept_axis){.length = length, .size = size, .step = step, .users = 1, .kernel = kernel};
    made->taps = malloc((size_t)size * sizeof *made->taps);
    made->weights = malloc((size_t)size * span * sizeof *made->weights);
  }
  int is_whole = weights && made && made->taps && made->weights;
  for (int i = 0; is_whole && i < size; i++) {
    v = view_of(i, length, size, kernel, step);
    weigh(weights, &v, length, &first, &last);
    make_tap(&made->taps[i], made->weights + (size_t)i * span, weights, first, last);
  }
  free(weights);
  if (is_whole && (size_t)size * (span * sizeof *made->weights + sizeof *made->taps) <= most_kept_bytes) {
    pthread_mutex_lock(&kept_lock);
    made->users += 1;
    move_to_front(most_kept, made);
    pthread_mutex_unlock(&kept_lock);
  }
  if (is_whole) return made;
  let_go(made);
  return NULL;
}

void pd_axis_free(pd_axis *axis) {
  pthread_mutex_lock(&kept_lock);
  let_go(axis->kept);
  pthread_mutex_unlock(&kept_lock);
}

int pd_axis_make(pd_axis *axis, int length, int size, enum pd_kernel kernel, int step) {
  pthread_mutex_lock(&kept_lock);
  pd_kept_axis *kept = find(length, size, kernel, step);
  if (kept) kept->users += 1;
  pthread_mutex_unlock(&kept_lock);
  if (!kept) kept = make(length, size, kernel, step);
  if (!kept) return -1;
  *axis = (pd_axis){size, kept->taps, kept};
  return 0;
}
