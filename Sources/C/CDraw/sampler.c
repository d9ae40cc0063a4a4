#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* The weight of the second of two neighbours by the eighth of a pixel that lies between them, in sixteenths. */
static const int weights[8] = {0, 1, 2, 4, 8, 12, 14, 15};

/* Which two pixels one pixel of the canvas is made of, and how much of it the rectangle covers. */
typedef struct {
  int first, second, weight;
  double coverage;
} spot;

struct pd_sampler {
  int width, height, bands;
  int canvas_width, canvas_height, canvas_bands;
  unsigned char *canvas;
  spot *across, *down;
  /* The columns that are wholly covered. */
  int full_from, full_to;
  /* Columns, or whole rows, are those of the canvas as they are. */
  int copies_columns, copies_rows;
  /* The last two rows, their columns laid out, in sixteenths. */
  uint16_t *rows[2];
  int row_count, next;
};

static spot *spots(int canvas, int pixels, double offset, double extent) {
  spot *made = malloc((size_t)canvas * sizeof *made);
  for (int i = 0; made && i < canvas; i++) {
    double at = (i + 0.5 - offset) * pixels / extent - 0.5;
    /* The nearest eighth; ties go down. */
    double eighths = ceil(fmin(fmax(at, -2), pixels + 1.0) * 8 - 0.5 - 1e-9);
    int eighth = (int)eighths, whole = eighth >> 3;
    made[i].first = pd_clamped(whole, pixels - 1);
    made[i].weight = weights[eighth & 7];
    made[i].second = made[i].weight ? pd_clamped(whole + 1, pixels - 1) : made[i].first;
    made[i].coverage = fmin(fmax(fmin(i + 1.0, extent + offset) - fmax(i, offset), 0), 1);
  }
  return made;
}

void pd_sampler_free(pd_sampler *sampler) {
  if (!sampler) return;
  free(sampler->across);
  free(sampler->down);
  free(sampler->rows[0]);
  free(sampler->rows[1]);
  free(sampler);
}

static void look_at_spots(pd_sampler *s) {
  s->copies_columns = 1;
  s->full_from = s->full_to = 0;
  for (int x = 0; x < s->canvas_width; x++) {
    const spot *at = &s->across[x];
    if (at->weight || at->first != s->across[0].first + x) s->copies_columns = 0;
    if (at->coverage < 1) continue;
    if (s->full_from == s->full_to) s->full_from = x;
    s->full_to = x + 1;
  }
  s->copies_rows = s->copies_columns && s->bands == s->canvas_bands && s->bands & 1
    && s->full_to - s->full_from == s->canvas_width;
  for (int y = 0; y < s->canvas_height; y++)
    if (s->down[y].weight || s->down[y].coverage < 1) s->copies_rows = 0;
}

pd_sampler *pd_sampler_new(
  int width, int height, int bands, const pd_layout *layout, unsigned char *canvas, int canvas_bands) {
  pd_sampler *s = calloc(1, sizeof *s);
  size_t count = (size_t)layout->canvas_width * (size_t)bands;

  if (!s) return NULL;
  *s = (pd_sampler){
    width, height, bands, layout->canvas_width, layout->canvas_height, canvas_bands, canvas,
    spots(layout->canvas_width, width, layout->x, layout->width),
    spots(layout->canvas_height, height, layout->y, layout->height),
    0, 0, 0, 0, {malloc(count * sizeof(uint16_t)), malloc(count * sizeof(uint16_t))}, 0, 0};
  if (!s->across || !s->down || !s->rows[0] || !s->rows[1]) {
    pd_sampler_free(s);
    return NULL;
  }
  look_at_spots(s);
  return s;
}

/* The columns of one row, in sixteenths. */
static void lay_out(uint16_t *out, const pd_sampler *s, const uint8_t *row) {
  int bands = s->bands;
  if (s->copies_columns) {
    row += (size_t)s->across[0].first * (size_t)bands;
    for (int i = 0; i < s->canvas_width * bands; i++) out[i] = (uint16_t)(row[i] * 16);
    return;
  }
  for (int x = 0; x < s->canvas_width; x++) {
    const spot *at = &s->across[x];
    const uint8_t *first = row + (size_t)at->first * (size_t)bands, *second = row + (size_t)at->second * (size_t)bands;
    for (int i = 0; i < bands; i++) *out++ = (uint16_t)(first[i] * (16 - at->weight) + second[i] * at->weight);
  }
}

