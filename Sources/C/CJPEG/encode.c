/* Files with the bytes that libjpeg-turbo writes for the same pixels.
 *
 * By itself it takes long where codes fit the picture: it counts symbols one coefficient after the other, and looks for
 * the rarest of 257 again and again. So one codec makes coefficients, they are counted here, and a second codec writes
 * them with codes that are there already (0.31 ms for three results of a list picture; libjpeg-turbo alone takes 0.60).
 * The first is given a progressive file's scan of means: of several passes it keeps all coefficients after the first. */

#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct {
  const unsigned char *pixels;
  int width, height, bands;
  const pj_recipe *recipe;
  pj_trap trap;
  struct jpeg_compress_struct maker, writer;
  /* The coefficients; libjpeg's own method that makes room for them. */
  jvirt_barray_ptr parts[3];
  int count;
  jvirt_barray_ptr (*request)(j_common_ptr, int, boolean, JDIMENSION, JDIMENSION, JDIMENSION);
  unsigned char *file;
  unsigned long size;
} encoder;

static void begin(const encoder *made, j_compress_ptr codec) {
  jpeg_create_compress(codec);
  codec->image_width = (JDIMENSION)made->width;
  codec->image_height = (JDIMENSION)made->height;
  codec->input_components = made->bands;
  codec->in_color_space = made->bands == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(codec);
  jpeg_set_quality(codec, made->recipe->quality, TRUE);
  /* Neither segment says anything that a decoder would not take for granted. */
  codec->write_JFIF_header = FALSE;
  if (made->bands == 3 && !made->recipe->halves_chroma)
    codec->comp_info[0].h_samp_factor = codec->comp_info[0].v_samp_factor = 1;
}

static void write_rows(const encoder *made, j_compress_ptr codec) {
  size_t count = (size_t)made->width * (size_t)made->bands;
  while (codec->next_scanline < codec->image_height) {
    JSAMPROW rows[16];
    JDIMENSION left = codec->image_height - codec->next_scanline, many = left < 16 ? left : 16;
    for (JDIMENSION i = 0; i < many; i++) rows[i] = (JSAMPROW)(made->pixels + (codec->next_scanline + i) * count);
    jpeg_write_scanlines(codec, rows, many);
  }
}

/* There is one request for each component. */
static jvirt_barray_ptr request(
  j_common_ptr codec, int pool, boolean is_zero, JDIMENSION width, JDIMENSION height, JDIMENSION rows) {
  encoder *made = codec->client_data;
  if (made->count == 3) codec->err->error_exit(codec);
  return made->parts[made->count++] = made->request(codec, pool, is_zero, width, height, rows);
}

static void make_coefficients(encoder *made) {
  const jpeg_scan_info means = {made->bands, {0, 1, 2}, 0, 0, 0, 0};
  /* The file's mark is all that is written. */
  unsigned char head[16], *file = head;
  unsigned long size = sizeof head;
  begin(made, &made->maker);
  made->maker.client_data = made;
  made->request = made->maker.mem->request_virt_barray;
  made->maker.mem->request_virt_barray = request;
  made->maker.scan_info = &means, made->maker.num_scans = 1;
  jpeg_mem_dest(&made->maker, &file, &size);
  jpeg_start_compress(&made->maker, TRUE);
  write_rows(made, &made->maker);
}

static int size_of(int value) { return value ? 32 - __builtin_clz((unsigned)abs(value)) : 0; }

/* A bit for each of sixteen coefficients that is not 0. */
static uint64_t used_of(const JCOEF *from) {
  typedef int16_t levels __attribute__((ext_vector_type(16)));
  typedef _Bool flags __attribute__((ext_vector_type(16)));
  levels values;
  flags used;
  uint16_t bits;
  memcpy(&values, from, sizeof values);
  used = __builtin_convertvector(values != 0, flags);
  memcpy(&bits, &used, sizeof bits);
  return bits;
}

