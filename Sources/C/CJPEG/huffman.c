/* The picture's data (ITU-T T.81, annex F.1.2): blocks become tokens, which are counted; when the codes are known the
 * tokens are written.
 *
 * Why it is faster. libjpeg-turbo goes through all coefficients twice where codes fit the picture: to count symbols,
 * and to write them, and holds the picture's coefficients meanwhile.
 * - A token is a number of 32 bits: its table and symbol (bits 16 to 31), and the bits behind the symbol. The second
 *   time is a walk through tokens, which are far fewer than coefficients.
 * - forward.c says with the levels which of them are not 0, a bit for each. `places` turns four of these bits into
 *   the same in the order of a file, so that the next coefficient is found by counting zeros.
 * - A code stands in `codes` moved up by the bits that follow it: code and value go out as one number of 27 bits at
 *   most.
 * - Bits gather in `word`, of which `free` are free. Eight bytes are stored at once, unless one of them is 0xFF: then
 *   they are stored one by one, each 0xFF with a zero behind it.
 *
 * How it is proved. JPEGEncodingTests: the bytes of libjpeg-turbo for eight kinds of content, all qualities, both
 * samplings and sizes around the sides of blocks; the loops for all processors make the same. The fuzz target
 * `jpeg-encoding` compares pictures that libFuzzer makes up. `encoded.tsv` has the digests of files as vectors. */

#include <stdlib.h>
#include <string.h>

#include "encoding.h"

#define PJ_INLINE static inline __attribute__((always_inline))

/* From places in a block to those in the order of a file. */
static const unsigned char place_of[pj_block] = {
  0, 1, 5, 6, 14, 15, 27, 28, 2, 4, 7, 13, 16, 26, 29, 42, 3, 8, 12, 17, 25, 30, 41, 43, 9, 11, 18, 24, 31, 40, 44, 53,
  10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38, 46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57,
  58, 62, 63,
};

const unsigned char pj_zigzag[pj_block] = {
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
};

int pj_tokens_reserve(pj_tokens *made, size_t blocks) {
  /* A block has a token for each level at most: long runs of zeros, and the end of a block, stand for more. */
  size_t more = blocks * pj_block, room;
  uint32_t *all;
  if (blocks > SIZE_MAX / pj_block / 16 || made->room > SIZE_MAX / 16) return -1;
  if (made->room - made->count >= more) return 0;
  room = 2 * made->room + more;
  all = realloc(made->all, room * sizeof *all);
  if (!all) return -1;
  made->all = all, made->room = room;
  return 0;
}

PJ_INLINE uint32_t *take(uint32_t *to, size_t *uses, unsigned table, unsigned symbol, unsigned bits) {
  uses[symbol]++;
  *to = table << 24 | symbol << 16 | bits;
  return to + 1;
}

/* A value of `size` bits comes after its run of zeros; a value below zero counts up from 0. */
PJ_INLINE uint32_t *take_value(uint32_t *to, size_t *uses, unsigned table, unsigned run, int value) {
  int sign = value >> 31;
  unsigned size = 32u - (unsigned)__builtin_clz((unsigned)((value ^ sign) - sign));
  return take(to, uses, table, run << 4 | size, (unsigned)(value + sign) & ((1u << size) - 1));
}

PJ_INLINE uint32_t *take_mean(uint32_t *to, pj_tokens *made, int component, int mean) {
  unsigned table = component ? 2 : 0;
  int difference = mean - made->means[component];
  made->means[component] = mean;
  if (!difference) return take(to, made->uses[table], table, 0, 0);
  return take_value(to, made->uses[table], table, 0, difference);
}

