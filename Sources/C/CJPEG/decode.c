#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct {
  struct jpeg_decompress_struct codec;
  pj_trap trap;
  pj_coefficients coefficients;
  pj_size sizes[4];
  int count;
} decoder;

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
  jpeg_mem_src(&made->codec, file, (unsigned long)count);
  jpeg_read_header(&made->codec, TRUE);
  return made;
}

static int end(decoder *made, int status) {
  jpeg_destroy_decompress(&made->codec);
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
  decoder *made = begin(file, count);
  if (!made) return -1;
  info->width = (int)made->codec.image_width;
  info->height = (int)made->codec.image_height;
  info->bands = plain_bands(&made->codec);
  return end(made, info->bands && info->width > 0 && info->height > 0 ? 0 : -1);
}

/* Draws a strip at every size. */
static int draw(decoder *made, int strip, const pj_way *way) {
  JBLOCKARRAY blocks[3];
  for (int i = 0; i < made->codec.num_components; i++)
    blocks[i] = pj_strip_of(
      &made->coefficients.parts[i], &made->codec, made->codec.comp_info[i].v_samp_factor, strip);
  for (int i = 0; i < made->count; i++) {
    if (strip == 0) pj_size_begin(&made->sizes[i], &made->codec);
    if (pj_size_draw(&made->sizes[i], &made->codec, blocks, strip, way)) return -1;
  }
  return 0;
}

enum pj_lack pj_lack_of(const struct jpeg_decompress_struct *codec) {
  enum pj_lack lack = PJ_LACKS_NOTHING;
  for (int i = 0; i < codec->num_components; i++) {
    if (!codec->comp_info[i].quant_table || (codec->coef_bits && codec->coef_bits[i][0] < 0))
      return PJ_LACKS_COMPONENT;
    for (int k = 0; codec->coef_bits && k < DCTSIZE2; k++)
      if (codec->coef_bits[i][k]) lack = PJ_LACKS_BITS;
  }
  return lack;
}

/* Reads up to the end mark: libjpeg warns of what is missing there. With one scan, strips are drawn as they
 * come, except for the first `drawn`. */
static int draw_by_libjpeg(decoder *made, int drawn, const pj_way *way) {
  struct jpeg_decompress_struct *codec = &made->codec;
  int has_scans = jpeg_has_multiple_scans(codec), strip = 0, status;

  while ((status = jpeg_consume_input(codec)) != JPEG_REACHED_EOI) {
    if (status == JPEG_SUSPENDED || codec->input_scan_number > pj_most_scans) return -1;
    if (status == JPEG_REACHED_SOS || has_scans) continue;
    if (strip >= drawn && draw(made, strip, way)) return -1;
    strip++;
  }
  if (pj_lack_of(codec)) return -1;
  while (has_scans && strip < (int)codec->total_iMCU_rows)
    if (draw(made, strip++, way)) return -1;
  return strip == (int)codec->total_iMCU_rows ? 0 : -1;
}

/* Without libjpeg, which would pass over some of what is odd. */
static int draw_in_order(decoder *made, pj_entropy *entropy, const pj_way *way) {
  for (int strip = 0; strip < (int)made->codec.total_iMCU_rows; strip++) {
    int status = pj_entropy_strip(entropy, &made->codec, made->coefficients.parts);
    if (status > 0) return draw_by_libjpeg(made, strip, way);
    if (status || draw(made, strip, way)) return -1;
  }
  return 0;
}

static int draw_strips(decoder *made, const pj_way *way) {
  int low[3] = {0};
  pj_entropy *entropy;

  for (int i = 0; i < made->count; i++)
    for (int k = 0; k < made->codec.num_components; k++)
      if (made->sizes[i].planes[k].size > low[k]) low[k] = made->sizes[i].planes[k].size;
  entropy = pj_entropy_make(&made->codec, low);
  return entropy ? draw_in_order(made, entropy, way) : draw_by_libjpeg(made, 0, way);
}

static void make_sizes(decoder *made, int shrinks) {
  for (int shrink = 8; shrink > 0; shrink /= 2)
    if (shrinks & shrink) pj_size_make(&made->sizes[made->count++], &made->codec, shrink);
}

static int decode(
  const unsigned char *file, size_t count, const pj_info *info, int shrinks, const pj_way *way) {
  decoder *made = shrinks > 0 && shrinks < 16 ? begin(file, count) : NULL;
  if (!made) return -1;
  if (setjmp(made->trap.back)) return end(made, -1);
  /* Rows must be as long as the caller expects. */
  if ((int)made->codec.image_width != info->width || (int)made->codec.image_height != info->height
      || plain_bands(&made->codec) != info->bands)
    return end(made, -1);
  /* libjpeg only reads coefficients. The scale tells it which of them are not needed at 1/8. */
  made->codec.buffered_image = TRUE;
  made->codec.scale_denom = (unsigned)(shrinks & -shrinks);
  pj_coefficients_hold(&made->coefficients, &made->codec);
  jpeg_start_decompress(&made->codec);
  make_sizes(made, shrinks);
  return end(made, draw_strips(made, way));
}

int pj_decode(
  const unsigned char *file, size_t count, const pj_info *info, int shrinks, int how, pj_take take, void *context) {
  pj_way way = {pj_find_loops(how & PJ_ANYWHERE), take, context, how & PJ_AS_SPECIFIED ? PJ_JFIF : PJ_IMAGEIO};
  return decode(file, count, info, shrinks, &way);
}
