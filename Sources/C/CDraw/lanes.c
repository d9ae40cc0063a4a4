#include <string.h>

#include "internal.h"

/* Sums of bytes by weights of whole numbers, sixteen rows at a time. Nothing is rounded before a sum is whole, and no sum
 * leaves 32 bits, so the bytes are the same on every processor. */

typedef uint8_t pd_bytes __attribute__((ext_vector_type(16)));
typedef uint8_t pd_eight __attribute__((ext_vector_type(8)));
typedef int16_t pd_pairs __attribute__((ext_vector_type(16)));
typedef int32_t pd_sums __attribute__((ext_vector_type(8)));

#define ZIPPED_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIPPED_HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define JOINED(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* Rows become columns. */
static inline void transpose(pd_bytes v[PD_ROWS]) {
  pd_bytes next[PD_ROWS];
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 8; i++) {
      next[2 * i] = ZIPPED_LOW(v[i], v[i + 8]);
      next[2 * i + 1] = ZIPPED_HIGH(v[i], v[i + 8]);
    }
    memcpy(v, next, sizeof next);
  }
}

/* A pointer's two weights for all rows. */
#define BOTH(weights) ((pd_pairs)((pd_sums)0 + two(weights)))

static inline int32_t two(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

/* Rounded, limited to a byte. */
#define LEVEL(sum, shift) __builtin_convertvector(LIMITED((sum) >> (shift)), pd_eight)
#define LIMITED(sum) __builtin_elementwise_max(__builtin_elementwise_min(sum, (pd_sums)0 + 255), (pd_sums)0)

#define EVEN(a) __builtin_convertvector((a).even, pd_sums)
#define ODD(a) __builtin_convertvector((a).odd, pd_sums)
#define PD_PRODUCTS(a, b) (EVEN(a) * EVEN(b) + ODD(a) * ODD(b))
#define PD_NAME(name) name##_plain
#define PD_TARGET
#include "lanes.h"

#if defined(__x86_64__)
#define PD_PRODUCTS(a, b) ((pd_sums)__builtin_ia32_pmaddwd256(a, b))
#define PD_NAME(name) name##_avx2
#define PD_TARGET __attribute__((target("avx2")))
#include "lanes.h"
#endif

const pd_loops *pd_loops_for(int is_plain) {
#if defined(__x86_64__)
  if (!is_plain && __builtin_cpu_supports("avx2")) return &loops_avx2;
#else
  (void)is_plain;
#endif
  return &loops_plain;
}
