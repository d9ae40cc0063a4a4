#include "internal.h"

static int finish(int failed) { return failed ? pv_failure() : PV_OK; }

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
  return finish(vips_webpsave_buffer(
    pv_in(in), bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "strip", TRUE, NULL));
}

int pv_save_heif(pv_image *in, enum pv_codec codec, int quality, void **bytes, size_t *count) {
  /* Eight bits: devices decode more only in part. */
  return finish(vips_heifsave_buffer(
    pv_in(in), bytes, count, "Q", quality, "bitdepth", 8, "compression",
    codec == PV_AV1 ? VIPS_FOREIGN_HEIF_COMPRESSION_AV1 : VIPS_FOREIGN_HEIF_COMPRESSION_HEVC, "strip", TRUE,
    NULL));
}

int pv_has_operation(const char *name) { return vips_type_find("VipsOperation", name) != 0; }
