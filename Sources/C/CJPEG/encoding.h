#ifndef PREHEAT_CJPEG_ENCODING_H
#define PREHEAT_CJPEG_ENCODING_H

#include <stddef.h>
#include <stdint.h>

#include "cjpeg.h"

/* What the files that write baseline JPEG share. Each file has the bytes that libjpeg writes for the same pixels. */

enum { pj_block = 64, pj_symbols = 256, pj_longest = 16, pj_tables = 4 };

/* Two blocks side by side: levels row by row, and a bit for each that is not 0. */
typedef struct {
  int16_t levels[2][pj_block];
  uint64_t used[2];
} pj_blocks;

/* A division by 8 times a step, rounded: n -> (n + half) * factor * scale, each product without its low 16 bits. */
typedef struct {
  uint16_t half[pj_block], factor[pj_block], scale[pj_block];
} pj_divisors;

/* `steps`: 1 to 255. */
void pj_make_divisors(pj_divisors *made, const unsigned char steps[pj_block]);

/* The inner loops. Pixels come in groups of 16; chroma comes and goes as 8 samples of blue, then 8 of red. */
typedef struct {
  /* The quantized DCT of 16 x 8 samples. */
  void (*transform)(pj_blocks *to, const unsigned char *from, size_t stride, const pj_divisors *by);
  /* A row of RGB becomes a row of light and one of chroma, which is twice as long. */
  void (*part)(unsigned char *light, unsigned char *chroma, const unsigned char *rgb, size_t groups);
  /* Two rows of RGB become two of light and one of chroma at half the size. */
  void (*part_halved)(
    unsigned char *const light[2], unsigned char *chroma, const unsigned char *const rgb[2], size_t groups);
} pj_encoder_loops;

/* The fastest loops for this processor, or those that every processor has; both make the same bytes. */
const pj_encoder_loops *pj_find_encoder_loops(int is_anywhere);

/* A Huffman table as it stands in a file. For each symbol `codes` has its code, moved up by the bits that follow it,
 * and in the low five bits the length of all. */
typedef struct {
  unsigned char counts[pj_longest + 1], order[pj_symbols];
  int count;
  uint32_t *codes;
} pj_codes;

/* The table that fits best, as libjpeg makes it (ITU-T T.81, annex K.2). */
int pj_fit_codes(pj_codes *made, const size_t uses[pj_symbols]);

/* One of the tables of annex K.3: light (0) or chroma (2), plus 1 for all but the means. */
void pj_standard_codes(pj_codes *made, int table);

/* Places in a block in the order in which a file has them. */
extern const unsigned char pj_zigzag[pj_block];

/* The picture's data before it has codes. A token is a table (from bit 24 on), a symbol of it (16) and the bits behind
 * the symbol. */
typedef struct pj_tokens {
  uint32_t *all;
  size_t count, room;
  int means[3];
  /* The next block of a component. */
  void (*add)(struct pj_tokens *made, int component, const int16_t *levels, uint64_t used);
  /* The places in a file of four levels in a row, for each set of them that there may be. */
  uint64_t places[pj_block / 4][16];
  size_t uses[pj_tables][pj_symbols];
} pj_tokens;

/* `made` is all zeros. */
void pj_tokens_begin(pj_tokens *made, int is_anywhere);

/* Makes room for this many blocks; -1 if there is none. */
int pj_tokens_reserve(pj_tokens *made, size_t blocks);

/* A block beyond the edge of the picture: the mean of the one before it. */
void pj_tokens_add_flat(pj_tokens *made, int component);

/* The most bytes that the tokens can become. */
size_t pj_tokens_most_bytes(const pj_tokens *made, const pj_codes *tables, int count);

/* Writes the data; its end. `codes` has the tables' codes one after the other. */
unsigned char *pj_tokens_put(const pj_tokens *made, const uint32_t *codes, unsigned char *to);

/* By libjpeg. */
int pj_encode_progressive(
  const unsigned char *pixels, int width, int height, int bands, const pj_recipe *recipe, unsigned char **file,
  size_t *count);

#endif
