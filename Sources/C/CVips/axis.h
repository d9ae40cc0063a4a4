#ifndef PREHEAT_CVIPS_AXIS_H
#define PREHEAT_CVIPS_AXIS_H

#include <stdint.h>

#include "internal.h"

/* The taps of one pixel of the result along one axis. */
typedef struct {
  int first, count;
  const float *weights;
} pv_tap;

typedef struct {
  pv_tap *taps;
  float *weights;
  int size;
} pv_axis;

/* Whether pv_draw_whole is for these axes. */
int pv_can_draw_whole(const pv_axis *across, const pv_axis *down);
/* Draws an opaque picture by whole numbers; not 0 where there is no memory. */
int pv_draw_whole(const VipsImage *in, VipsImage *out, const pv_axis *across, const pv_axis *down, pv_way way);

#endif
