#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void settle_row(const VipsPel *from, VipsPel *to, int width, int bands) {
  if (bands == 4) {
    pd_settle_row(to, from, width);
    return;
  }
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    int alpha = from[bands - 1];
    for (int i = 0; i < bands - 1; i++) to[i] = pd_unweigh(pd_weigh(from[i], alpha), alpha);
    to[bands - 1] = (VipsPel)alpha;
  }
}

VipsImage *pv_new_picture(int width, int height, int bands) {
  VipsInterpretation colours = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  VipsImage *image = vips_image_new_memory();
  vips_image_init_fields(
    image, width, height, bands, VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, colours, 1, 1);
  if (vips_image_write_prepare(image)) {
    g_object_unref(image);
    return NULL;
  }
  return image;
}

int pv_image_new(int width, int height, int bands, pv_image **out, void **pixels) {
  VipsImage *image = pv_new_picture(width, height, bands);
  if (image) *pixels = VIPS_IMAGE_ADDR(image, 0, 0);
  return pv_finish(!image, image, out);
}

static void let_go(VipsImage *image, void *pixels) { free(pixels); }

pv_image *pv_image_of(
  void *pixels, int width, int height, int bands, const void *profile, size_t profile_count) {
  size_t count = (size_t)width * height * bands;
  VipsImage *image = vips_image_new_from_memory(pixels, count, width, height, bands, VIPS_FORMAT_UCHAR);
  if (!image) {
    /* As GLib does where it gets no memory; the supervisor knows the words. */
    fputs("out of memory\n", stderr);
    abort();
  }
  image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  g_signal_connect(image, "postclose", G_CALLBACK(let_go), pixels);
  if (profile_count) vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, profile_count);
  return (pv_image *)image;
}

int pv_settle(pv_image *handle, pv_image **out) {
  VipsImage *in = pv_in(handle);
  VipsImage *image;

  if (!vips_image_hasalpha(in)) return pv_copy_memory(handle, out);
  if (vips_image_wio_input(in)) return pv_failure();
  image = pv_new_picture(in->Xsize, in->Ysize, in->Bands);
  for (int y = 0; image && y < in->Ysize; y++)
    settle_row(VIPS_IMAGE_ADDR(in, 0, y), VIPS_IMAGE_ADDR(image, 0, y), in->Xsize, in->Bands);
  return pv_finish(!image, image, out);
}

int pv_to_pixels(pv_image *handle, void **bytes, size_t *count) {
  VipsImage *in = pv_in(handle);
  int bands, colours, alpha_band;
  VipsPel *to;

  if (vips_image_wio_input(in)) return pv_failure();
  bands = in->Bands;
  colours = bands < 3 ? 1 : 3;
  alpha_band = bands == 2 || bands == 4 ? bands - 1 : -1;
  *count = (size_t)in->Xsize * in->Ysize * 4;
  to = *bytes = g_try_malloc(*count);
  if (!to) return PV_NO_MEMORY;
  for (int y = 0; y < in->Ysize; y++) {
    const VipsPel *from = VIPS_IMAGE_ADDR(in, 0, y);
    for (int x = 0; x < in->Xsize; x++, from += bands, to += 4) {
      int alpha = alpha_band < 0 ? 255 : from[alpha_band];
      for (int i = 0; i < 3; i++) to[i] = pd_weigh(from[colours == 1 ? 0 : i], alpha);
      to[3] = (VipsPel)alpha;
    }
  }
  return PV_OK;
}

int pv_from_pixels(const void *bytes, int width, int height, int channels, pv_image **out) {
  const VipsPel *from = bytes;
  int colours = channels < 3 ? 1 : 3;
  int has_alpha = channels == 2 || channels == 4;
  VipsImage *image = pv_new_picture(width, height, channels);

  for (int y = 0; image && y < height; y++) {
    VipsPel *to = VIPS_IMAGE_ADDR(image, 0, y);
    for (int x = 0; x < width; x++, from += 4, to += channels) {
      for (int i = 0; i < colours; i++) to[i] = has_alpha ? pd_unweigh(from[i], from[3]) : from[i];
      if (has_alpha) to[colours] = from[3];
    }
  }
  return pv_finish(!image, image, out);
}
