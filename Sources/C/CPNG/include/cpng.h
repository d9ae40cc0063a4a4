#ifndef PREHEAT_CPNG_H
#define PREHEAT_CPNG_H

#include <stddef.h>

/* Plain PNG files (RFC 2083, ISO/IEC 15948): 8 bits a sample and not interlaced, in memory, by libdeflate. They are
 * written with a filter chosen for each row. */

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

typedef struct {
  /* Pixels, and 1 to 4 of bands, as above. */
  int width, height, bands;
  /* No chunk before the pixels is more than a note; others are for libpng to read or to complain of. */
  int is_bare;
  /* The first of the chunks with the pixels, and how many there are, with how many bytes in all. */
  size_t data_at, parts, data_count;
} pn_info;

/* Looks at all chunks up to the last one with pixels. 0, or for whatever reason -1, as with pn_decode: for pictures of
 * other kinds, with more than 32 MiB of rows, or with a checksum that is wrong. */
int pn_read(const unsigned char *file, size_t count, pn_info *info);

/* Whether all rows of a file are there, with another checksum (RFC 1950, Adler-32) than theirs. */
int pn_has_wrong_sum(const unsigned char *file, const pn_info *info);

/* Receives the next rows, `stride` bytes apart; a result other than 0 ends the decode. */
typedef int (*pn_take)(void *context, const unsigned char *rows, size_t stride, int count);

/* Decodes the file that `info` is of. Also -1 where the data are anything but all rows, which may be after some. */
int pn_decode(const unsigned char *file, const pn_info *info, pn_take take, void *context);

#endif
