#include <stdint.h>
#include <string.h>

#include "cdraw.h"

/* Rows of RGBA, four pixels at a time. */
typedef uint8_t pd_pixels __attribute__((ext_vector_type(16)));
typedef uint16_t pd_levels __attribute__((ext_vector_type(16)));
typedef float pd_parts __attribute__((ext_vector_type(4)));

#define ALPHAS(v) __builtin_shufflevector(v, v, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)

static const pd_pixels alphas = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};

/* An alpha weighs itself by 255, which changes nothing. */
static inline pd_pixels weighed(pd_pixels pixels) {
  pd_levels sums = __builtin_convertvector(pixels, pd_levels) * __builtin_convertvector(ALPHAS(pixels) | alphas, pd_levels)
    + 128;
  /* One more than what is divided by 255. */
  return __builtin_convertvector((sums + (sums >> 8)) >> 8, pd_pixels);
}

/* A fraction is never so close to the next whole number that it would round to it. */
static inline void unweigh(unsigned char *pixel) {
  int alpha = pixel[3];
  pd_parts parts = {pixel[0], pixel[1], pixel[2], 0};
  parts = (parts * 255 + ((float)(alpha / 2) + 0.5F)) / (float)alpha;
  for (int i = 0; i < 3; i++) pixel[i] = alpha ? (unsigned char)parts[i] : 0;
}

static inline pd_pixels unweighed(pd_pixels pixels) {
  pd_pixels all = ALPHAS(pixels);
  uint64_t halves[2];
  unsigned char bytes[16];

  memcpy(halves, &all, sizeof halves);
  pixels = __builtin_elementwise_min(pixels, all);
  /* Nearly all pixels are opaque or stand among others that are not there. */
  if ((halves[0] & halves[1]) == UINT64_MAX || !(halves[0] | halves[1])) return pixels;
  memcpy(bytes, &pixels, sizeof bytes);
  for (int i = 0; i < 16; i += 4) unweigh(bytes + i);
  memcpy(&pixels, bytes, sizeof bytes);
  return pixels;
}

static inline pd_pixels settled(pd_pixels pixels) { return unweighed(weighed(pixels)); }

/* The last few pixels are done in a copy. */
#define BY_FOURS(change) \
  for (; count > 0; count -= 4, from += 16, to += 16) { \
    size_t size = count < 4 ? (size_t)count * 4 : 16; \
    pd_pixels pixels = 0; \
    memcpy(&pixels, from, size); \
    pixels = change(pixels); \
    memcpy(to, &pixels, size); \
  }

void pd_weigh_row(unsigned char *to, const unsigned char *from, int count) { BY_FOURS(weighed) }
void pd_unweigh_row(unsigned char *to, const unsigned char *from, int count) { BY_FOURS(unweighed) }
void pd_settle_row(unsigned char *to, const unsigned char *from, int count) { BY_FOURS(settled) }
