#include "internal.h"

/* Two by two pixels become one; colours count as much as they can be seen. */
static void halve_seen(const VipsPel *upper, const VipsPel *lower, VipsPel *out, int width, int bands) {
  for (int x = 0; x < width; x++, upper += 2 * bands, lower += 2 * bands, out += bands) {
    const VipsPel *four[4] = {upper, upper + bands, lower, lower + bands};
    unsigned total = 0;

    for (int i = 0; i < 4; i++) total += four[i][bands - 1];
    out[bands - 1] = (VipsPel)((total + 2) / 4);
    for (int band = 0; band < bands - 1; band++) {
      unsigned sum = total / 2;
      for (int i = 0; i < 4; i++) sum += (unsigned)four[i][bands - 1] * four[i][band];
      out[band] = total ? (VipsPel)(sum / total) : 0;
    }
  }
}

/* With bands that the compiler knows. */
#define HALVE(bands) \
  for (int x = 0; x < width; x++) \
    for (int i = 0; i < bands; i++) { \
      int at = 2 * bands * x + i; \
      out[bands * x + i] = (VipsPel)((upper[at] + upper[at + bands] + lower[at] + lower[at + bands] + 2) >> 2); \
    }

static void halve_row(
  const VipsPel *restrict upper, const VipsPel *restrict lower, VipsPel *restrict out, int width, int bands) {
  if (bands == 3) HALVE(3)
  else HALVE(bands)
}

int pv_halve(pv_image *handle, pv_image **out) {
  VipsImage *in = pv_in(handle);
  int width = in->Xsize / 2, height = in->Ysize / 2, bands = in->Bands;
  int alpha = vips_image_hasalpha(in);
  VipsImage *image;

  *out = NULL;
  if (!width || !height || in->BandFmt != VIPS_FORMAT_UCHAR || vips_image_wio_input(in)) return pv_failure();
  image = vips_image_new_memory();
  if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, in, NULL)) {
    g_object_unref(image);
    return pv_failure();
  }
  image->Xsize = width;
  image->Ysize = height;
  if (vips_image_write_prepare(image)) {
    g_object_unref(image);
    return pv_failure();
  }
  for (int y = 0; y < height; y++)
    (alpha ? halve_seen : halve_row)(
      VIPS_IMAGE_ADDR(in, 0, 2 * y), VIPS_IMAGE_ADDR(in, 0, 2 * y + 1), VIPS_IMAGE_ADDR(image, 0, y), width,
      bands);
  return pv_finish(0, image, out);
}
