#ifndef PREHEAT_CVIPS_DRAWING_INTERNAL_H
#define PREHEAT_CVIPS_DRAWING_INTERNAL_H

#include "cvips_drawing.h"
#include "internal.h"

/* One pixel on its way: 0...1. */
typedef struct {
  float color[3];
  float alpha;
} pv_pixel;

/* Changes a pixel. */
typedef void (*pv_pixel_work)(pv_pixel *pixel, const void *arguments);

enum pv_alpha { PV_KEEP_ALPHA, PV_WITH_ALPHA, PV_WITHOUT_ALPHA };

/* An RGB or RGBA picture in which `work` has been done on every pixel of `in`. */
int pv_paint(pv_image *in, enum pv_alpha alpha, pv_pixel_work work, const void *arguments, pv_image **out);

/* sRGB's transfer function and its inverse (IEC 61966-2-1). A power for each component would cost more
 * than all the rest, so they are looked up; the finer table is a tenth of a level wrong at most. */
enum { PV_LIGHT_STEPS = 16384 };
typedef struct {
  float light[256];
  float encoded[PV_LIGHT_STEPS + 1];
} pv_light;

void pv_prepare_light(pv_light *table);

/* A place in a table for 0...1 with this number of steps; NaN counts as 0. */
static inline int pv_place(float level, int steps) {
  return (int)((level > 0 ? level < 1 ? level : 1 : 0) * (float)steps + 0.5f);
}

/* The light of a component as it comes out of an 8 bit picture. */
static inline float pv_to_light(const pv_light *table, float encoded) { return table->light[pv_place(encoded, 255)]; }

/* Limited to 0...1. */
static inline float pv_from_light(const pv_light *table, float light) {
  return table->encoded[pv_place(light, PV_LIGHT_STEPS)];
}

/* The luminance of linear sRGB (ITU-R BT.709). */
static inline float pv_luminance(const float color[3]) {
  return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
}

#endif
