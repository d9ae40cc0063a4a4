#ifndef PREHEAT_CVIPS_INTERNAL_H
#define PREHEAT_CVIPS_INTERNAL_H

#include <vips/vips.h>

#include "cdraw.h"
#include "cvips.h"

static inline VipsImage *pv_in(pv_image *image) { return (VipsImage *)image; }

/* Hands an image out, or says why there is none. */
int pv_finish(int failed, VipsImage *image, pv_image **out);
/* The status that libvips' error buffer stands for. */
int pv_failure(void);

/* 8 bit, sRGB or grey, in memory, with nothing in it; NULL for want of memory. */
VipsImage *pv_new_picture(int width, int height, int bands);
/* Whether its profile is for other colours. */
int pv_has_foreign_profile(VipsImage *in);
/* Whether the pixels are there already, a row behind the other. */
int pv_is_held(const VipsImage *in);

#endif
