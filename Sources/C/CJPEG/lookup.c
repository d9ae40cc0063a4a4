/* Huffman tables for reading (ITU-T T.81, annex C and F.2.2): one lookup gives a coefficient with its run of zeros,
 * and often the one behind it. Why that is faster, and how it is proved, says entropy.c.
 *
 * A table has 2,048 entries of 8 bytes, so that two fit the first cache. The index is the next 11 bits: a code, the
 * sign of the value behind it, and whatever follows. The sign is part of the index, since a value of n bits whose
 * first bit is 0 is below zero and counts up from 1 - 2^n: `first` holds that number, or 0, and the rest of the value
 * is added. For a symbol without value the sum has to be 0: 63 as `rest` leaves the first bit of the code, and
 * `first` takes it away.
 *
 * `limits` and `offsets` are for codes of up to 16 bits that have no entry: the first code that is longer, moved up
 * to 16 bits, and what has to be added to a code for its place among the symbols. */

#include <string.h>

#include "internal.h"

static int size_of(const pj_lookup *table, int symbol) { return table->is_dc ? symbol : symbol & 15; }

/* For a code, which is followed by a sign. Where it has no bits of its own the first bit of the code is one. */
static pj_entry entry_of(const pj_lookup *table, int symbol, int length, int is_first_set, int is_positive) {
  int size = size_of(table, symbol), is_end = !size && symbol >> 4 < 15;
  uint8_t step = is_end ? pj_past : (uint8_t)((symbol >> 4) + 1);
  if (!size) return (pj_entry){(uint8_t)length, step, step, 0, 63, 0, (int16_t)-is_first_set};
  return (pj_entry){(uint8_t)(length + size), step, step, (uint8_t)length, (uint8_t)(64 - size), 0,
    (int16_t)(is_positive ? 0 : 1 - (1 << size))};
}

static void fill(pj_entry *to, size_t count, pj_entry with) {
  for (size_t i = 0; i < count; i++) to[i] = with;
}

int pj_lookup_make(pj_lookup *made, const JHUFF_TBL *table, int is_dc) {
  uint32_t code = 0;
  int at = 0;

  made->symbols = table->huffval;
  made->is_dc = is_dc;
  fill(made->entries, 1 << pj_lookup_bits, (pj_entry){0, pj_unknown, pj_unknown, 0, 63, 0, 0});
  for (int length = 1; length <= pj_longest; length++, code <<= 1) {
    made->offsets[length] = at - (int)code;
    for (int i = 0; i < table->bits[length]; i++, at++, code++) {
      int symbol = table->huffval[at & 255], size = size_of(made, symbol), left = pj_lookup_bits - length;
      if (at > 255 || code >> length || size > 15) return -1;
      if (left < (size > 0) || length + size > pj_most_bits) continue;
      pj_entry *to = made->entries + (code << left);
      size_t half = ((size_t)1 << left) / 2;
      int is_first_set = (int)(code >> (length - 1));
      fill(to, (size_t)1 << left, entry_of(made, symbol, length, is_first_set, 0));
      if (size) fill(to + half, half, entry_of(made, symbol, length, is_first_set, 1));
    }
    made->limits[length] = code << (pj_longest - length);
  }
  return 0;
}

void pj_lookup_pair(pj_lookup *made) {
  pj_entry single[1 << pj_lookup_bits];
  memcpy(single, made->entries, sizeof single);
  for (size_t i = 0; i < 1 << pj_lookup_bits; i++) {
    pj_entry one = single[i], other = single[(i << one.taken) & ((1 << pj_lookup_bits) - 1)];
    uint64_t word = (uint64_t)i << (64 - pj_lookup_bits), behind = word << one.taken;
    int next = pj_first_of(&other, behind);
    if (one.step >= pj_past || other.step == pj_unknown || one.taken + other.taken > pj_lookup_bits) continue;
    if (next != (int8_t)next) continue;
    /* The bit that is one's own is the other's first, to give back what belongs to the other. */
    made->entries[i] = (pj_entry){(uint8_t)(one.taken + other.taken), one.step, (uint8_t)(one.step + other.step),
      one.taken, 63, (int8_t)next, (int16_t)(pj_first_of(&one, word) - (int)(behind >> 63))};
  }
}

int pj_lookup_find(const pj_lookup *table, uint64_t word, pj_entry *out) {
  uint32_t bits = (uint32_t)(word >> (64 - pj_longest));
  for (int length = 1; length <= pj_longest; length++)
    if (bits < table->limits[length]) {
      int symbol = table->symbols[table->offsets[length] + (int)(bits >> (pj_longest - length))];
      *out = entry_of(table, symbol, length, (int)(word >> 63), (int)(word >> (63 - length) & 1));
      return 0;
    }
  return -1;
}
