#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A picture of more scans than this is made to take time. */
static const int most_scans = 100;

typedef struct {
  struct jpeg_decompress_struct codec;
  struct jpeg_progress_mgr progress;
  pj_trap trap;
  /* A row with a pixel more than is wanted. */
  unsigned char *row;
} decoder;

static void count_scans(j_common_ptr codec) {
  if (((j_decompress_ptr)codec)->input_scan_number > most_scans) codec->err->error_exit(codec);
}

static decoder *begin(const unsigned char *file, size_t count) {
  decoder *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->codec.err = pj_set_trap(&made->trap);
  if (setjmp(made->trap.back)) {
    jpeg_destroy_decompress(&made->codec);
    free(made);
    return NULL;
  }
  jpeg_create_decompress(&made->codec);
  made->progress.progress_monitor = count_scans;
  made->codec.progress = &made->progress;
  jpeg_mem_src(&made->codec, file, (unsigned long)count);
  jpeg_read_header(&made->codec, TRUE);
  return made;
}

static int end(decoder *made, int status) {
  jpeg_destroy_decompress(&made->codec);
  free(made->row);
  free(made);
  return status;
}

/* Grey for one component, RGB for three; the bands, or 0 for others. */
static int plain_bands(const struct jpeg_decompress_struct *codec) {
  if (codec->data_precision != 8 || codec->arith_code) return 0;
  switch (codec->jpeg_color_space) {
  case JCS_GRAYSCALE: return codec->num_components == 1 && codec->out_color_space == JCS_GRAYSCALE ? 1 : 0;
  case JCS_YCbCr: case JCS_RGB: return codec->num_components == 3 && codec->out_color_space == JCS_RGB ? 3 : 0;
  default: return 0;
  }
}

int pj_read(const unsigned char *file, size_t count, pj_info *info) {
  decoder *made;
  if (pj_scan(file, count, info)) return -1;
  made = begin(file, count);
  if (!made) return -1;
  info->width = (int)made->codec.image_width;
  info->height = (int)made->codec.image_height;
  info->bands = plain_bands(&made->codec);
  return end(made, info->bands && info->width > 0 && info->height > 0 ? 0 : -1);
}

static int at_least_one(int count) { return count > 0 ? count : 1; }

static int decode_one(
  const unsigned char *file, size_t count, const pj_info *info, int shrink, pj_take take, void *context) {
  int height = at_least_one(info->height / shrink);
  decoder *made = begin(file, count);
  if (!made) return -1;
  if (setjmp(made->trap.back)) return end(made, -1);
  made->codec.scale_num = 1;
  made->codec.scale_denom = (unsigned)shrink;
  jpeg_start_decompress(&made->codec);
  made->row = malloc((size_t)made->codec.output_width * (size_t)info->bands);
  if (!made->row) return end(made, -1);
  while (made->codec.output_scanline < made->codec.output_height) {
    int y = (int)made->codec.output_scanline;
    if (jpeg_read_scanlines(&made->codec, &made->row, 1) != 1) return end(made, -1);
    if (y < height && take(context, shrink, made->row, 0, 1)) return end(made, -1);
  }
  return end(made, jpeg_finish_decompress(&made->codec) ? 0 : -1);
}

int pj_decode(
  const unsigned char *file, size_t count, const pj_info *info, int shrinks, pj_take take, void *context) {
  for (int shrink = 1; shrink <= 8; shrink *= 2)
    if (shrinks & shrink && decode_one(file, count, info, shrink, take, context)) return -1;
  return 0;
}
