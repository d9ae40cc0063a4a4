#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What becomes of the rows of a pass: means of some of them, or rows that both axes have been drawn along. They go on to
 * a canvas or to a pass of their own. */
typedef struct drawing drawing;
struct drawing {
  drawing *next;
  /* Rows that become one; 0 for none. */
  int divisor, summed;
  uint32_t *sums;
  /* Without taps where an axis stays as it is. */
  pd_axis across, down;
  /* The rows that have been drawn across, `held` of them; row n of the picture is n % held. */
  uint8_t *ring;
  int held, next_row;
  /* A row on its way out. */
  uint8_t *line;
  size_t stride;
  pd_sampler *sampler;
  pd_pass *to;
};

struct pd_pass {
  int width, height, bands;
  const pd_loops *loops;
  drawing *drawings;
  /* PD_ROWS rows, colours weighted by alpha, and their pairs where a drawing needs them. */
  uint8_t *rows;
  size_t stride;
  void *pairs;
  int is_weighted;
  int taken, filled;
};

static void *aligned(size_t count) {
  void *memory = NULL;
  if (posix_memalign(&memory, 32, count)) return NULL;
  /* What pads a row counts for nothing, but it is read. */
  return memset(memory, 0, count);
}

static void drawing_free(drawing *d) {
  pd_axis_free(&d->across);
  pd_axis_free(&d->down);
  pd_sampler_free(d->sampler);
  pd_pass_free(d->to);
  free(d->ring);
  free(d->line);
  free(d->sums);
  free(d);
}

pd_pass *pd_pass_new(int width, int height, int bands) {
  pd_pass *pass = width > 0 && height > 0 && bands > 0 && bands <= 4 ? calloc(1, sizeof *pass) : NULL;
  if (!pass) return NULL;
  pass->width = width;
  pass->height = height;
  pass->bands = bands;
  pass->loops = pd_loops_for(0);
  pass->stride = pd_padded((size_t)width) * (size_t)bands;
  pass->rows = aligned(pass->stride * PD_ROWS);
  if (pass->rows) return pass;
  pd_pass_free(pass);
  return NULL;
}

void pd_pass_free(pd_pass *pass) {
  if (!pass) return;
  while (pass->drawings) {
    drawing *d = pass->drawings;
    pass->drawings = d->next;
    drawing_free(d);
  }
  free(pass->rows);
  free(pass->pairs);
  free(pass);
}

void pd_pass_use_plain_loops(pd_pass *pass) {
  pass->loops = pd_loops_for(1);
  for (drawing *d = pass->drawings; d; d = d->next)
    if (d->to) pd_pass_use_plain_loops(d->to);
}

static drawing *drawing_new(pd_pass *pass) {
  drawing *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->next = pass->drawings;
  pass->drawings = d;
  return d;
}

/* Draws along both axes to `width` x `height` pixels. */
static int set_axes(drawing *d, pd_pass *pass, int width, int height, enum pd_kernel kernel, int step) {
  int most = 1;
  d->stride = pd_padded((size_t)width) * (size_t)pass->bands;
  if (width != pass->width) {
    if (!pass->pairs) pass->pairs = aligned(pd_pairs_size((size_t)pass->width, pass->bands));
    if (!pass->pairs || pd_axis_make(&d->across, pass->width, width, kernel, step)) return -1;
  }
  if (height != pass->height && pd_axis_make(&d->down, pass->height, height, kernel, step)) return -1;
  for (int i = 0; i < d->down.size; i++) most = d->down.taps[i].pairs > most ? d->down.taps[i].pairs : most;
  d->held = (2 * most + PD_ROWS - 1) / PD_ROWS * PD_ROWS + PD_ROWS;
  d->ring = aligned(d->stride * (size_t)d->held);
  d->line = aligned(d->stride);
  return d->ring && d->line ? 0 : -1;
}

/* How many pixels an axis has before it is laid over the canvas. */
static int reduced(int length, double extent) {
  return extent < length - 1e-6 ? (int)fmax(1, ceil(extent - 1e-6)) : length;
}

static int add(pd_pass *pass, const pd_layout *layout, unsigned char *canvas, int canvas_bands) {
  int width = reduced(pass->width, layout->width), height = reduced(pass->height, layout->height);
  drawing *d = drawing_new(pass);
  if (!d || set_axes(d, pass, width, height, PD_ALIGNED_LANCZOS2, 0)) return -1;
  d->sampler = pd_sampler_new(width, height, pass->bands, layout, canvas, canvas_bands);
  return d->sampler ? 0 : -1;
}

/* The largest power of two that both sides can do without. */
static int divisor_of(const pd_pass *pass, const pd_layout *layout) {
  double ratio = fmin(pass->width / layout->width, pass->height / layout->height);
  int divisor = 1;
  while (ratio >= 2.0 * divisor && divisor < 1 << 16) divisor *= 2;
  return divisor;
}

