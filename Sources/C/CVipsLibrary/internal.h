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
/* Whether the pixels are there already, a row behind the other. */
int pv_is_held(const VipsImage *in);

/* Changes all colours of a row by a function of the colour and its alpha. */
typedef VipsPel (*pv_colour_work)(int colour, int alpha);
void pv_change_row(const VipsPel *from, VipsPel *to, int width, int bands, pv_colour_work work);

enum { PV_LARGEST_PROFILE = 16 << 20 };

/* A small profile of the same RGB colours: its size, 0 for sRGB. -1 for colours that are not by a matrix and three
 * curves, and where a curve has no short form. */
int pv_small_profile(const void *profile, size_t count, unsigned char small[PV_SMALL_PROFILE]);

/* That a profile can be used with the intent that is meant by default. Profiles of scanners, large tables and those of
 * XYB JPEGs may have the perceptual one alone. */
int pv_is_relative(const void *profile, size_t count);
/* Whether it is a device's own, and lcms makes sRGB of numbers of this colour space by it. */
int pv_is_usable(const void *profile, size_t count, const char space[4]);

#endif
