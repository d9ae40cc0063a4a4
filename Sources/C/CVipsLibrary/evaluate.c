#include "internal.h"

/* Pixels are made in the caller's thread. libvips' own sinks hand each strip to another thread and wait for it, which
 * for a small picture takes more time than the work. */

/* Makes all pixels from top to bottom, into `to` or nowhere, in tiles of the size that the last operation asks for: whole
 * rows for loaders, small ones for operations that read beyond them. */
static int make_tiles(VipsImage *in, VipsImage *to) {
  VipsRegion *from = vips_region_new(in), *into = to ? vips_region_new(to) : NULL;
  int width, height, lines, failed = 0;

  vips_get_tile_size(in, &width, &height, &lines);
  /* No less than what loaders decode at once. */
  height = VIPS_MAX(height, 16);
  for (int y = 0; y < in->Ysize && !failed; y += height)
    for (int x = 0; x < in->Xsize && !failed; x += width) {
      VipsRect tile = {x, y, VIPS_MIN(width, in->Xsize - x), VIPS_MIN(height, in->Ysize - y)};
      failed = into ? vips_region_image(into, &tile) || vips_region_prepare_to(from, into, &tile, x, y)
                    : vips_region_prepare(from, &tile);
    }
  g_object_unref(from);
  if (into) g_object_unref(into);
  return failed;
}

int pv_copy_memory(pv_image *handle, pv_image **out) {
  VipsImage *in = pv_in(handle);
  VipsImage *image;

  if (pv_is_held(in)) {
    g_object_ref(in);
    return pv_finish(0, in, out);
  }
  image = vips_image_new_memory();
  if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, in, NULL) || vips_image_write_prepare(image)
      || make_tiles(in, image)) {
    g_object_unref(image);
    return pv_finish(1, NULL, out);
  }
  return pv_finish(0, image, out);
}

int pv_drain(pv_image *in) { return make_tiles(pv_in(in), NULL) ? pv_failure() : PV_OK; }

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
