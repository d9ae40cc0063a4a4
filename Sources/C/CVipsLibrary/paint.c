#include <math.h>

#include "drawing.h"

static VipsPel byte(float value) { return (VipsPel)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f); }

static pv_pixel read_pixel(const VipsPel *from, int bands) {
  int colours = bands < 3 ? 1 : 3;
  pv_pixel pixel;
  for (int i = 0; i < 3; i++) pixel.color[i] = from[colours == 1 ? 0 : i] / 255.0f;
  pixel.alpha = bands == colours ? 1 : from[colours] / 255.0f;
  return pixel;
}

int pv_paint(pv_image *handle, enum pv_alpha alpha, pv_pixel_work work, const void *arguments, pv_image **out) {
  VipsImage *in = pv_in(handle);
  int has_alpha = alpha == PV_WITH_ALPHA || (alpha == PV_KEEP_ALPHA && vips_image_hasalpha(in));
  int bands = has_alpha ? 4 : 3;
  VipsImage *image;

  *out = NULL;
  if (vips_image_wio_input(in)) return pv_failure();
  image = pv_new_picture(in->Xsize, in->Ysize, bands);
  for (int y = 0; image && y < in->Ysize; y++) {
    const VipsPel *from = VIPS_IMAGE_ADDR(in, 0, y);
    VipsPel *to = VIPS_IMAGE_ADDR(image, 0, y);
    for (int x = 0; x < in->Xsize; x++, from += in->Bands, to += bands) {
      pv_pixel pixel = read_pixel(from, in->Bands);
      work(&pixel, arguments);
      for (int i = 0; i < 3; i++) to[i] = byte(pixel.color[i]);
      if (has_alpha) to[3] = byte(pixel.alpha);
    }
  }
  return pv_finish(!image, image, out);
}
