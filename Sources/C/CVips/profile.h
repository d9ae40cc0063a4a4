#ifndef PREHEAT_CVIPS_PROFILE_H
#define PREHEAT_CVIPS_PROFILE_H

#include "cvips.h"

/* The head and the number of tags; a row of the table of tags; the longest name that is kept. */
enum { PV_PROFILE_HEAD = 132, PV_PROFILE_ROW = 12, PV_NAME = 16 };

static inline void pv_put32(unsigned char *at, unsigned value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A level's light. */
typedef struct {
  /* As ICC.1:2022 has them for the last form: (ax + b)^g + e where x is d and more, else cx + f; in the order g, a, b,
   * c, d, e, f. */
  double formula[7];
  /* The same as a tag. */
  int size;
  unsigned char bytes[40];
} pv_curve;

/* Colours by three curves and a matrix. */
typedef struct {
  /* X, Y and Z of red, of green and of blue. */
  double matrix[9];
  pv_curve curves[3];
  int is_srgb;
  /* Tags as they stand in the source's profile. */
  unsigned char colours[3][20], white[20], chad[44];
  int has_chad;
  unsigned char name[2 * PV_NAME];
  int name_count;
} pv_space;

/* -1 for all other profiles, such as those with tables, and where a curve has no short form. */
int pv_read_space(const unsigned char *profile, size_t count, pv_space *space);

/* A profile of the space; its size. */
int pv_write_space(const pv_space *space, unsigned char profile[PV_SMALL_PROFILE]);

#endif
