/* The encoder's inner loops, written with the compiler's vector types and compiled for each kind of processor. All
 * arithmetic is in integers and makes the bytes that libjpeg makes. Little-endian processors only. Names: a vector of
 * `levels` has a row of two blocks, 16 bits a lane; `products` have the even and the odd lanes of it with 32 bits. */

#include <string.h>

#include "encoding.h"

#define PJ_INLINE static inline __attribute__((always_inline))
#define PJ_VECTOR(type, lanes) type __attribute__((ext_vector_type(lanes)))

typedef PJ_VECTOR(uint8_t, 8) pj_half_bytes;
typedef PJ_VECTOR(uint8_t, 16) pj_bytes;
typedef PJ_VECTOR(uint16_t, 8) pj_row;
typedef PJ_VECTOR(uint16_t, 16) pj_counts;
typedef PJ_VECTOR(uint32_t, 8) pj_unsigned;
typedef PJ_VECTOR(uint32_t, 16) pj_wide;
typedef PJ_VECTOR(int16_t, 16) pj_levels;
typedef PJ_VECTOR(int16_t, 32) pj_two_rows;
typedef PJ_VECTOR(int32_t, 8) pj_words;
typedef PJ_VECTOR(_Bool, 32) pj_flags;

/* Lanes of two vectors in turn: of the first four of each half, and of the last four. AVX2 keeps to its halves. */
PJ_INLINE void zip(pj_levels to[2], const pj_levels *a, const pj_levels *b) {
  to[0] = __builtin_shufflevector(*a, *b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
  to[1] = __builtin_shufflevector(*a, *b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31);
}

/* Products of 32 bits, of even lanes and of odd ones. A factor of 16 bits makes that one instruction each on x86. */
typedef struct {
  pj_words even, odd;
} pj_products;

PJ_INLINE void multiply(pj_products *to, const pj_levels *values, int factor) {
  pj_words words = (pj_words)*values;
  to->even = (words << 16 >> 16) * factor;
  to->odd = (words >> 16) * factor;
}

PJ_INLINE void multiply_add(pj_products *to, const pj_levels *values, int factor) {
  pj_products more;
  multiply(&more, values, factor);
  to->even += more.even, to->odd += more.odd;
}

/* Lanes of 16 bits again: from bit `shift` on, 15 or 16, after rounding. */
PJ_INLINE void narrow(pj_levels *to, const pj_products *sums, int rounding, int shift) {
  pj_unsigned even = (pj_unsigned)(sums->even + rounding), odd = (pj_unsigned)(sums->odd + rounding);
  *to = (pj_levels)((even >> shift & 0xFFFF) | (odd << (16 - shift) & 0xFFFF0000));
}

PJ_INLINE void add_products(pj_products *to, const pj_products *more) {
  to->even += more->even, to->odd += more->odd;
}

/* The one-dimensional DCT of 8 rows of lanes (Loeffler, Ligtenberg and Moschytz, 1989), with libjpeg's factors, 13 bits
 * behind the point. libjpeg rounds its passes over rows and over columns in different places; samples that are 16 times
 * as large make both passes the same. No sum leaves 16 bits: a result of the first pass is 4096 at most, a difference
 * of two 8160, and no more than four of these are added. */
PJ_INLINE void eight_points(pj_levels v[8]) {
  pj_levels sum[4], rest[4], outer, inner, across;
  pj_products product, left, right, odd[4];
  for (int i = 0; i < 4; i++) {
    sum[i] = v[i] + v[7 - i];
    rest[i] = v[3 - i] - v[4 + i];
  }
  outer = sum[0] - sum[3], inner = sum[1] - sum[2], across = outer + inner;
  sum[0] += sum[3], sum[1] += sum[2];
  v[0] = (sum[0] + sum[1] + 2) >> 2;
  v[4] = (sum[0] - sum[1] + 2) >> 2;
  multiply(&product, &across, 4433);
  left = right = product;
  multiply_add(&left, &outer, 6270);
  multiply_add(&right, &inner, -15137);
  narrow(&v[2], &left, 1 << 14, 15);
  narrow(&v[6], &right, 1 << 14, 15);

  multiply(&odd[0], &rest[0], 2446);
  multiply(&odd[1], &rest[1], 16819);
  multiply(&odd[2], &rest[2], 25172);
  multiply(&odd[3], &rest[3], 12299);
  outer = rest[0] + rest[3], inner = rest[1] + rest[2];
  multiply(&product, &outer, -7373);
  add_products(&odd[0], &product), add_products(&odd[3], &product);
  multiply(&product, &inner, -20995);
  add_products(&odd[1], &product), add_products(&odd[2], &product);
  outer = rest[0] + rest[2], inner = rest[1] + rest[3], across = outer + inner;
  multiply(&product, &across, 9633);
  left = right = product;
  multiply_add(&left, &outer, -16069);
  multiply_add(&right, &inner, -3196);
  for (int i = 0; i < 4; i++) {
    add_products(&odd[i], i % 2 ? &right : &left);
    narrow(&v[7 - 2 * i], &odd[i], 1 << 14, 15);
  }
}

/* Transposes both blocks. */
PJ_INLINE void turn(pj_levels v[8]) {
  for (int i = 0; i < 3; i++) {
    pj_levels next[8];
    for (int k = 0; k < 4; k++) zip(next + 2 * k, &v[k], &v[k + 4]);
    for (int k = 0; k < 8; k++) v[k] = next[k];
  }
}

PJ_INLINE void multiply_high(pj_counts *values, const pj_counts *by) {
  *values = __builtin_convertvector(
    __builtin_convertvector(*values, pj_wide) * __builtin_convertvector(*by, pj_wide) >> 16, pj_counts);
}

/* A row of the tables, for both blocks. */
PJ_INLINE void read_row(pj_counts *to, const uint16_t *from) {
  pj_row row;
  memcpy(&row, from, sizeof row);
  *to = __builtin_shufflevector(row, row, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
}

PJ_INLINE void divide(pj_levels *values, const pj_divisors *by, int row) {
  pj_counts half, factor, scale, count;
  pj_levels sign = *values >> 15;
  read_row(&half, by->half + 8 * row);
  read_row(&factor, by->factor + 8 * row);
  read_row(&scale, by->scale + 8 * row);
  count = (pj_counts)((*values ^ sign) - sign) + half;
  multiply_high(&count, &factor);
  /* Nothing is larger; without this a compiler joins both products in wider lanes, which takes longer. */
  count = __builtin_elementwise_min(count, (pj_counts)0x7FFF);
  multiply_high(&count, &scale);
  *values = ((pj_levels)count ^ sign) - sign;
}

PJ_INLINE void transform(
  pj_blocks *to, const unsigned char *from, size_t stride, const pj_divisors *by) {
  pj_levels v[8];
  for (int i = 0; i < 8; i++) {
    pj_bytes bytes;
    memcpy(&bytes, from + (size_t)i * stride, sizeof bytes);
    v[i] = (__builtin_convertvector(bytes, pj_levels) - 128) * 16;
  }
  turn(v);
  eight_points(v);
  turn(v);
  eight_points(v);
  to->used[0] = to->used[1] = 0;
  for (int i = 0; i < 8; i++) {
    divide(&v[i], by, i);
    memcpy(to->levels[0] + 8 * i, &v[i], 16);
    memcpy(to->levels[1] + 8 * i, (const char *)&v[i] + 16, 16);
  }
  for (int i = 0; i < 8; i += 2) {
    pj_two_rows rows = __builtin_shufflevector(
      v[i], v[i + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26,
      27, 28, 29, 30, 31);
    pj_flags flags = __builtin_convertvector(rows != 0, pj_flags);
    uint32_t bits;
    memcpy(&bits, &flags, sizeof bits);
    to->used[0] |= (uint64_t)(bits & 0xFFFF) << 8 * i;
    to->used[1] |= (uint64_t)(bits >> 16) << 8 * i;
  }
}

/* Each component of 16 pixels. Every lane has its byte in one of three vectors, so that two blends collect it. */
PJ_INLINE void read_bands(pj_levels bands[3], const unsigned char *rgb) {
  pj_bytes in[3], one;
  memcpy(in, rgb, sizeof in);
  one = __builtin_shufflevector(in[0], in[1], 0, 17, 18, 3, 20, 21, 6, 23, 24, 9, 26, 27, 12, 29, 30, 15);
  one = __builtin_shufflevector(one, in[2], 0, 17, 2, 3, 20, 5, 6, 23, 8, 9, 26, 11, 12, 29, 14, 15);
  one = __builtin_shufflevector(one, one, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13);
  bands[0] = __builtin_convertvector(one, pj_levels);
  one = __builtin_shufflevector(in[0], in[1], 16, 1, 18, 19, 4, 21, 22, 7, 24, 25, 10, 27, 28, 13, 30, 31);
  one = __builtin_shufflevector(one, in[2], 0, 1, 18, 3, 4, 21, 6, 7, 24, 9, 10, 27, 12, 13, 30, 15);
  one = __builtin_shufflevector(one, one, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14);
  bands[1] = __builtin_convertvector(one, pj_levels);
  one = __builtin_shufflevector(in[0], in[1], 16, 17, 2, 19, 20, 5, 22, 23, 8, 25, 26, 11, 28, 29, 14, 31);
  one = __builtin_shufflevector(one, in[2], 16, 1, 2, 19, 4, 5, 22, 7, 8, 25, 10, 11, 28, 13, 14, 31);
  one = __builtin_shufflevector(one, one, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15);
  bands[2] = __builtin_convertvector(one, pj_levels);
}

/* Of differences between bands. */
PJ_INLINE void weigh(
  pj_levels *to, const pj_levels *a, int a_factor, const pj_levels *b, int b_factor, int rounding) {
  pj_products sums;
  multiply(&sums, a, a_factor);
  multiply_add(&sums, b, b_factor);
  narrow(to, &sums, rounding, 16);
}

/* From RGB to YCbCr, with libjpeg's factors, 16 bits behind the point: since those of light have a sum of 1, the others
 * one of 0, two differences are enough for each. */
PJ_INLINE void colour(pj_levels bands[3], const unsigned char *rgb) {
  pj_levels in[3], red_green, blue_green, red_blue, blue_red;
  read_bands(in, rgb);
  red_green = in[0] - in[1], blue_green = in[2] - in[1], red_blue = in[0] - in[2], blue_red = in[2] - in[0];
  weigh(&bands[0], &red_green, 19595, &blue_green, 7471, 1 << 15);
  weigh(&bands[1], &blue_red, 11059, &blue_green, 21709, (1 << 15) - 1);
  weigh(&bands[2], &red_green, 27439, &red_blue, 5329, (1 << 15) - 1);
  bands[0] += in[1];
  bands[1] += 128;
  bands[2] += 128;
}

PJ_INLINE void write_bytes(unsigned char *to, const pj_levels *values) {
  pj_bytes bytes = __builtin_convertvector(*values, pj_bytes);
  memcpy(to, &bytes, sizeof bytes);
}

PJ_INLINE void part(
  unsigned char *light, unsigned char *chroma, const unsigned char *rgb, size_t groups) {
  for (size_t i = 0; i < groups; i++, light += 16, chroma += 32, rgb += 48) {
    pj_levels bands[3];
    pj_bytes low, high;
    colour(bands, rgb);
    write_bytes(light, &bands[0]);
    bands[1] |= bands[2] << 8;
    low = (pj_bytes)__builtin_shufflevector(bands[1], bands[1], 0, 1, 2, 3, 4, 5, 6, 7);
    high = (pj_bytes)__builtin_shufflevector(bands[1], bands[1], 8, 9, 10, 11, 12, 13, 14, 15);
    low = __builtin_shufflevector(low, low, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    high = __builtin_shufflevector(high, high, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    memcpy(chroma, &low, sizeof low);
    memcpy(chroma + 16, &high, sizeof high);
  }
}

/* The mean of two by two samples. libjpeg rounds up and down in turn. */
PJ_INLINE void halve(unsigned char *to, const pj_levels *sum) {
  pj_words words = (pj_words)*sum;
  pj_half_bytes bytes;
  words = ((words & 0xFFFF) + (words >> 16) + (pj_words){1, 2, 1, 2, 1, 2, 1, 2}) >> 2;
  bytes = __builtin_convertvector(words, pj_half_bytes);
  memcpy(to, &bytes, sizeof bytes);
}

PJ_INLINE void part_halved(
  unsigned char *const light[2], unsigned char *chroma, const unsigned char *const rgb[2], size_t groups) {
  for (size_t i = 0; i < groups; i++, chroma += 16) {
    pj_levels above[3], below[3];
    colour(above, rgb[0] + 48 * i);
    colour(below, rgb[1] + 48 * i);
    write_bytes(light[0] + 16 * i, &above[0]);
    write_bytes(light[1] + 16 * i, &below[0]);
    for (int k = 1; k < 3; k++) {
      above[k] += below[k];
      halve(chroma + 8 * (k - 1), &above[k]);
    }
  }
}

#define PJ_LOOPS(name, target)                                                                                 \
  target static void transform_##name(                                                                         \
    pj_blocks *to, const unsigned char *from, size_t stride, const pj_divisors *by) {                          \
    transform(to, from, stride, by);                                                                           \
  }                                                                                                            \
  target static void part_##name(                                                                              \
    unsigned char *light, unsigned char *chroma, const unsigned char *rgb, size_t groups) {                    \
    part(light, chroma, rgb, groups);                                                                          \
  }                                                                                                            \
  target static void part_halved_##name(                                                                       \
    unsigned char *const light[2], unsigned char *chroma, const unsigned char *const rgb[2], size_t groups) {  \
    part_halved(light, chroma, rgb, groups);                                                                   \
  }                                                                                                            \
  static const pj_encoder_loops loops_##name = {transform_##name, part_##name, part_halved_##name};

PJ_LOOPS(anywhere, )
#if defined(__x86_64__)
PJ_LOOPS(avx2, __attribute__((target("avx2"))))
#endif

const pj_encoder_loops *pj_find_encoder_loops(int is_anywhere) {
#if defined(__x86_64__)
  if (!is_anywhere && __builtin_cpu_supports("avx2")) return &loops_avx2;
#else
  (void)is_anywhere;
#endif
  return &loops_anywhere;
}

void pj_make_divisors(pj_divisors *made, const unsigned char steps[pj_block]) {
  for (int i = 0; i < pj_block; i++) {
    /* The power of two below the divisor; then the error of the factor is too small to show in counts of 15 bits. */
    unsigned divisor = 8u * steps[i], power = 31u - (unsigned)__builtin_clz(divisor - 1);
    made->half[i] = (uint16_t)(divisor / 2);
    made->factor[i] = (uint16_t)(((65536u << power) + divisor - 1) / divisor);
    made->scale[i] = (uint16_t)(65536u >> power);
  }
}
