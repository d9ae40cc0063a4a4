#include <math.h>

#include "internal.h"

/* Work on colours that are weighted by their alpha: hidden colours must not bleed into visible ones. */
typedef int (*pv_work)(VipsObject *scope, VipsImage *in, VipsImage **out, const void *arguments);

static int weighted(VipsObject *scope, VipsImage *in, VipsImage **out, pv_work work, const void *arguments) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 4);
  int has_alpha = vips_image_hasalpha(in);

  if (has_alpha) {
    if (vips_premultiply(in, &t[0], NULL)) return -1;
    in = t[0];
  }
  if (work(scope, in, &in, arguments)) return -1;
  if (has_alpha) {
    if (vips_unpremultiply(in, &t[1], NULL)) return -1;
    in = t[1];
  }
  if (in->BandFmt != VIPS_FORMAT_UCHAR) {
    /* vips_cast cuts fractions off, so they are rounded before. */
    if (vips_round(in, &t[2], VIPS_OPERATION_ROUND_RINT, NULL)) return -1;
    if (vips_cast(t[2], &t[3], VIPS_FORMAT_UCHAR, NULL)) return -1;
    in = t[3];
  }
  *out = in;
  return 0;
}

static int run(pv_image *in, pv_image **out, pv_work work, const void *arguments) {
  VipsImage *scope = vips_image_new();
  VipsImage *image = NULL;
  int failed = weighted(VIPS_OBJECT(scope), pv_in(in), &image, work, arguments);
  if (!failed) g_object_ref(image);
  g_object_unref(scope);
  return pv_finish(failed, image, out);
}

/* Enlarging: bicubic, exact to the fraction of a pixel. */
static int enlarge(VipsObject *scope, VipsImage *in, VipsImage **out, const pv_region *r) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 1);
  double sx = r->width / r->region_width;
  double sy = r->height / r->region_height;
  VipsInterpolate *cubic = vips_interpolate_new("bicubic");
  VipsArrayInt *area = vips_array_int_newv(4, 0, 0, r->width, r->height);
  /* Pixel centres lie at halves, libvips counts from the centre of the first one. */
  int failed = vips_affine(
    in, &t[0], sx, 0, 0, sy, "interpolate", cubic, "oarea", area, "odx", (sx - 1) / 2 - r->left * sx, "ody",
    (sy - 1) / 2 - r->top * sy, "extend", VIPS_EXTEND_COPY, "premultiplied", TRUE, NULL);
  vips_area_unref(VIPS_AREA(area));
  g_object_unref(cubic);
  *out = t[0];
  return failed;
}

static int clamp(double value, int low, int high) {
  double rounded = rint(value);
  return rounded < low ? low : rounded > high ? high : (int)rounded;
}

/* The whole pixels nearest to the region. */
static VipsRect whole(const VipsImage *in, const pv_region *r) {
  VipsRect rect;
  rect.left = clamp(r->left, 0, in->Xsize - 1);
  rect.top = clamp(r->top, 0, in->Ysize - 1);
  rect.width = clamp(r->left + r->region_width, rect.left + 1, in->Xsize) - rect.left;
  rect.height = clamp(r->top + r->region_height, rect.top + 1, in->Ysize) - rect.top;
  return rect;
}

static int resample(VipsObject *scope, VipsImage *in, VipsImage **out, const void *arguments) {
  const pv_region *r = arguments;
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 3);
  VipsRect part = whole(in, r);

  if (r->region_width <= r->width && r->region_height <= r->height) return enlarge(scope, in, out, r);
  if (part.width != in->Xsize || part.height != in->Ysize) {
    if (vips_crop(in, &t[0], part.left, part.top, part.width, part.height, NULL)) return -1;
    in = t[0];
  }
  if (vips_resize(
        in, &t[1], (double)r->width / part.width, "vscale", (double)r->height / part.height, NULL))
    return -1;
  *out = t[1];
  if (t[1]->Xsize == r->width && t[1]->Ysize == r->height) return 0;
  /* Rounding inside libvips may end a pixel off. */
  if (vips_embed(t[1], &t[2], 0, 0, r->width, r->height, "extend", VIPS_EXTEND_COPY, NULL)) return -1;
  *out = t[2];
  return 0;
}

