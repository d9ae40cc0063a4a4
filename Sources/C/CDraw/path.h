#ifndef PREHEAT_CDRAW_PATH_H
#define PREHEAT_CDRAW_PATH_H

#include <stddef.h>

#include "cdraw_shape.h"

typedef struct {
  double x, y;
} pd_point;

/* The edge of a shape in one quarter of the canvas, measured from the corner there: from the top downwards and, never
 * back, from the middle outwards. */
typedef struct {
  pd_point *points;
  size_t count, room;
  int has_failed;
} pd_chain;

/* A quarter as large as `middle`; `out` pixels farther out than the path itself, inwards if negative. */
void pd_trace(
  pd_chain *chain, enum pd_corner corner, double radius, double inset, double out, pd_point middle);
void pd_chain_free(pd_chain *chain);

#endif
