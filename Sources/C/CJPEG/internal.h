#ifndef PREHEAT_CJPEG_INTERNAL_H
#define PREHEAT_CJPEG_INTERNAL_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

#include "cjpeg.h"

/* libjpeg's errors and warnings jump here: a call of libjpeg stands behind setjmp(trap->back). */
typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf back;
} pj_trap;

struct jpeg_error_mgr *pj_set_trap(pj_trap *trap);

/* After an error, frees what there is of a file that jpeg_mem_dest began. */
void pj_drop_file(j_compress_ptr writer, unsigned char **file);

enum { pj_symbols = 256, pj_longest = 16 };

/* The Huffman table that fits best; not 0 if there is none. */
int pj_fit_codes(JHUFF_TBL *made, const size_t uses[pj_symbols]);

/* A picture of more scans is made to take time. */
enum { pj_most_scans = 100 };

/* What is missing of a picture that has been read to its end: bits of coefficients, or a component. */
enum pj_lack { PJ_LACKS_NOTHING, PJ_LACKS_BITS, PJ_LACKS_COMPONENT };
enum pj_lack pj_lack_of(const struct jpeg_decompress_struct *codec);

/* The coefficients of a component: all of them, in libjpeg's memory, or those of one strip (a row of MCUs). */
typedef struct {
  jvirt_barray_ptr all;
  JBLOCKARRAY strip;
  size_t rows, row_bytes;
} pj_part;

typedef struct {
  pj_part parts[3];
  int count;
  /* libjpeg's own method. */
  jvirt_barray_ptr (*request)(j_common_ptr, int, boolean, JDIMENSION, JDIMENSION, JDIMENSION);
} pj_coefficients;

/* Call this before jpeg_start_decompress. */
void pj_coefficients_hold(pj_coefficients *held, j_decompress_ptr codec);

/* The `rows` rows of blocks of a strip that has been read. */
JBLOCKARRAY pj_strip_of(const pj_part *part, j_decompress_ptr codec, int rows, int strip);

/* Bits that are looked up at once; the most that an entry may take, so that there are enough for three. */
enum { pj_lookup_bits = 11, pj_most_bits = 18 };

/* What comes next in a block: a coefficient, or two where the lookup has all bits of both. */
typedef struct {
  /* All bits. */
  uint8_t taken;
  /* How far on the coefficients are; the same if there is but one. */
  uint8_t step, last_step;
  /* The first coefficient has bits of its own behind the first `lead`; 64 less their number, which is never 0. */
  uint8_t lead, rest;
  int8_t second;
  /* What those bits are added to. */
  int16_t first;
} pj_entry;

/* Steps beyond the last coefficient: for the end of a block, and for what has no entry, which are codes that do not fit
 * together with the sign behind them, and those that take many bits. */
enum { pj_past = 2 * DCTSIZE2, pj_unknown = 255 };

/* A Huffman table. What has no entry is found by its length, 16 bits at a time. */
typedef struct {
  pj_entry entries[1 << pj_lookup_bits];
  uint32_t limits[pj_longest + 1];
  int offsets[pj_longest + 1];
  const UINT8 *symbols;
  int is_dc;
} pj_lookup;

/* Not 0 for a table that libjpeg should not have let in. */
int pj_lookup_make(pj_lookup *made, const JHUFF_TBL *table, int is_dc);

/* Puts two coefficients into one entry where a lookup has all of both. */
void pj_lookup_pair(pj_lookup *made);

/* A code that has no entry, by its own: the bits that come next are on top of `word`. Not 0 if there is none. */
int pj_lookup_find(const pj_lookup *table, uint64_t word, pj_entry *out);

/* The first coefficient. */
static inline int pj_first_of(const pj_entry *one, uint64_t word) {
  return (int)(word << one->lead >> one->rest) + one->first;
}

/* The Huffman codes of a file with one sequential scan; libjpeg owns the memory. */
typedef struct pj_entropy pj_entropy;

/* Call this after jpeg_start_decompress; NULL for other files. Of a component's blocks, the coefficients that
 * `sizes[i]` x `sizes[i]` pixels need are read (1, 2, 4 or 8). */
pj_entropy *pj_entropy_make(j_decompress_ptr codec, const int sizes[3]);

/* Reads the next strip; with the last one, up to the end mark. 1 where libjpeg has to read what comes
 * before that, -1 where something is odd. */
int pj_entropy_strip(pj_entropy *made, j_decompress_ptr codec, const pj_part parts[3]);

/* The meaning of three components. */
enum pj_colours { PJ_IMAGEIO, PJ_JFIF, PJ_RGB };

/* The inner loops. They read and write up to 16 pixels more than `count`. */
typedef struct {
  /* Draws a row of blocks, `size` x `size` pixels each (1, 2, 4 or 8). */
  void (*draw_blocks)(
    unsigned char *to, size_t stride, const JBLOCK *from, size_t count, int size, const float *table);
  /* Doubles the width of a row by the triangle filter, which also takes a quarter of the row next to it; it never
   * reads across the edge of a block of 8 x 8. */
  void (*widen_blocks)(unsigned char *to, const unsigned char *near, const unsigned char *far, size_t count);
  /* Doubles the width of a single row; needs a pixel before and after it. */
  void (*widen_row)(unsigned char *to, const unsigned char *from, size_t count);
  /* Makes pixels of three components. */
  void (*mix)(unsigned char *to, unsigned char *const from[3], size_t count, enum pj_colours colours);
} pj_loops;

/* The fastest loops for this processor, or those that every processor has; both make the same bytes. */
const pj_loops *pj_find_loops(int is_anywhere);

/* One component at one size. */
typedef struct {
  /* A block is drawn as `size` x `size` pixels; each pixel covers `across` x `down` pixels of the picture. */
  int size, across, down;
  size_t stride;
  unsigned char *pixels;
  /* Factors of the coefficients. */
  float table[DCTSIZE2];
} pj_plane;

/* The picture at 1/`shrink`, of which one strip is in memory. libjpeg owns that memory. */
typedef struct {
  int shrink, width, height;
  /* Rows in a strip. */
  int rows;
  pj_plane planes[3];
  /* A row of each component at the width of the picture, and the pixels made of them. */
  unsigned char *wide[3], *pixels;
} pj_size;

typedef struct {
  const pj_loops *loops;
  pj_take take;
  void *context;
  /* Of YCbCr. */
  enum pj_colours colours;
} pj_way;

void pj_size_make(pj_size *size, j_decompress_ptr codec, int shrink);

/* Call this when the quantization tables have been read. */
void pj_size_begin(pj_size *size, j_decompress_ptr codec);

/* Draws a strip; not 0 if the rows were refused. */
int pj_size_draw(
  const pj_size *size, j_decompress_ptr codec, JBLOCKARRAY const blocks[3], int strip, const pj_way *way);

#endif
