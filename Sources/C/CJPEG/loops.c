#include <stdint.h>
#include <string.h>

#include "internal.h"

/* The inner loops, written with the compiler's vector types and compiled for each kind of processor. All make the same
 * bytes: float operations have a fixed order and are never fused. Little-endian processors only. */

#define PJ_INLINE static inline __attribute__((always_inline))
#define PJ_VECTOR(type, lanes) type __attribute__((ext_vector_type(lanes)))

typedef PJ_VECTOR(float, 4) pj_four;
typedef PJ_VECTOR(float, 8) pj_eight;
typedef PJ_VECTOR(int16_t, 4) pj_four_whole;
typedef PJ_VECTOR(int16_t, 8) pj_eight_whole;
typedef PJ_VECTOR(int32_t, 4) pj_four_words;
typedef PJ_VECTOR(int32_t, 8) pj_eight_words;
typedef PJ_VECTOR(int64_t, 4) pj_rows;
typedef PJ_VECTOR(uint8_t, 16) pj_bytes;
typedef PJ_VECTOR(uint8_t, 32) pj_pairs;
typedef PJ_VECTOR(uint8_t, 48) pj_triples;
typedef PJ_VECTOR(int16_t, 16) pj_levels;

/* The middle level, plus 0.5 because conversion to integers truncates, plus a little because a sum that should end in
 * .5 may be too small by its last bits. */
static const float middle = 128.5f + 1.0f / 65536;

/* Written so that each macro becomes one instruction. */
#define PJ_MOST(type, v) ((v) < (type)255 ? (v) : (type)255)
#define PJ_BOUNDED(type, v) (PJ_MOST(type, v) > (type)0 ? PJ_MOST(type, v) : (type)0)
#define PJ_BYTE(whole, type, v) __builtin_convertvector(PJ_BOUNDED(type, v), whole)

/* Packs four columns of levels: each lane gets four pixels of its row. */
#define PJ_PACKED(whole, type, v)                                                     \
  (PJ_BYTE(whole, type, (v)[0]) | PJ_BYTE(whole, type, (v)[1]) << 8                    \
   | PJ_BYTE(whole, type, (v)[2]) << 16 | PJ_BYTE(whole, type, (v)[3]) << 24)

/* The one-dimensional inverse DCT of four coefficients, for all columns at once. The tables of size.c have the factors
 * that are missing here. */
#define PJ_FOUR_POINTS(type, v)                                                              \
  do {                                                                                       \
    type even_sum = v[0] + v[2], even_rest = v[0] - v[2], odd_sum = v[1] + v[3];             \
    type odd_rest = (v[1] - v[3]) * 1.41421356f - odd_sum;                                   \
    v[0] = even_sum + odd_sum, v[1] = even_rest + odd_rest, v[2] = even_rest - odd_rest;     \
    v[3] = even_sum - odd_sum;                                                               \
  } while (0)

/* The same of eight coefficients (Arai, Agui and Nakajima, 1988). The even ones are the four above. */
PJ_INLINE void eight_points(pj_eight v[8]) {
  pj_eight sum = v[5] + v[3], difference = v[5] - v[3], outer = v[1] + v[7], inner = v[1] - v[7];
  pj_eight turned = (difference + inner) * 1.84775907f;
  pj_eight even[4] = {v[0], v[2], v[4], v[6]}, odd[4];
  odd[0] = outer + sum;
  odd[1] = (turned - difference * 2.61312593f) - odd[0];
  odd[2] = (outer - sum) * 1.41421356f - odd[1];
  odd[3] = (turned - inner * 1.08239220f) - odd[2];
  PJ_FOUR_POINTS(pj_eight, even);
  for (int i = 0; i < 4; i++) {
    v[i] = even[i] + odd[i];
    v[7 - i] = even[i] - odd[i];
  }
}