PJ_INLINE void add(pj_tokens *made, int component, const int16_t *levels, uint64_t used) {
  unsigned table = component ? 3 : 1;
  size_t *uses = made->uses[table];
  uint32_t *to = take_mean(made->all + made->count, made, component, levels[0]);
  uint64_t order = 0;
  int behind = 1;

  used &= ~(uint64_t)1;
  if (used)
    for (int i = 0; i < pj_block / 4; i++) order |= made->places[i][used >> 4 * i & 15];
  for (; order; order &= order - 1) {
    int at = __builtin_ctzll(order), run = at - behind;
    for (; run > 15; run -= 16) to = take(to, uses, table, 0xF0, 0);
    to = take_value(to, uses, table, (unsigned)run, levels[pj_zigzag[at]]);
    behind = at + 1;
  }
  if (behind < pj_block) to = take(to, uses, table, 0, 0);
  made->count = (size_t)(to - made->all);
}

static void add_anywhere(pj_tokens *made, int component, const int16_t *levels, uint64_t used) {
  add(made, component, levels, used);
}

#if defined(__x86_64__)
/* Older processors count zeros at the top of a number slowly. */
__attribute__((target("bmi,bmi2,lzcnt"))) static void add_fast(
  pj_tokens *made, int component, const int16_t *levels, uint64_t used) {
  add(made, component, levels, used);
}
#endif

void pj_tokens_begin(pj_tokens *made, int is_anywhere) {
  made->add = add_anywhere;
#if defined(__x86_64__)
  if (!is_anywhere && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
      && __builtin_cpu_supports("lzcnt"))
    made->add = add_fast;
#else
  (void)is_anywhere;
#endif
  for (int i = 0; i < pj_block; i++) {
    int bit = 1 << i % 4;
    for (int set = bit; set < 2 * bit; set++)
      made->places[i / 4][set] = made->places[i / 4][set - bit] | (uint64_t)1 << place_of[i];
  }
}

void pj_tokens_add_flat(pj_tokens *made, int component) {
  unsigned table = component ? 3 : 1;
  uint32_t *to = take_mean(made->all + made->count, made, component, made->means[component]);
  take(to, made->uses[table], table, 0, 0);
  made->count += 2;
}

size_t pj_tokens_most_bytes(const pj_tokens *made, const pj_codes *tables, int count) {
  size_t bits = 64;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < tables[i].count; k++) {
      int symbol = tables[i].order[k];
      bits += made->uses[i][symbol] * (tables[i].codes[symbol] & 31);
    }
  return 2 * (bits / 8 + 1);
}

typedef struct {
  unsigned char *to;
  uint64_t word;
  int free;
} writer;

/* Bytes of ones get a zero behind them. */
static inline void put_byte(writer *out, unsigned char byte) {
  *out->to++ = byte;
  if (byte == 0xFF) *out->to++ = 0;
}

/* Up to 27 bits. */
static inline void put(writer *out, uint32_t bits, int count) {
  uint64_t full;
  if (count <= out->free) {
    out->word = out->word << count | bits;
    out->free -= count;
    return;
  }
  full = out->word << out->free | (uint64_t)bits >> (count - out->free);
  /* A byte of ones is one whose complement is zero. */
  if (((~full - 0x0101010101010101) & full & 0x8080808080808080) == 0) {
    uint64_t swapped = __builtin_bswap64(full);
    memcpy(out->to, &swapped, sizeof swapped);
    out->to += sizeof swapped;
  } else {
    for (int i = 56; i >= 0; i -= 8) put_byte(out, (unsigned char)(full >> i));
  }
  /* What has gone out already is shifted away. */
  out->word = bits;
  out->free += 64 - count;
}

unsigned char *pj_tokens_put(const pj_tokens *made, const uint32_t *codes, unsigned char *to) {
  writer out = {to, 0, 64};
  for (size_t i = 0; i < made->count; i++) {
    uint32_t one = made->all[i], code = codes[one >> 16];
    put(&out, code >> 5 | (one & 0xFFFF), (int)(code & 31));
  }
  for (; out.free % 8; out.free--) out.word = out.word << 1 | 1;
  for (int i = 56 - out.free; i >= 0; i -= 8) put_byte(&out, (unsigned char)(out.word >> i));
  return out.to;
}
