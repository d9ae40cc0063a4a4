#include <stdlib.h>

#include "internal.h"

typedef struct {
  struct jpeg_compress_struct codec;
  pj_trap trap;
  unsigned char *file;
  unsigned long count;
} encoder;

static void set_recipe(struct jpeg_compress_struct *codec, const pj_recipe *recipe) {
  jpeg_set_defaults(codec);
  codec->optimize_coding = TRUE;
  jpeg_set_quality(codec, recipe->quality, TRUE);
  jpeg_simple_progression(codec);
  /* Neither segment says anything that a decoder would not take for granted. */
  codec->write_JFIF_header = FALSE;
  if (codec->num_components == 3 && !recipe->halves_chroma)
    codec->comp_info[0].h_samp_factor = codec->comp_info[0].v_samp_factor = 1;
}

static void write_rows(encoder *made, const unsigned char *pixels, int bands) {
  size_t count = (size_t)made->codec.image_width * (size_t)bands;
  while (made->codec.next_scanline < made->codec.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + made->codec.next_scanline * count);
    jpeg_write_scanlines(&made->codec, &row, 1);
  }
  jpeg_finish_compress(&made->codec);
}

int pj_encode_progressive(
  const unsigned char *pixels, int width, int height, int bands, const pj_recipe *recipe, unsigned char **file,
  size_t *count) {
  encoder *made = calloc(1, sizeof *made);

  if (!made) return -1;
  made->codec.err = pj_set_trap(&made->trap);
  if (!setjmp(made->trap.back)) {
    jpeg_create_compress(&made->codec);
    jpeg_mem_dest(&made->codec, &made->file, &made->count);
    made->codec.image_width = (JDIMENSION)width;
    made->codec.image_height = (JDIMENSION)height;
    made->codec.input_components = bands;
    made->codec.in_color_space = bands == 3 ? JCS_RGB : JCS_GRAYSCALE;
    set_recipe(&made->codec, recipe);
    jpeg_start_compress(&made->codec, TRUE);
    if (recipe->profile_count)
      jpeg_write_icc_profile(&made->codec, recipe->profile, (unsigned)recipe->profile_count);
    write_rows(made, pixels, bands);
    *file = made->file;
    *count = made->count;
  }
  /* Half a file is lost: as it grows libjpeg moves it and does not say where. That is only for want of memory. */
  jpeg_destroy_compress(&made->codec);
  free(made);
  return *file ? 0 : -1;
}