/* Transposes. */
PJ_INLINE void turn_eight(pj_eight v[8]) {
  pj_eight ones[8], pairs[8];
  for (int i = 0; i < 8; i += 2) {
    ones[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    ones[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 2) {
    int at = i / 4 * 4 + i / 2 % 2;
    pairs[i] = __builtin_shufflevector(ones[at], ones[at + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    pairs[i + 1] = __builtin_shufflevector(ones[at], ones[at + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) {
    v[i] = __builtin_shufflevector(pairs[i], pairs[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(pairs[i], pairs[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

PJ_INLINE void turn_four(pj_four v[4]) {
  pj_four low[2], high[2];
  for (int i = 0; i < 2; i++) {
    low[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 4, 1, 5);
    high[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 2, 6, 3, 7);
  }
  v[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
}

PJ_INLINE unsigned char level(float value) { return (unsigned char)PJ_BOUNDED(float, value); }

/* A block that has no coefficient but the mean. */
PJ_INLINE void fill(unsigned char *to, size_t stride, size_t size, float mean) {
  for (size_t i = 0; i < size; i++) memset(to + i * stride, level(mean + middle), size);
}

PJ_INLINE void draw_eight(unsigned char *to, size_t stride, const JCOEF *from, const float *table) {
  pj_eight_whole rows[8], rest;
  pj_eight v[8];
  pj_eight_words left, right;
  pj_rows pixels[2];

  memcpy(rows, from, sizeof rows);
  rest = rows[0] & (pj_eight_whole){0, -1, -1, -1, -1, -1, -1, -1};
  for (int i = 1; i < 8; i++) rest |= rows[i];
  if (!__builtin_reduce_or(rest)) {
    fill(to, stride, 8, from[0] * table[0]);
    return;
  }
  for (int i = 0; i < 8; i++) {
    memcpy(&v[i], table + 8 * i, sizeof v[i]);
    v[i] *= __builtin_convertvector(rows[i], pj_eight);
  }
  v[0] += (pj_eight){middle};
  eight_points(v);
  turn_eight(v);
  eight_points(v);
  left = PJ_PACKED(pj_eight_words, pj_eight, v);
  right = PJ_PACKED(pj_eight_words, pj_eight, v + 4);
  pixels[0] = (pj_rows)__builtin_shufflevector(left, right, 0, 8, 1, 9, 4, 12, 5, 13);
  pixels[1] = (pj_rows)__builtin_shufflevector(left, right, 2, 10, 3, 11, 6, 14, 7, 15);
  for (int i = 0; i < 8; i++, to += stride) {
    int64_t row = pixels[i / 2 % 2][i / 4 * 2 + i % 2];
    memcpy(to, &row, sizeof row);
  }
}

PJ_INLINE void draw_four(unsigned char *to, size_t stride, const JCOEF *from, const float *table) {
  pj_four_whole rows[4];
  pj_four v[4];
  pj_four_words pixels;

  for (int i = 0; i < 4; i++) memcpy(&rows[i], from + 8 * i, sizeof rows[i]);
  if (!__builtin_reduce_or((rows[0] & (pj_four_whole){0, -1, -1, -1}) | rows[1] | rows[2] | rows[3])) {
    fill(to, stride, 4, from[0] * table[0]);
    return;
  }
  for (int i = 0; i < 4; i++) {
    memcpy(&v[i], table + 8 * i, sizeof v[i]);
    v[i] *= __builtin_convertvector(rows[i], pj_four);
  }
  v[0] += (pj_four){middle};
  PJ_FOUR_POINTS(pj_four, v);
  turn_four(v);
  PJ_FOUR_POINTS(pj_four, v);
  pixels = PJ_PACKED(pj_four_words, pj_four, v);
  for (int i = 0; i < 4; i++, to += stride) {
    int32_t row = pixels[i];
    memcpy(to, &row, sizeof row);
  }
}

PJ_INLINE void draw_two(unsigned char *to, size_t stride, const JCOEF *from, const float *table) {
  float mean = from[0] * table[0] + middle, across = from[1] * table[1];
  float down = from[8] * table[8], both = from[9] * table[9];
  to[0] = level((mean + across) + (down + both));
  to[1] = level((mean - across) + (down - both));
  to[stride] = level((mean + across) - (down + both));
  to[stride + 1] = level((mean - across) - (down - both));
}

PJ_INLINE void draw_blocks(
  unsigned char *to, size_t stride, const JBLOCK *from, size_t count, int size, const float *table) {
  switch (size) {
  case 8: for (size_t i = 0; i < count; i++) draw_eight(to + 8 * i, stride, from[i], table); break;
  case 4: for (size_t i = 0; i < count; i++) draw_four(to + 4 * i, stride, from[i], table); break;
  case 2: for (size_t i = 0; i < count; i++) draw_two(to + 2 * i, stride, from[i], table); break;
  default: for (size_t i = 0; i < count; i++) to[i] = level(from[i][0] * table[0] + middle);
  }
}

PJ_INLINE void read_levels(pj_levels *levels, const unsigned char *from) {
  pj_bytes bytes;
  memcpy(&bytes, from, sizeof bytes);
  *levels = __builtin_convertvector(bytes, pj_levels);
}

PJ_INLINE void widen_blocks(
  unsigned char *to, const unsigned char *near, const unsigned char *far, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    pj_levels sum, other, before, behind;
    read_levels(&sum, near + i);
    read_levels(&other, far + i);
    sum = 3 * sum + other;
    before = __builtin_shufflevector(sum, sum, 0, 0, 1, 2, 3, 4, 5, 6, 8, 8, 9, 10, 11, 12, 13, 14);
    behind = __builtin_shufflevector(sum, sum, 1, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11, 12, 13, 14, 15, 15);
    /* Two bytes in a lane. */
    sum = (3 * sum + before + 8) >> 4 | (3 * sum + behind + 7) >> 4 << 8;
    memcpy(to + 2 * i, &sum, sizeof sum);
  }
}

PJ_INLINE void widen_row(unsigned char *to, const unsigned char *from, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    pj_levels here, before, behind;
    read_levels(&here, from + i);
    read_levels(&before, from + i - 1);
    read_levels(&behind, from + i + 1);
    here = (3 * here + before + 1) >> 2 | (3 * here + behind + 2) >> 2 << 8;
    memcpy(to + 2 * i, &here, sizeof here);
  }
}

/* From YCbCr to RGB, with factors of seven bits as ImageIO has them, or of the eight and nine that 16 bits have room for. */
PJ_INLINE void colour(pj_bytes bands[3], enum pj_colours colours) {
  pj_levels light = __builtin_convertvector(bands[0], pj_levels);
  pj_levels blue = __builtin_convertvector(bands[1], pj_levels) - 128;
  pj_levels red = __builtin_convertvector(bands[2], pj_levels) - 128;
  pj_levels rgb[3] = {
    light + ((179 * red + 64) >> 7), light + ((-44 * blue - 91 * red + 64) >> 7), light + ((227 * blue + 64) >> 7)};
  if (colours == PJ_JFIF) {
    rgb[0] = light + red + ((206 * red + 256) >> 9);
    rgb[1] = light - red + ((73 * red - 88 * blue + 128) >> 8);
    rgb[2] = light + 2 * blue + ((-117 * blue + 256) >> 9);
  }
  for (int k = 0; k < 3; k++) bands[k] = PJ_BYTE(pj_bytes, pj_levels, rgb[k]);
}

PJ_INLINE void mix(unsigned char *to, unsigned char *const from[3], size_t count, enum pj_colours colours) {
  for (size_t i = 0; i < count; i += 16) {
    pj_bytes bands[3];
    for (int k = 0; k < 3; k++) memcpy(&bands[k], from[k] + i, sizeof bands[k]);
    if (colours != PJ_RGB) colour(bands, colours);
    pj_pairs two = __builtin_shufflevector(
      bands[0], bands[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
      26, 27, 28, 29, 30, 31);
    pj_pairs third = __builtin_shufflevector(
      bands[2], bands[2], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      12, 13, 14, 15);
    pj_triples woven = __builtin_shufflevector(
      two, third, 0, 16, 32, 1, 17, 33, 2, 18, 34, 3, 19, 35, 4, 20, 36, 5, 21, 37, 6, 22, 38, 7, 23, 39, 8, 24, 40, 9,
      25, 41, 10, 26, 42, 11, 27, 43, 12, 28, 44, 13, 29, 45, 14, 30, 46, 15, 31, 47);
    memcpy(to + 3 * i, &woven, 48);
  }
}

#define PJ_LOOPS(name, target)                                                                            \
  target static void draw_blocks_##name(                                                                  \
    unsigned char *to, size_t stride, const JBLOCK *from, size_t count, int size, const float *table) {   \
    draw_blocks(to, stride, from, count, size, table);                                                    \
  }                                                                                                       \
  target static void widen_blocks_##name(                                                                 \
    unsigned char *to, const unsigned char *near, const unsigned char *far, size_t count) {               \
    widen_blocks(to, near, far, count);                                                                   \
  }                                                                                                       \
  target static void widen_row_##name(unsigned char *to, const unsigned char *from, size_t count) {       \
    widen_row(to, from, count);                                                                           \
  }                                                                                                       \
  target static void mix_##name(                                                                          \
    unsigned char *to, unsigned char *const from[3], size_t count, enum pj_colours colours) {             \
    mix(to, from, count, colours);                                                                        \
  }                                                                                                       \
  static const pj_loops loops_##name = {draw_blocks_##name, widen_blocks_##name, widen_row_##name, mix_##name};

PJ_LOOPS(anywhere, )
#if defined(__x86_64__)
PJ_LOOPS(avx2, __attribute__((target("avx2"))))
#endif

const pj_loops *pj_find_loops(int is_anywhere) {
#if defined(__x86_64__)
  if (!is_anywhere && __builtin_cpu_supports("avx2")) return &loops_avx2;
#else
  (void)is_anywhere;
#endif
  return &loops_anywhere;
}
