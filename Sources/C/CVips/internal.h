#ifndef PREHEAT_CVIPS_INTERNAL_H
#define PREHEAT_CVIPS_INTERNAL_H

#include <vips/vips.h>

#include "cvips.h"

static inline VipsImage *pv_in(pv_image *image) { return (VipsImage *)image; }

/* Hands an image out, or says why there is none. */
int pv_finish(int failed, VipsImage *image, pv_image **out);
/* The status that libvips' error buffer stands for. */
int pv_failure(void);

/* A part of a picture, in pixels and fractions of them, and the whole pixels that it is drawn over. */
typedef struct {
  double left, top, region_width, region_height;
  int width, height;
} pv_region;

/* Pictures up to this size may be taken into memory as a whole. */
#define PV_HELD_BYTES ((guint64)96 << 20)

/* Whether pv_shrink is for this picture. */
int pv_can_shrink(const VipsImage *in);
/* The region drawn anew, in memory; NULL where it fails. */
VipsImage *pv_shrink(VipsImage *in, const pv_region *region);

#endif
