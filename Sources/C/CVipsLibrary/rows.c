#include "internal.h"

/* Rows that are prepared at once. */
static const int most_rows = 16;

int pv_rows(pv_image *handle, pv_take take, void *context) {
  VipsImage *in = pv_in(handle);
  VipsRegion *region = vips_region_new(in);
  int failed = !region;

  for (int y = 0; !failed && y < in->Ysize; y += most_rows) {
    VipsRect rect = {0, y, in->Xsize, VIPS_MIN(most_rows, in->Ysize - y)};
    failed = vips_region_prepare(region, &rect);
    if (!failed && take(context, VIPS_REGION_ADDR(region, 0, y), VIPS_REGION_LSKIP(region), rect.height)) {
      vips_error("preheat", "%s", "out of memory");
      failed = 1;
    }
  }
  if (region) g_object_unref(region);
  return failed ? pv_failure() : PV_OK;
}

const void *pv_image_profile(pv_image *image, size_t *count) {
  const void *data = NULL;
  *count = 0;
  if (!vips_image_get_typeof(pv_in(image), VIPS_META_ICC_NAME)) return NULL;
  if (vips_image_get_blob(pv_in(image), VIPS_META_ICC_NAME, &data, count)) return NULL;
  return data;
}
