#ifndef PREHEAT_CPNG_H
#define PREHEAT_CPNG_H

#include <stddef.h>

/* Writes plain PNG files (RFC 2083, ISO/IEC 15948) by libdeflate: 8 bits a sample, not interlaced, a filter chosen for each
 * row. The whole file is made in memory. */

typedef struct {
  /* 0 to 9; from 1 on as zlib counts, and each smaller than zlib's. */
  int compression;
  /* Of the colours, in the format of the ICC; none with a count of 0. */
  const unsigned char *profile;
  size_t profile_count;
} pn_recipe;

/* Grey, grey with alpha, three colours, or these with alpha, by the number of bands; rows from top to bottom, without gaps.
 * Returns 0, or -1 where there is no memory or the size makes no sense. The file is to be freed with pn_free. */
int pn_encode(
  const unsigned char *pixels, int width, int height, int bands, const pn_recipe *recipe, unsigned char **file,
  size_t *count);

void pn_free(unsigned char *file);

#endif