/* Writes one pixel of weighted colours; an opaque one may come to lie on a canvas with alpha. */
static void put(uint8_t *out, const int *levels, int opaque, int bands, int canvas_bands) {
  int colours = bands == 2 || bands == 4 ? bands - 1 : bands;
  int alpha = colours < bands ? levels[colours] : opaque;
  int has_alpha = canvas_bands > colours;
  for (int i = 0; i < colours; i++) {
    int level = has_alpha && levels[i] > alpha ? alpha : levels[i];
    out[i] = has_alpha ? pd_unweigh(level, alpha) : (uint8_t)level;
  }
  if (has_alpha) out[colours] = (uint8_t)alpha;
}

static void put_covered(uint8_t *out, const pd_sampler *s, const spot *at, int x, double coverage) {
  const uint16_t *above = s->rows[0] + x * s->bands, *below = s->rows[1] + x * s->bands;
  int levels[4];
  for (int i = 0; i < s->bands; i++) {
    int level = above[i] * (16 - at->weight) + below[i] * at->weight;
    levels[i] = coverage < 1 ? (int)floor(level / 256.0 * coverage + 0.5) : (level + 128) >> 8;
  }
  put(out, levels, (int)floor(255 * coverage + 0.5), s->bands, s->canvas_bands);
}

/* Pixels that are wholly covered, weighted or opaque, on a canvas like them. */
static void blend(uint8_t *out, const uint16_t *above, const uint16_t *below, int weight, int count) {
  uint16_t second = (uint16_t)weight, first = (uint16_t)(16 - weight);
  for (int i = 0; i < count; i++) out[i] = (uint8_t)((uint16_t)(above[i] * first + below[i] * second + 128) >> 8);
}

static uint8_t *canvas_row(const pd_sampler *s, int y) {
  return s->canvas + (size_t)y * (size_t)s->canvas_width * (size_t)s->canvas_bands;
}

static void put_row(pd_sampler *s, int y) {
  const spot *at = &s->down[y];
  uint8_t *out = canvas_row(s, y);
  int is_plain = at->coverage >= 1 && s->bands == s->canvas_bands && s->bands != 2;

  for (int x = 0; x < s->canvas_width; x++) {
    if (is_plain && x == s->full_from && s->full_to > x) {
      size_t from = (size_t)x * (size_t)s->bands;
      blend(out + from, s->rows[0] + from, s->rows[1] + from, at->weight, (s->full_to - x) * s->bands);
      if (s->bands == 4) pd_unweigh_row(out + from, out + from, s->full_to - x);
      x = s->full_to - 1;
      continue;
    }
    put_covered(out + (size_t)x * (size_t)s->canvas_bands, s, at, x, at->coverage * s->across[x].coverage);
  }
}

static void copy_row(pd_sampler *s, const uint8_t *row) {
  size_t count = (size_t)s->canvas_width * (size_t)s->bands;
  row += (size_t)s->across[0].first * (size_t)s->bands;
  for (; s->next < s->canvas_height && s->down[s->next].first < s->row_count; s->next++)
    memcpy(canvas_row(s, s->next), row, count);
}

void pd_sampler_row(pd_sampler *s, const uint8_t *row) {
  uint16_t *oldest = s->rows[0];

  s->row_count += 1;
  if (s->copies_rows) {
    copy_row(s, row);
    return;
  }
  s->rows[0] = s->rows[1];
  s->rows[1] = oldest;
  lay_out(oldest, s, row);
  /* Where both neighbours are one, it stands in the later place. */
  while (s->next < s->canvas_height && s->down[s->next].second < s->row_count) {
    const spot *at = &s->down[s->next];
    uint16_t *kept = s->rows[0];
    if (at->first == s->row_count - 1) s->rows[0] = s->rows[1];
    put_row(s, s->next);
    s->rows[0] = kept;
    s->next += 1;
  }
}
