#include <math.h>
#include <stdlib.h>

#include "path.h"

struct pd_mask {
  int width, height, is_line;
  /* The outer edge in four quarters (top left, top right, bottom left, bottom right), then a line's inner one. */
  pd_chain chains[8];
  /* What a row's pixels lose; all 0 between two rows. */
  double *lost;
};

static int trace_all(pd_mask *mask, const pd_outline *outline) {
  pd_point middle = {mask->width / 2.0, mask->height / 2.0};
  double half = fmin(middle.x, middle.y) - outline->inset;
  /* Beyond this nothing changes, and numbers stay small. */
  double line = fmin(outline->line, 4.0 * (mask->width + (double)mask->height));

  for (int i = 0; i < (mask->is_line ? 8 : 4); i++) {
    enum pd_corner corner = outline->corner;
    double radius = fmin(fmax(outline->radii[i % 4], 0), half);
    /* UIKit rounds all of a side that has no room for its curves (no reference; after public reports). */
    if (corner == PD_CONTINUOUS && radius * 1.528665 > half) {
      corner = PD_ARCS;
      radius = half;
    }
    pd_trace(
      &mask->chains[i], corner, radius, outline->inset, mask->is_line ? (i < 4 ? line / 2 : -line / 2) : 0, middle);
    if (mask->chains[i].has_failed) return 0;
  }
  return 1;
}

pd_mask *pd_mask_new(int width, int height, const pd_outline *outline) {
  pd_mask *mask = width > 0 && height > 0 ? calloc(1, sizeof *mask) : NULL;

  if (!mask) return NULL;
  mask->width = width;
  mask->height = height;
  mask->is_line = outline->line > 0;
  mask->lost = calloc((size_t)width, sizeof *mask->lost);
  if (mask->lost && trace_all(mask, outline)) return mask;
  pd_mask_free(mask);
  return NULL;
}

void pd_mask_free(pd_mask *mask) {
  if (!mask) return;
  for (int i = 0; i < 8; i++) pd_chain_free(&mask->chains[i]);
  free(mask->lost);
  free(mask);
}

/* The first chord that ends below `y`. */
static size_t chord_below(const pd_chain *chain, double y) {
  size_t low = 1, high = chain->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (chain->points[middle].y > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

static double at(pd_point a, pd_point b, double y) {
  return y <= a.y ? a.x : y >= b.y ? b.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
}

/* The area of the unit square left of a line from (0, 0) to (u, u), limited to the square. */
static double ramp(double u) { return u <= 0 ? 0 : u < 1 ? u * u / 2 : u - 0.5; }

/* The mean of what a pixel at 0 loses left of an edge that goes from `far` to `near`. */
static double share(double far, double near) {
  if (far - near < 1e-6) return fmin(fmax((far + near) / 2, 0), 1);
  return (ramp(far) - ramp(near)) / (far - near);
}

/* Adds what the pixels of a row lose to a quarter's edge; returns how many do. `step` is -1 from the right. */
static int lose(const pd_chain *chain, int y, double bottom, double sign, double *lost, int step, int width) {
  double end = fmin(y + 1.0, bottom), whole = 0;
  size_t first = chord_below(chain, y), last = chord_below(chain, end);
  int reach = 0, none;

  if (last == chain->count) last--;
  none = (int)fmin(fmax(floor(at(chain->points[last - 1], chain->points[last], end)), 0), width);
  for (size_t i = first; i <= last; i++) {
    pd_point a = chain->points[i - 1], b = chain->points[i];
    double from = fmax(a.y, y), rows = fmin(b.y, end) - from;
    double far = at(a, b, from), near = at(a, b, from + rows);
    int columns = (int)fmin(fmax(ceil(far), 0), width);
    if (!(rows > 0)) continue;
    whole += rows;
    for (int x = none; x < columns; x++) lost[x * step] += sign * rows * share(far - x, near - x);
    if (columns > reach) reach = columns;
  }
  for (int x = 0; whole > 0 && x < none; x++) lost[x * step] += sign * whole;
  return reach;
}

static void convert(pd_mask *mask, int from, int to, unsigned char *alpha) {
  for (int x = from; x < to; x++) {
    double area = (mask->is_line ? 0 : 1) - mask->lost[x];
    alpha[x] = (unsigned char)(fmin(fmax(area, 0), 1) * 255 + 0.5);
    mask->lost[x] = 0;
  }
}

int pd_mask_row(pd_mask *mask, int y, unsigned char *alpha) {
  double middle = mask->height / 2.0;
  int width = mask->width, reach = 0, below = mask->height - 1 - y;

  for (int i = 0; i < (mask->is_line ? 8 : 4); i++) {
    int row = i & 2 ? below : y, is_right = i & 1;
    if (row >= middle) continue;
    int here = lose(
      &mask->chains[i], row, middle, i < 4 ? 1 : -1, is_right ? mask->lost + width - 1 : mask->lost,
      is_right ? -1 : 1, width);
    if (here > reach) reach = here;
  }
  convert(mask, 0, reach, alpha);
  convert(mask, reach > width - reach ? reach : width - reach, width, alpha);
  return reach;
}
