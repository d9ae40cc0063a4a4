#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Huffman tables for one picture (ITU-T T.81, annex K.2), without libjpeg's second pass over all coefficients: libjpeg
 * writes with flat tables whose codes are the symbols themselves, so that reading them back takes no search. The file
 * has the same bytes as libjpeg's own with optimize_coding. */

enum { flat_dc_bits = 4, flat_ac_bits = 8, symbols = 256, longest = 16, tables = 4 };

static void set_flat(JHUFF_TBL *table, int bits) {
  int count = (1 << bits) - 1; /* No code may be all ones. */
  memset(table->bits, 0, sizeof table->bits);
  table->bits[bits] = (UINT8)count;
  for (int i = 0; i < count; i++) table->huffval[i] = (UINT8)i;
}

void pj_flat_tables(j_compress_ptr codec) {
  for (int i = 0; i < 2; i++) {
    set_flat(codec->dc_huff_tbl_ptrs[i], flat_dc_bits);
    set_flat(codec->ac_huff_tbl_ptrs[i], flat_ac_bits);
  }
}

/* A table as it stands in a file. For each symbol `codes` has its code, moved up by the bits that follow it, and in the
 * low five bits the length of all. */
typedef struct {
  long uses[symbols];
  unsigned char counts[longest + 1], order[symbols];
  int count;
  uint32_t codes[symbols];
} table;

/* Codes of 16 bits at most: of two that are longest, one takes the other's place a bit higher up, and a shorter code
 * is divided for the one that is left. */
static int shorten(int lengths[], int most) {
  for (int i = most; i > longest; i--) {
    while (lengths[i] > 0) {
      int j = i - 2;
      while (j > 0 && lengths[j] == 0) j--;
      if (j == 0) return -1;
      lengths[i] -= 2;
      lengths[i - 1]++;
      lengths[j + 1] += 2;
      lengths[j]--;
    }
  }
  return 0;
}

/* The tree is made as libjpeg makes it: of symbols that are equally rare the later one goes first. */
static int make_codes(table *made) {
  enum { deepest = 32 };
  struct { long uses; int symbol; } left[symbols + 1];
  int depth[symbols + 1] = {0}, next[symbols + 1], lengths[deepest + 1] = {0}, count = 0, code = 0;

  for (int i = 0; i < symbols; i++)
    if (made->uses[i]) left[count].uses = made->uses[i], left[count++].symbol = i;
  /* One more symbol takes the code of all ones. */
  left[count].uses = 1, left[count++].symbol = symbols;
  for (int i = 0; i <= symbols; i++) next[i] = -1;
  while (count > 1) {
    int first = -1, second = -1, last, i;
    for (i = 0; i < count; i++)
      if (first < 0 || left[i].uses <= left[first].uses) second = first, first = i;
      else if (second < 0 || left[i].uses <= left[second].uses) second = i;
    left[first].uses += left[second].uses;
    for (i = left[first].symbol, last = i; i >= 0; i = next[i]) depth[i]++, last = i;
    next[last] = left[second].symbol;
    for (i = left[second].symbol; i >= 0; i = next[i]) depth[i]++;
    memmove(&left[second], &left[second + 1], (size_t)(--count - second) * sizeof *left);
  }
  for (int i = 0; i <= symbols; i++) {
    if (depth[i] > deepest) return -1;
    if (depth[i]) lengths[depth[i]]++;
  }
  if (shorten(lengths, deepest)) return -1;
  for (int i = longest; i > 0; i--)
    if (lengths[i]) { lengths[i]--; break; }
  made->count = 0;
  for (int size = 1; size <= deepest; size++)
    for (int i = 0; i < symbols; i++)
      if (depth[i] == size) made->order[made->count++] = (unsigned char)i;
  for (int size = 1, i = 0; size <= longest; size++, code <<= 1) {
    made->counts[size] = (unsigned char)lengths[size];
    for (int k = 0; k < lengths[size]; k++, i++, code++) {
      int more = made->order[i] & 15;
      made->codes[made->order[i]] = (uint32_t)code << more << 5 | (uint32_t)(size + more);
    }
  }
  return 0;
}

/* The picture's data as it is read: a table (from bit 24 on), a symbol of it (16) and the bits behind the symbol. */
typedef struct {
  table tables[tables];
  uint32_t *tokens;
  size_t count;
} recoder;

/* Takes away the zeros behind bytes of ones; the new count. */
static size_t unstuff(unsigned char *data, size_t count) {
  unsigned char *from = data, *to = data, *end = data + count, *found;
  while ((found = memchr(from, 0xFF, (size_t)(end - from)))) {
    size_t run = (size_t)(found - from) + 1;
    memmove(to, from, run);
    to += run, from = found + (found + 1 < end ? 2 : 1);
  }
  memmove(to, from, (size_t)(end - from));
  return (size_t)(to - data) + (size_t)(end - from);
}

/* The bits that come next are on top of `word`; `count` of them are from before `next`. */
typedef struct {
  const unsigned char *next;
  uint64_t word;
  int count;
} reader;

/* A symbol of `width` bits and the bits behind it. */
static inline int take(recoder *made, int table, int width, reader *from) {
  int symbol, more;
  uint32_t bits;

  if (from->count < 32) {
    uint64_t word;
    memcpy(&word, from->next, sizeof word);
    from->word |= __builtin_bswap64(word) >> from->count;
    from->next += (63 - from->count) >> 3;
    from->count |= 56;
  }
  symbol = (int)(from->word >> (64 - width));
  more = symbol & 15;
  bits = (uint32_t)(from->word << width >> 1 >> (63 - more));
  made->tokens[made->count++] = (uint32_t)table << 24 | (uint32_t)symbol << 16 | bits;
  made->tables[table].uses[symbol]++;
  from->word <<= width + more;
  from->count -= width + more;
  return symbol;
}

