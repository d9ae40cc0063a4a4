#include "internal.h"

static int finish(int failed) { return failed ? pv_failure() : PV_OK; }

/* "strip" is not enough: webpsave of libvips 8.14 makes EXIF anew of the fields that it was taken apart into. */
static VipsImage *bare(VipsImage *in) {
  VipsImage *image = NULL;
  gchar **names;
  if (vips_copy(in, &image, NULL)) return NULL;
  names = vips_image_get_fields(image);
  /* Width, height and the like are no metadata, and stay. */
  for (size_t i = 0; names && names[i]; i++) vips_image_remove(image, names[i]);
  g_strfreev(names);
  return image;
}

int pv_save_jpeg(
  pv_image *in, int quality, int progressive, int optimize, enum pv_chroma chroma, void **bytes,
  size_t *count) {
  VipsForeignSubsample subsample = chroma == PV_CHROMA_HALVED ? VIPS_FOREIGN_SUBSAMPLE_ON
    : chroma == PV_CHROMA_FULL                                ? VIPS_FOREIGN_SUBSAMPLE_OFF
                                                              : VIPS_FOREIGN_SUBSAMPLE_AUTO;
  return finish(vips_jpegsave_buffer(
    pv_in(in), bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", optimize, "interlace",
    progressive, "subsample_mode", subsample, NULL));
}

int pv_save_png(pv_image *in, int compression, int palette, void **bytes, size_t *count) {
  return finish(vips_pngsave_buffer(
    pv_in(in), bytes, count, "compression", compression, "filter",
    palette ? VIPS_FOREIGN_PNG_FILTER_NONE : VIPS_FOREIGN_PNG_FILTER_ALL, "palette", palette, "strip", TRUE,
    NULL));
}

int pv_save_webp(pv_image *in, int quality, int lossless, int effort, void **bytes, size_t *count) {
  VipsImage *image = bare(pv_in(in));
  int status = finish(
    !image
    || vips_webpsave_buffer(
      image, bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "strip", TRUE, NULL));
  if (image) g_object_unref(image);
  return status;
}

int pv_save_heif(pv_image *in, enum pv_codec codec, int quality, void **bytes, size_t *count) {
  /* Eight bits: devices decode more only in part. */
  VipsImage *image = bare(pv_in(in));
  int status = finish(
    !image
    || vips_heifsave_buffer(
      image, bytes, count, "Q", quality, "bitdepth", 8, "compression",
      codec == PV_AV1 ? VIPS_FOREIGN_HEIF_COMPRESSION_AV1 : VIPS_FOREIGN_HEIF_COMPRESSION_HEVC, "strip", TRUE,
      NULL));
  if (image) g_object_unref(image);
  return status;
}

int pv_has_operation(const char *name) { return vips_type_find("VipsOperation", name) != 0; }
