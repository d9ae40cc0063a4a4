/* Huffman tables that fit a picture best, as libjpeg makes them (ITU-T T.81, annex K.2).
 *
 * Which of two symbols that are equally rare is joined first decides the bytes of the file, so the order is
 * libjpeg's. It looks for the two rarest in all 257 symbols, each time from the beginning; here only in those that are
 * left of the ones in use.
 *
 * How it is proved. JPEGEncodingTests: the bytes of libjpeg-turbo for eight kinds of content, all qualities, both
 * samplings and sizes around the sides of blocks. The fuzz target `jpeg-encoding` compares pictures that libFuzzer
 * makes up. `encoded.tsv` has the digests of files as vectors. */

#include <string.h>

#include "internal.h"

enum { deepest = 32, nodes = 2 * pj_symbols + 1 };

/* Keys have the uses above nine bits that are smaller the later the symbol is: of two that are equally rare libjpeg
 * takes the later one first, and what it joins stands at the place of the rarer one. */
static uint64_t make_key(size_t uses, int symbol) { return (uint64_t)uses << 9 | (uint64_t)(pj_symbols - symbol); }

/* The two smallest of at least two keys. */
static void find_rarest(const uint64_t *keys, int count, int *rarest, int *next) {
  int first = keys[1] < keys[0], second = !first;
  for (int i = 2; i < count; i++) {
    if (keys[i] >= keys[second]) continue;
    second = i;
    if (keys[i] < keys[first]) second = first, first = i;
  }
  *rarest = first;
  *next = second;
}

/* The depth in the tree of each of the leaves: the length of its code. Changes the keys. */
static void measure(uint64_t *keys, int count, short *depth) {
  /* The node above each node; the node that a key stands for by now. */
  short parents[nodes], place[pj_symbols + 1];
  int node = count;
  for (int i = 0; i < count; i++) place[i] = (short)i;
  for (int left = count; left > 1; node++) {
    int rarest, next;
    find_rarest(keys, left, &rarest, &next);
    parents[place[rarest]] = parents[place[next]] = (short)node;
    place[rarest] = (short)node;
    keys[rarest] += keys[next] & ~(uint64_t)511;
    left--;
    keys[next] = keys[left], place[next] = place[left];
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

int pj_fit_codes(JHUFF_TBL *made, const size_t uses[pj_symbols]) {
  uint64_t keys[pj_symbols + 1];
  short leaves[pj_symbols + 1], depth[nodes];
  int lengths[deepest + 1] = {0}, count = 0, placed = 0;

  for (int i = 0; i < pj_symbols; i++) {
    if (!uses[i]) continue;
    leaves[count] = (short)i;
    keys[count++] = make_key(uses[i], i);
  }
  /* One more takes the code of all ones, which no file may have. */
  keys[count++] = make_key(1, pj_symbols);
  measure(keys, count, depth);
  for (int i = 0; i < count; i++) {
    if (depth[i] > deepest) return -1;
    lengths[depth[i]]++;
  }
  /* Symbols by the depth that they have in the tree. */
  for (int size = 1; placed < count - 1; size++)
    for (int i = 0; i < count - 1; i++)
      if (depth[i] == size) made->huffval[placed++] = (UINT8)leaves[i];
  if (shorten(lengths, deepest)) return -1;
  for (int i = pj_longest; i > 0; i--)
    if (lengths[i]) { lengths[i]--; break; }
  for (int i = 1; i <= pj_longest; i++) made->bits[i] = (UINT8)lengths[i];
  return 0;
}
