#include <string.h>

#include "internal.h"

/* A pixel goes from left to right through all filters but one, and a vector holds two of them: one of a row and that of the
 * next row which is a pixel behind, so that what it needs is there. */
typedef uint8_t pn_bytes __attribute__((ext_vector_type(8)));
typedef int16_t pn_levels __attribute__((ext_vector_type(8)));

/* `bands` bytes of one row, and of the next one where that is not NULL. */
static inline pn_levels load(const unsigned char *row, const unsigned char *next, size_t bands) {
  unsigned char bytes[8] = {0};
  pn_bytes pixels;
  memcpy(bytes, row, bands);
  if (next) memcpy(bytes + 4, next, bands);
  memcpy(&pixels, bytes, sizeof pixels);
  return __builtin_convertvector(pixels, pn_levels);
}

static inline pn_levels store(unsigned char *row, unsigned char *next, pn_levels pixels, size_t bands) {
  unsigned char bytes[8];
  pixels &= 255;
  pn_bytes low = __builtin_convertvector(pixels, pn_bytes);
  memcpy(bytes, &low, sizeof bytes);
  memcpy(row, bytes, bands);
  if (next) memcpy(next, bytes + 4, bands);
  return pixels;
}

static inline pn_levels magnitude(pn_levels a) { return __builtin_elementwise_max(a, -a); }

/* Whichever of left, above and corner is nearest to left + above - corner. */
static inline pn_levels nearest(pn_levels left, pn_levels above, pn_levels corner) {
  pn_levels to_left = above - corner, to_above = left - corner, to_corner = magnitude(to_left + to_above);
  to_left = magnitude(to_left);
  to_above = magnitude(to_above);
  pn_levels least = __builtin_elementwise_min(to_corner, __builtin_elementwise_min(to_left, to_above));
  pn_levels other = to_above == least ? above : corner;
  return to_left == least ? left : other;
}

/* `bands` is known where this is inlined. */
static inline int unfilter(int filter, unsigned char *row, const unsigned char *above, size_t count, size_t bands) {
  pn_levels left = 0, corner = 0;

  switch (filter) {
  case none: return 0;
  case sub:
    for (size_t i = 0; i < count; i += bands) left = store(row + i, NULL, load(row + i, NULL, bands) + left, bands);
    return 0;
  case up:
    for (size_t i = 0; i < count; i++) row[i] = (unsigned char)(row[i] + above[i]);
    return 0;
  case average:
    for (size_t i = 0; i < count; i += bands)
      left = store(row + i, NULL, load(row + i, NULL, bands) + ((left + load(above + i, NULL, bands)) >> 1), bands);
    return 0;
  case paeth:
    for (size_t i = 0; i < count; i += bands) {
      pn_levels over = load(above + i, NULL, bands);
      left = store(row + i, NULL, load(row + i, NULL, bands) + nearest(left, over, corner), bands);
      corner = over;
    }
    return 0;
  default: return -1;
  }
}

int pn_unfilter(int filter, unsigned char *row, const unsigned char *above, size_t count, size_t bands) {
  switch (bands) {
  case 1: return unfilter(filter, row, above, count, 1);
  case 2: return unfilter(filter, row, above, count, 2);
  case 3: return unfilter(filter, row, above, count, 3);
  default: return unfilter(filter, row, above, count, 4);
  }
}

static inline void unfilter_two(
  unsigned char *row, unsigned char *next, const unsigned char *above, size_t count, size_t bands) {
  pn_levels corner = load(above, NULL, bands), left = store(row, NULL, load(row, NULL, bands) + corner, bands);

  for (size_t i = bands; i < count; i += bands) {
    pn_levels over = __builtin_shufflevector(load(above + i, NULL, bands), left, 0, 1, 2, 3, 8, 9, 10, 11);
    pn_levels pixels = load(row + i, next + i - bands, bands) + nearest(left, over, corner);
    left = store(row + i, next + i - bands, pixels, bands);
    corner = over;
  }
  /* The last one of the next row. */
  next += count - bands;
  store(next, NULL, load(next, NULL, bands) + nearest(left.hi.xyzwxyzw, left, corner.hi.xyzwxyzw), bands);
}

void pn_unfilter_two(unsigned char *row, const unsigned char *above, size_t count, size_t bands) {
  if (bands == 3) unfilter_two(row, row + count + 1, above, count, 3);
  else unfilter_two(row, row + count + 1, above, count, 4);
}
