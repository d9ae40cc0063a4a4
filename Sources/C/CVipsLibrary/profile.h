#ifndef PREHEAT_CVIPS_PROFILE_H
#define PREHEAT_CVIPS_PROFILE_H

#include <stddef.h>

#include "cvips.h"

enum { PV_LARGEST_PROFILE = 16 << 20 };

/* A small profile of the same RGB colours: its size, 0 for sRGB. -1 for colours that are not by a matrix and three
 * curves, and where a curve has no short form. */
int pv_small_profile(const void *profile, size_t count, unsigned char small[PV_SMALL_PROFILE]);

/* That a profile can be used with the intent that is meant by default. Profiles of scanners, large tables and those of
 * XYB JPEGs may have the perceptual one alone. */
int pv_is_relative(const void *profile, size_t count);

#endif
