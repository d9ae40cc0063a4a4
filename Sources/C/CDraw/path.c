#include "path.h"

#include <math.h>
#include <stdlib.h>

/* Of a corner of radius 1, from the top edge to the left one. The handle of CGPath's quarter circles. */
#define ARC (1 - 0.5522847498)
static const pd_point arcs[] = {{1, 0}, {ARC, 0}, {0, ARC}, {0, 1}};

/* PixelCut, "Drawing Code for iOS 7 Rounded Rectangles", for the numbers; that iOS 11 mirrors the first curve was
 * measured. */
static const pd_point continuous[] = {
  {1.52866483, 0}, {1.08849323, 0}, {0.86840689, 0}, {0.63149399, 0.07491100}, {0.37282392, 0.16905899},
  {0.16906013, 0.37282401}, {0.07491176, 0.63149399}, {0, 0.86840689}, {0, 1.08849323}, {0, 1.52866483}};

/* Curves are halved at most so often: enough for any picture. */
enum { DEEPEST = 16 };

static void add(pd_chain *chain, pd_point point) {
  if (chain->count == chain->room) {
    size_t room = chain->room ? 2 * chain->room : 64;
    pd_point *points = realloc(chain->points, room * sizeof *points);
    if (!points) {
      chain->has_failed = 1;
      return;
    }
    chain->points = points;
    chain->room = room;
  }
  if (chain->count) {
    pd_point last = chain->points[chain->count - 1];
    point.x = fmin(point.x, last.x);
    point.y = fmax(point.y, last.y);
  }
  chain->points[chain->count++] = point;
}

static pd_point between(pd_point a, pd_point b) { return (pd_point){(a.x + b.x) / 2, (a.y + b.y) / 2}; }

static double bend(pd_point a, pd_point b, pd_point c) {
  return fmax(fabs(a.x - 2 * b.x + c.x), fabs(a.y - 2 * b.y + c.y));
}

/* Core Graphics' own tolerance: a chord's distance from its curve is at most a twentieth of a pixel. */
static void flatten(pd_chain *chain, const pd_point p[4], int depth) {
  pd_point first = between(p[0], p[1]), middle = between(p[1], p[2]), last = between(p[2], p[3]);
  pd_point left = between(first, middle), right = between(middle, last), halfway = between(left, right);

  if (depth == DEEPEST || !(0.75 * fmax(bend(p[0], p[1], p[2]), bend(p[1], p[2], p[3])) > 0.05)) {
    add(chain, p[3]);
    return;
  }
  flatten(chain, (const pd_point[]){p[0], first, left, halfway}, depth + 1);
  flatten(chain, (const pd_point[]){halfway, right, last, p[3]}, depth + 1);
}

/* `from` moved out by `out` across the direction that goes through `to`. */
static pd_point moved(pd_point from, pd_point to, double out) {
  double x = to.x - from.x, y = to.y - from.y, length = sqrt(x * x + y * y);
  return (pd_point){from.x - out * y / length, from.y + out * x / length};
}

/* A stroke's edge is a curve of its own: its ends lie across from the path's, its handles grow as the chord does. Of a
 * quarter circle that makes one of radius R + out, as Core Graphics has it. */
static void move_out(pd_point p[4], double out) {
  pd_point back = {2 * p[3].x - p[2].x, 2 * p[3].y - p[2].y};
  pd_point from = moved(p[0], p[1], out), to = moved(p[3], back, out);
  double x = p[3].x - p[0].x, y = p[3].y - p[0].y;
  double growth = fmax(0, (x * (to.x - from.x) + y * (to.y - from.y)) / (x * x + y * y));

  p[1] = (pd_point){from.x + growth * (p[1].x - p[0].x), from.y + growth * (p[1].y - p[0].y)};
  p[2] = (pd_point){to.x + growth * (p[2].x - p[3].x), to.y + growth * (p[2].y - p[3].y)};
  p[0] = from;
  p[3] = to;
}

static void trace_curves(
  pd_chain *chain, const pd_point *corner, size_t count, double radius, double inset, double out) {
  for (size_t i = 0; i + 3 < count; i += 3) {
    pd_point p[4];
    for (size_t j = 0; j < 4; j++)
      p[j] = (pd_point){inset + radius * corner[i + j].x, inset + radius * corner[i + j].y};
    if (out != 0) move_out(p, out);
    if (i == 0) add(chain, p[0]);
    flatten(chain, p, 0);
  }
}

void pd_trace(
  pd_chain *chain, enum pd_corner corner, double radius, double inset, double out, pd_point middle) {
  double edge = inset - out;
  int is_empty = !(edge < middle.x && edge < middle.y);

  add(chain, (pd_point){middle.x, fmin(edge, 0)});
  if (!is_empty) {
    add(chain, (pd_point){middle.x, edge});
    /* A line that is wide for its corner has a square one inside. */
    if (!(radius > 0 && radius + out > 0)) add(chain, (pd_point){edge, edge});
    else if (corner == PD_CONTINUOUS)
      trace_curves(chain, continuous, sizeof continuous / sizeof *continuous, radius, inset, out);
    else trace_curves(chain, arcs, sizeof arcs / sizeof *arcs, radius, inset, out);
  }
  add(chain, (pd_point){is_empty ? middle.x : edge, middle.y});
}

void pd_chain_free(pd_chain *chain) { free(chain->points); }