/* A block (annex F.1.2): the mean, then runs of zeros and what follows them. */
static inline int take_block(recoder *made, int kind, reader *from, const unsigned char *end) {
  take(made, 2 * kind, flat_dc_bits, from);
  for (int at = 1; at < DCTSIZE2;) {
    int symbol;
    if (from->next > end) return -1;
    symbol = take(made, 2 * kind + 1, flat_ac_bits, from);
    if (!symbol) break;
    at += (symbol >> 4) + 1;
  }
  return 0;
}

/* `data` has 16 bytes more than `count`. */
static int take_all(recoder *made, j_compress_ptr codec, const unsigned char *data, size_t count) {
  size_t mcus = (size_t)codec->MCUs_per_row * codec->MCU_rows_in_scan;
  reader from = {data, 0, 0};
  for (size_t i = 0; i < mcus; i++)
    for (int block = 0; block < codec->blocks_in_MCU; block++)
      if (take_block(made, codec->MCU_membership[block] != 0, &from, data + count + 8)) return -1;
  return 8 * (data + count - from.next) + from.count >= 0 ? 0 : -1;
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

static unsigned char *put_tables(const recoder *made, int kinds, unsigned char *to) {
  for (int i = 0; i < 2 * kinds; i++) {
    const table *one = &made->tables[i];
    *to++ = 0xFF, *to++ = 0xC4, *to++ = 0, *to++ = (unsigned char)(2 + 1 + longest + one->count);
    *to++ = (unsigned char)((i & 1) << 4 | i >> 1);
    memcpy(to, one->counts + 1, longest);
    memcpy(to + longest, one->order, (size_t)one->count);
    to += longest + one->count;
  }
  return to;
}

static unsigned char *put_tokens(const recoder *made, unsigned char *to) {
  writer out = {to, 0, 64};
  for (size_t i = 0; i < made->count; i++) {
    uint32_t one = made->tokens[i], code = made->tables[one >> 24].codes[one >> 16 & 255];
    put(&out, code >> 5 | (one & 0xFFFF), (int)(code & 31));
  }
  for (; out.free % 8; out.free--) out.word = out.word << 1 | 1;
  for (int i = 56 - out.free; i >= 0; i -= 8) put_byte(&out, (unsigned char)(out.word >> i));
  return out.to;
}

/* Where the first segment of this kind begins; 0 where there is none before the data. */
static size_t find_segment(const unsigned char *file, size_t count, unsigned char kind) {
  for (size_t at = 2; at + 4 <= count && file[at] == 0xFF; at += 2 + (size_t)(file[at + 2] << 8 | file[at + 3])) {
    if (file[at + 1] == kind) return at;
    if (file[at + 1] == 0xDA) break;
  }
  return 0;
}

/* The most bytes that the tokens can become. */
static size_t most_bytes(const recoder *made, int kinds) {
  size_t bits = 64;
  for (int i = 0; i < 2 * kinds; i++)
    for (int symbol = 0; symbol < symbols; symbol++)
      bits += (size_t)made->tables[i].uses[symbol] * (made->tables[i].codes[symbol] & 31);
  return 2 * (bits / 8 + 1);
}

/* Finds the codes for `size` bytes of data. */
static int learn(recoder *made, j_compress_ptr codec, int kinds, const unsigned char *from, size_t size) {
  unsigned char *data = malloc(size + 16);
  int status = -1;
  /* A mean and the end of its block have twelve bits at least. */
  made->tokens = malloc(((size + 16) * 8 / 6 + 2) * sizeof *made->tokens);
  if (data && made->tokens) {
    memcpy(data, from, size);
    size = unstuff(data, size);
    memset(data + size, 0, 16);
    status = take_all(made, codec, data, size);
  }
  free(data);
  for (int i = 0; i < 2 * kinds && !status; i++) status = make_codes(&made->tables[i]);
  return status;
}

int pj_recode(j_compress_ptr codec, const unsigned char *file, size_t count, unsigned char **out, size_t *out_count) {
  size_t tables_at = find_segment(file, count, 0xC4), scan_at = find_segment(file, count, 0xDA), head;
  int kinds = codec->num_components > 1 ? 2 : 1;
  unsigned char *to;
  recoder *made;

  *out = NULL;
  if (!tables_at || scan_at < tables_at) return -1;
  head = (size_t)(file[scan_at + 2] << 8 | file[scan_at + 3]) + 2;
  made = scan_at + head + 2 <= count ? calloc(1, sizeof *made) : NULL;
  if (!made) return -1;
  if (!learn(made, codec, kinds, file + scan_at + head, count - scan_at - head - 2))
    *out = malloc(tables_at + head + tables * (5 + longest + symbols) + most_bytes(made, kinds) + 2);
  if (*out) {
    memcpy(*out, file, tables_at);
    to = put_tables(made, kinds, *out + tables_at);
    memcpy(to, file + scan_at, head);
    to = put_tokens(made, to + head);
    *to++ = 0xFF, *to++ = 0xD9;
    *out_count = (size_t)(to - *out);
  }
  free(made->tokens);
  free(made);
  return *out ? 0 : -1;
}