/* The symbols of a block's coefficients but the mean (ITU-T T.81, annex F.1.2.2), in the order of a file. */
static void count_rest(size_t uses[pj_symbols], const JCOEF *block) {
  static const unsigned char place_of[DCTSIZE2] = {
    0, 1, 5, 6, 14, 15, 27, 28, 2, 4, 7, 13, 16, 26, 29, 42, 3, 8, 12, 17, 25, 30, 41, 43, 9, 11, 18, 24, 31, 40, 44,
    53, 10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38, 46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49,
    57, 58, 62, 63,
  };
  uint64_t used = 0, order = 0;
  unsigned char sizes[DCTSIZE2];
  int behind = 1;
  for (int i = 0; i < DCTSIZE2; i += 16) used |= used_of(block + i) << i;
  for (used &= ~(uint64_t)1; used; used &= used - 1) {
    int at = __builtin_ctzll(used), place = place_of[at];
    order |= (uint64_t)1 << place;
    sizes[place] = (unsigned char)size_of(block[at]);
  }
  for (; order; order &= order - 1) {
    int at = __builtin_ctzll(order), run = at - behind;
    if (run > 15) uses[0xF0] += (size_t)run / 16;
    uses[run % 16 << 4 | sizes[at]]++;
    behind = at + 1;
  }
  uses[0] += behind < DCTSIZE2;
}

/* A component's blocks, MCU by MCU. What an MCU has beyond the edge is as its mean was before, and else empty. */
static void count_part(encoder *made, int which, size_t means[pj_symbols], size_t rest[pj_symbols]) {
  j_compress_ptr maker = &made->maker;
  const jpeg_component_info *part = &maker->comp_info[which];
  JDIMENSION width = part->width_in_blocks, height = part->height_in_blocks;
  JDIMENSION across = (JDIMENSION)part->MCU_width, down = (JDIMENSION)part->MCU_height;
  size_t all = (size_t)maker->MCUs_per_row * maker->MCU_rows_in_scan * across * down, flat = all - (size_t)width * height;
  int mean = 0;
  for (JDIMENSION y = 0; y < height; y += down) {
    JBLOCKARRAY rows =
      maker->mem->access_virt_barray((j_common_ptr)maker, made->parts[which], y, down, FALSE);
    for (JDIMENSION x = 0; x < width; x += across)
      for (JDIMENSION k = 0; k < down && y + k < height; k++)
        for (JDIMENSION i = 0; i < across && x + i < width; i++) {
          const JCOEF *block = rows[k][x + i];
          means[size_of(block[0] - mean)]++;
          mean = block[0];
          count_rest(rest, block);
        }
  }
  means[0] += flat, rest[0] += flat;
}

static void fit_codes(encoder *made) {
  /* Light, then both of colour; means, then the rest. */
  size_t uses[2][2][pj_symbols] = {0};
  for (int i = 0; i < made->bands; i++) count_part(made, i, uses[i > 0][0], uses[i > 0][1]);
  for (int i = 0; i < (made->bands == 3 ? 2 : 1); i++)
    if (
      pj_fit_codes(made->writer.dc_huff_tbl_ptrs[i], uses[i][0])
      || pj_fit_codes(made->writer.ac_huff_tbl_ptrs[i], uses[i][1]))
      longjmp(made->trap.back, 1);
}

static void encode(encoder *made) {
  const pj_recipe *recipe = made->recipe;
  int is_fitted = recipe->optimizes_coding && !recipe->is_progressive;
  begin(made, &made->writer);
  jpeg_mem_dest(&made->writer, &made->file, &made->size);
  if (is_fitted) {
    make_coefficients(made);
    fit_codes(made);
    jpeg_write_coefficients(&made->writer, made->parts);
  } else {
    if (recipe->is_progressive) jpeg_simple_progression(&made->writer);
    jpeg_start_compress(&made->writer, TRUE);
  }
  if (recipe->profile_count) jpeg_write_icc_profile(&made->writer, recipe->profile, (unsigned)recipe->profile_count);
  if (!is_fitted) write_rows(made, &made->writer);
  jpeg_finish_compress(&made->writer);
}

int pj_encode(
  const unsigned char *pixels, int width, int height, int bands, const pj_recipe *recipe, unsigned char **file,
  size_t *count) {
  encoder *made = calloc(1, sizeof *made);
  int status = 0;
  if (!made) return -1;
  made->pixels = pixels, made->width = width, made->height = height, made->bands = bands, made->recipe = recipe;
  made->maker.err = made->writer.err = pj_set_trap(&made->trap);
  if (!setjmp(made->trap.back)) {
    encode(made);
  } else {
    pj_drop_file(&made->writer, &made->file);
    status = -1;
  }
  *file = made->file;
  *count = made->size;
  jpeg_destroy_compress(&made->maker);
  jpeg_destroy_compress(&made->writer);
  free(made);
  return status;
}

void pj_free(void *memory) { free(memory); }
