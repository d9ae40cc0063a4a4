/* Huffman tables: those that fit a picture best, and the standard's own.
 *
 * Which of two symbols that are equally rare is joined first decides the bytes of the file, so the order is
 * libjpeg's. It looks for the two rarest in all 257 symbols, each time from the beginning; here a heap has them on top.
 *
 * A key of the heap has the uses above nine bits for the symbol (make_key), so that comparing numbers is libjpeg's
 * order. `leaves` are the symbols in use, and one more that takes the code of all ones, which no file may have;
 * `parents` has the node above each node, `place` the node that a symbol stands for by now, `depth` the length of
 * each code.
 *
 * The tables are proved with the files that they are for: see huffman.c. */

#include <string.h>

#include "encoding.h"

enum { deepest = 32, nodes = 2 * pj_symbols + 1 };

/* Moves a key down to where it belongs: each is smaller than the two below it. */
static void sink(uint64_t *heap, int count, int at) {
  uint64_t key = heap[at];
  for (int next = 2 * at + 1; next < count; next = 2 * at + 1) {
    if (next + 1 < count && heap[next + 1] < heap[next]) next++;
    if (heap[next] >= key) break;
    heap[at] = heap[next];
    at = next;
  }
  heap[at] = key;
}

/* Keys have the uses above nine bits that are smaller the later the symbol is: of two that are equally rare libjpeg
 * takes the later one first, and what it joins stands at the place of the rarer one. */
static uint64_t make_key(size_t uses, int symbol) { return (uint64_t)uses << 9 | (uint64_t)(pj_symbols - symbol); }

/* The depth in the tree of each of the leaves, given by rising symbols. */
static void measure(const size_t *uses, const short *leaves, int count, short *depth) {
  short parents[nodes], place[pj_symbols + 1];
  uint64_t heap[pj_symbols + 1];
  int node = count;

  for (int i = 0; i < count; i++) {
    place[leaves[i]] = (short)i;
    heap[i] = make_key(leaves[i] < pj_symbols ? uses[leaves[i]] : 1, leaves[i]);
  }
  for (int i = count / 2 - 1; i >= 0; i--) sink(heap, count, i);
  for (int left = count; left > 1; node++) {
    uint64_t first = heap[0];
    int symbol = pj_symbols - (int)(first & 511), other;
    heap[0] = heap[--left];
    sink(heap, left, 0);
    other = pj_symbols - (int)(heap[0] & 511);
    parents[place[symbol]] = parents[place[other]] = (short)node;
    place[symbol] = (short)node;
    heap[0] = first + (heap[0] & ~(uint64_t)511);
    sink(heap, left, 0);
  }
  depth[node - 1] = 0;
  for (int i = node - 2; i >= 0; i--) depth[i] = depth[parents[i]] + 1;
}

/* Codes of 16 bits at most: of two that are longest, one takes the other's place a bit higher up, and a shorter code
 * is divided for the one that is left. */
static int shorten(int lengths[], int most) {
  for (int i = most; i > pj_longest; i--) {
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

/* Symbols by the depth that they have in the tree. */
static void sort(pj_codes *made, const short *leaves, const short *depth, int count, const int lengths[]) {
  int places[deepest + 2] = {0};
  for (int i = 1; i <= deepest; i++) places[i + 1] = places[i] + lengths[i];
  /* The last leaf is not a symbol. */
  for (int i = depth[count - 1] + 1; i <= deepest; i++) places[i]--;
  for (int i = 0; i < count - 1; i++) made->order[places[depth[i]]++] = (unsigned char)leaves[i];
  made->count = count - 1;
}

/* Codes count up from the shortest. */
static void number(pj_codes *made) {
  for (int size = 1, i = 0, code = 0; size <= pj_longest; size++, code <<= 1) {
    for (int k = 0; k < made->counts[size]; k++, i++, code++) {
      int more = made->order[i] & 15;
      made->codes[made->order[i]] = (uint32_t)code << more << 5 | (uint32_t)(size + more);
    }
  }
}

/* Of sixteen symbols; most often none of them is used. */
static int find_leaves(const size_t *uses, short *leaves, int count, int from) {
  size_t any = 0;
  for (int i = from; i < from + 16; i++) any |= uses[i];
  for (int i = from; any && i < from + 16; i++)
    if (uses[i]) leaves[count++] = (short)i;
  return count;
}

int pj_fit_codes(pj_codes *made, const size_t uses[pj_symbols]) {
  short leaves[pj_symbols + 1], depth[nodes];
  int lengths[deepest + 1] = {0}, count = 0;

  for (int i = 0; i < pj_symbols; i += 16) count = find_leaves(uses, leaves, count, i);
  /* One more symbol takes the code of all ones. */
  leaves[count++] = pj_symbols;
  measure(uses, leaves, count, depth);
  for (int i = 0; i < count; i++) {
    if (depth[i] > deepest) return -1;
    lengths[depth[i]]++;
  }
  sort(made, leaves, depth, count, lengths);
  if (shorten(lengths, deepest)) return -1;
  for (int i = pj_longest; i > 0; i--)
    if (lengths[i]) { lengths[i]--; break; }
  for (int i = 1; i <= pj_longest; i++) made->counts[i] = (unsigned char)lengths[i];
  number(made);
  return 0;
}

/* Annex K.3: symbols of each length from 1 to 16, and the symbols. */
static const unsigned char light_means[] = {0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
static const unsigned char chroma_means[] = {0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0};
static const unsigned char means[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static const unsigned char light_rest[] = {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125};
static const unsigned char light_symbols[] = {
  0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
  0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
  0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
  0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
  0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
  0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
  0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
  0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
  0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
};

static const unsigned char chroma_rest[] = {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119};
static const unsigned char chroma_symbols[] = {
  0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
  0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
  0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
  0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
  0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
  0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
  0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
  0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
  0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
};

static const struct {
  const unsigned char *counts, *order;
  int count;
} standard[pj_tables] = {
  {light_means, means, sizeof means},
  {light_rest, light_symbols, sizeof light_symbols},
  {chroma_means, means, sizeof means},
  {chroma_rest, chroma_symbols, sizeof chroma_symbols},
};

void pj_standard_codes(pj_codes *made, int table) {
  memcpy(made->counts + 1, standard[table].counts, pj_longest);
  memcpy(made->order, standard[table].order, (size_t)standard[table].count);
  made->count = standard[table].count;
  number(made);
}
