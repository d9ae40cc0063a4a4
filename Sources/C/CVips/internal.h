#ifndef PREHEAT_CVIPS_INTERNAL_H
#define PREHEAT_CVIPS_INTERNAL_H

#include <vips/vips.h>

#include "cvips.h"

static inline VipsImage *pv_in(pv_image *image) { return (VipsImage *)image; }

/* Hands an image out, or says why there is none. */
int pv_finish(int failed, VipsImage *image, pv_image **out);
/* The status that libvips' error buffer stands for. */
int pv_failure(void);

/* 8 bit, sRGB or grey, in memory, with nothing in it; NULL for want of memory. */
VipsImage *pv_new_picture(int width, int height, int bands);
/* A colour weighted by its alpha, and the way back. Both round to the nearest, and 255 is odd, so that there are no
 * ties: weighting what was unweighted gives the same byte again. */
static inline VipsPel pv_weigh(int colour, int alpha) { return (VipsPel)((colour * alpha + 127) / 255); }

static inline VipsPel pv_unweigh(int weighted, int alpha) {
  int colour = alpha ? (weighted * 255 + alpha / 2) / alpha : 0;
  return (VipsPel)(colour > 255 ? 255 : colour);
}

/* Whether the pixels are there already, a row behind the other. */
int pv_is_held(const VipsImage *in);

#endif