int pd_pass_add(pd_pass *pass, const pd_layout *layout, unsigned char *canvas, int canvas_bands) {
  int divisor = layout->reduces_first ? divisor_of(pass, layout) : 1;
  drawing *means, *thin;

  if (divisor == 1) return add(pass, layout, canvas, canvas_bands);
  means = drawing_new(pass);
  if (!means) return -1;
  means->divisor = divisor;
  means->stride = pass->stride;
  means->sums = calloc(pass->stride, sizeof *means->sums);
  means->line = aligned(pass->stride);
  means->to = pd_pass_new(pass->width, pass->height / divisor, pass->bands);
  if (!means->sums || !means->line || !means->to) return -1;
  means->to->is_weighted = 1;
  thin = drawing_new(means->to);
  if (!thin || set_axes(thin, means->to, pass->width / divisor, pass->height / divisor, PD_CENTRED_LANCZOS5, divisor))
    return -1;
  thin->to = pd_pass_new(pass->width / divisor, pass->height / divisor, pass->bands);
  if (!thin->to) return -1;
  thin->to->is_weighted = 1;
  return add(thin->to, layout, canvas, canvas_bands);
}

static int hand_on(drawing *d, const uint8_t *row) {
  if (d->to) return pd_pass_rows(d->to, row, d->stride, 1);
  pd_sampler_row(d->sampler, row);
  return 0;
}

/* Adds rows up; where there are enough of them, their mean goes on. Rows at the end that are too few count for nothing. */
static int add_up(drawing *d, const uint8_t *row) {
  uint32_t half = (uint32_t)d->divisor / 2;
  int shift = __builtin_ctz((unsigned)d->divisor);

  for (size_t i = 0; i < d->stride; i++) d->sums[i] += row[i];
  d->summed += 1;
  if (d->summed < d->divisor) return 0;
  for (size_t i = 0; i < d->stride; i++) d->line[i] = (uint8_t)((d->sums[i] + half) >> shift);
  memset(d->sums, 0, d->stride * sizeof *d->sums);
  d->summed = 0;
  return d->to->taken < d->to->height ? hand_on(d, d->line) : 0;
}

/* Draws the PD_ROWS rows that are there, of which `filled` are real; `first` is the number of the first one. */
static int draw(pd_pass *pass, drawing *d, int first) {
  int status = 0;

  for (int row = 0; d->divisor && row < pass->filled && !status; row++)
    status = add_up(d, pass->rows + (size_t)row * pass->stride);
  if (d->divisor) return status;
  uint8_t *drawn = d->across.taps || d->down.taps ? d->ring + (size_t)(first % d->held) * d->stride : pass->rows;
  if (d->across.taps) pass->loops->across(drawn, d->stride, pass->pairs, &d->across, pass->bands);
  else if (d->down.taps) memcpy(drawn, pass->rows, d->stride * PD_ROWS);
  for (int row = 0; !d->down.taps && row < pass->filled && !status; row++)
    status = hand_on(d, drawn + (size_t)row * d->stride);
  for (; d->next_row < d->down.size && d->down.taps[d->next_row].last < pass->taken && !status; d->next_row++) {
    const pd_tap *tap = &d->down.taps[d->next_row];
    pass->loops->down(d->line, d->ring, d->stride, d->held, tap, d->stride);
    status = hand_on(d, d->line);
  }
  return status;
}

static int draw_all(pd_pass *pass) {
  int first = pass->taken - pass->filled, status = 0;
  if (pass->pairs)
    pass->loops->pair(pass->pairs, pass->rows, pass->stride, pd_padded((size_t)pass->width), pass->bands);
  for (drawing *d = pass->drawings; d && !status; d = d->next) status = draw(pass, d, first);
  pass->filled = 0;
  return status;
}

/* Colours become weighted by alpha. */
static void take_row(pd_pass *pass, uint8_t *to, const unsigned char *row) {
  int bands = pass->bands;
  if (pass->is_weighted || bands & 1) {
    memcpy(to, row, (size_t)pass->width * (size_t)bands);
    return;
  }
  if (bands == 4) {
    pd_weigh_row(to, row, pass->width);
    return;
  }
  for (int x = 0; x < pass->width; x++, row += 2, to += 2) {
    to[0] = pd_weigh(row[0], row[1]);
    to[1] = row[1];
  }
}

int pd_pass_rows(pd_pass *pass, const unsigned char *rows, size_t stride, int count) {
  int status = 0;
  if (count > pass->height - pass->taken) return -1;
  for (; count > 0 && !status; count--, rows += stride) {
    take_row(pass, pass->rows + (size_t)pass->filled * pass->stride, rows);
    pass->filled += 1;
    pass->taken += 1;
    if (pass->filled == PD_ROWS || pass->taken == pass->height) status = draw_all(pass);
  }
  return status;
}
