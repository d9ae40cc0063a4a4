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

int pv_crop(pv_image *in, int left, int top, int width, int height, pv_image **out) {
  VipsImage *image = NULL;
  return pv_finish(vips_crop(pv_in(in), &image, left, top, width, height, NULL), image, out);
}

/* A wider blur is made on a smaller picture: after it there is nothing left that would need more pixels,
 * and its cost no longer grows with it. */
static const double widest_sigma = 4;

static double side(int length, double shrink) { return fmax(1, rint(length / shrink)); }

/* Bicubic, to exactly the size of `like`. */
static int enlarge(VipsImage *in, VipsImage **out, const VipsImage *like) {
  double sx = (double)like->Xsize / in->Xsize, sy = (double)like->Ysize / in->Ysize;
  VipsInterpolate *cubic = vips_interpolate_new("bicubic");
  VipsArrayInt *area = vips_array_int_newv(4, 0, 0, like->Xsize, like->Ysize);
  /* Pixel centres lie at halves, libvips counts from the centre of the first one. */
  int failed = vips_affine(
    in, out, sx, 0, 0, sy, "interpolate", cubic, "oarea", area, "odx", (sx - 1) / 2, "ody", (sy - 1) / 2, "extend",
    VIPS_EXTEND_COPY, "premultiplied", TRUE, NULL);
  vips_area_unref(VIPS_AREA(area));
  g_object_unref(cubic);
  return failed;
}

/* The next step looks at the neighbours of each pixel, tile by tile. What is not held would be made again for each. */
static int hold(VipsImage *in, VipsImage **out) { return pv_copy_memory((pv_image *)in, (pv_image **)out); }

static int blur(VipsObject *scope, VipsImage *in, VipsImage **out, const void *arguments) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 5), *whole = in;
  double sigma = *(const double *)arguments, shrink = fmax(1, sigma / widest_sigma);

  if (shrink > 1) {
    double across = side(in->Xsize, shrink) / in->Xsize, down = side(in->Ysize, shrink) / in->Ysize;
    if (vips_resize(in, &t[0], across, "vscale", down, NULL) || hold(t[0], &t[1])) return -1;
    in = t[1];
    sigma = widest_sigma;
  }
  /* The defaults cut the bell off where a fifth of it is left, and are wrong by up to six levels. */
  if (vips_gaussblur(in, &t[2], sigma, "min_ampl", 0.005, "precision", VIPS_PRECISION_FLOAT, NULL)) return -1;
  if (shrink > 1 && (hold(t[2], &t[3]) || enlarge(t[3], &t[4], whole))) return -1;
  *out = shrink > 1 ? t[4] : t[2];
  return 0;
}

int pv_blur(pv_image *in, double sigma, pv_image **out) { return run(in, out, blur, &sigma); }
