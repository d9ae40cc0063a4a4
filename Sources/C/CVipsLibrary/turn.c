#include "internal.h"

/* Where the first pixel of the result lies in the source, and the way to the next one along a row and down a column. */
typedef struct {
  const VipsPel *first;
  ptrdiff_t right, down;
} pv_walk;

static pv_walk walk(const VipsImage *in, int orientation) {
  ptrdiff_t pixel = in->Bands, row = pixel * in->Xsize;
  const VipsPel *left = VIPS_IMAGE_ADDR(in, 0, 0), *right = left + row - pixel;
  ptrdiff_t last = row * (in->Ysize - 1);

  switch (orientation) {
  case 2: return (pv_walk){right, -pixel, row};
  case 3: return (pv_walk){right + last, -pixel, -row};
  case 4: return (pv_walk){left + last, pixel, -row};
  case 5: return (pv_walk){left, row, pixel};
  case 6: return (pv_walk){left + last, -row, pixel};
  case 7: return (pv_walk){right + last, -row, -pixel};
  case 8: return (pv_walk){right, row, -pixel};
  default: return (pv_walk){left, pixel, row};
  }
}

static void step(VipsImage *out, pv_walk way) {
  int bands = out->Bands;
  for (int y = 0; y < out->Ysize; y++) {
    const VipsPel *from = way.first + y * way.down;
    VipsPel *to = VIPS_IMAGE_ADDR(out, 0, y);
    for (int x = 0; x < out->Xsize; x++, from += way.right)
      for (int i = 0; i < bands; i++) *to++ = from[i];
  }
}

/* Bytes that are there already are moved at once. */
static int turn_held(VipsImage *in, int orientation, pv_image **out) {
  VipsImage *image = vips_image_new_memory();
  int failed = vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, in, NULL);

  image->Xsize = orientation < 5 ? in->Xsize : in->Ysize;
  image->Ysize = orientation < 5 ? in->Ysize : in->Xsize;
  failed = failed || vips_image_write_prepare(image);
  if (failed) {
    g_object_unref(image);
    return pv_finish(1, NULL, out);
  }
  vips_image_remove(image, VIPS_META_ORIENTATION);
  step(image, walk(in, orientation));
  return pv_finish(0, image, out);
}

int pv_turn(pv_image *handle, int orientation, pv_image **out) {
  VipsImage *in = pv_in(handle);
  VipsImage *tagged = NULL;
  VipsImage *image = NULL;
  int failed;

  if (pv_is_held(in) && in->BandFmt == VIPS_FORMAT_UCHAR && in->Coding == VIPS_CODING_NONE)
    return turn_held(in, orientation, out);
  failed = vips_copy(in, &tagged, NULL);
  if (!failed) {
    vips_image_set_int(tagged, VIPS_META_ORIENTATION, orientation);
    failed = vips_autorot(tagged, &image, NULL);
    g_object_unref(tagged);
  }
  return pv_finish(failed, image, out);
}
