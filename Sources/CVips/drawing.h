#ifndef PREHEAT_CVIPS_DRAWING_INTERNAL_H
#define PREHEAT_CVIPS_DRAWING_INTERNAL_H

#include "cvips_drawing.h"
#include "internal.h"

/* One pixel on its way: 0...1. */
typedef struct {
  float color[3];
  float alpha;
} pv_pixel;

/* Changes a pixel; `x` and `y` are where it lies. */
typedef void (*pv_pixel_work)(pv_pixel *pixel, int x, int y, const void *arguments);

enum pv_alpha { PV_KEEP_ALPHA, PV_WITH_ALPHA, PV_WITHOUT_ALPHA };

/* An RGB or RGBA picture in which `work` has been done on every pixel of `in`. */
int pv_paint(pv_image *in, enum pv_alpha alpha, pv_pixel_work work, const void *arguments, pv_image **out);

/* An empty 8 bit picture in memory, grey or sRGB; NULL where there is no memory for it. */
VipsImage *pv_new_canvas(int width, int height, int bands);

/* sRGB's transfer function and its inverse (IEC 61966-2-1), going on beyond 0...1. */
float pv_to_linear(float encoded);
float pv_from_linear(float linear);

/* The luminance of linear sRGB (ITU-R BT.709). */
static inline float pv_luminance(const float color[3]) {
  return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
}

#endif