int pv_resample(
  pv_image *in, double left, double top, double region_width, double region_height, int width, int height,
  pv_image **out) {
  pv_region region = {left, top, region_width, region_height, width, height};
  VipsRect part = whole(pv_in(in), &region);
  /* At the same size a shift by a fraction of a pixel would only blur. */
  if (part.width == width && part.height == height)
    return pv_crop(in, part.left, part.top, width, height, out);
  if (pv_can_shrink(pv_in(in)) && (region_width > width || region_height > height)) {
    VipsImage *image = pv_shrink(pv_in(in), &region, PV_WHOLE);
    return pv_finish(!image, image, out);
  }
  return run(in, out, resample, &region);
}

int pv_resample_by(
  pv_image *in, double left, double top, double region_width, double region_height, int width, int height, int way,
  pv_image **out) {
  pv_region region = {left, top, region_width, region_height, width, height};
  VipsImage *image = pv_shrink(pv_in(in), &region, (pv_way)way);
  return pv_finish(!image, image, out);
}

typedef struct {
  double cosine, sine;
  int width, height;
} pv_turning;

static int rotate(VipsObject *scope, VipsImage *in, VipsImage **out, const void *arguments) {
  const pv_turning *r = arguments;
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 1);
  VipsInterpolate *cubic = vips_interpolate_new("bicubic");
  VipsArrayInt *area = vips_array_int_newv(4, 0, 0, r->width, r->height);
  double nothing[4] = {0};
  VipsArrayDouble *background = vips_array_double_new(nothing, in->Bands);
  /* libvips counts from the centre of the first pixel, and downwards: what it calls clockwise is the other way here. */
  int failed = vips_affine(
    in, &t[0], r->cosine, r->sine, -r->sine, r->cosine, "interpolate", cubic, "oarea", area, "idx",
    -(in->Xsize - 1) / 2.0, "idy", -(in->Ysize - 1) / 2.0, "odx", (r->width - 1) / 2.0, "ody",
    (r->height - 1) / 2.0, "extend", VIPS_EXTEND_BACKGROUND, "background", background, "premultiplied", TRUE, NULL);
  vips_area_unref(VIPS_AREA(area));
  vips_area_unref(VIPS_AREA(background));
  g_object_unref(cubic);
  *out = t[0];
  return failed;
}

int pv_rotate(pv_image *in, double cosine, double sine, int width, int height, pv_image **out) {
  pv_turning turning = {cosine, sine, width, height};
  return run(in, out, rotate, &turning);
}

int pv_embed(pv_image *handle, int width, int height, pv_image **out) {
  VipsImage *in = pv_in(handle);
  VipsImage *image = NULL;
  double nothing[4] = {0};
  VipsArrayDouble *background = vips_array_double_new(nothing, in->Bands);
  int failed = vips_embed(
    in, &image, (width - in->Xsize) / 2, (height - in->Ysize) / 2, width, height, "extend",
    VIPS_EXTEND_BACKGROUND, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return pv_finish(failed, image, out);
}

int pv_crop(pv_image *in, int left, int top, int width, int height, pv_image **out) {
  VipsImage *image = NULL;
  return pv_finish(vips_crop(pv_in(in), &image, left, top, width, height, NULL), image, out);
}

/* A wider blur is made on a smaller picture: after it there is nothing left that would need more pixels,
 * and its cost no longer grows with it. */
static const double widest_sigma = 4;

static int blur(VipsObject *scope, VipsImage *in, VipsImage **out, const void *arguments) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 4);
  double sigma = *(const double *)arguments;
  double shrink = fmax(1, sigma / widest_sigma);
  pv_region down = {0, 0, in->Xsize, in->Ysize, in->Xsize, in->Ysize};
  pv_region up = down;

  if (shrink > 1) {
    down.width = up.region_width = clamp(in->Xsize / shrink, 1, in->Xsize);
    down.height = up.region_height = clamp(in->Ysize / shrink, 1, in->Ysize);
    sigma = widest_sigma;
    if (resample(scope, in, &in, &down)) return -1;
  }
  /* The defaults cut the bell off where a fifth of it is left, and are wrong by up to six levels. */
  if (vips_gaussblur(in, &t[0], sigma, "min_ampl", 0.005, "precision", VIPS_PRECISION_FLOAT, NULL)) return -1;
  in = t[0];
  if (shrink > 1 && enlarge(scope, in, &in, &up)) return -1;
  *out = in;
  return 0;
}

int pv_blur(pv_image *in, double sigma, pv_image **out) { return run(in, out, blur, &sigma); }
