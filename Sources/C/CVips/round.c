#include <math.h>

#include "internal.h"

typedef struct {
  double width, height, radius, border;
  const double *rgba;
} pv_shape;

/* How far the centre of a pixel lies outside the rounded rectangle; negative inside. */
static double distance(const pv_shape *s, int x, int y) {
  double across = fabs(x + 0.5 - s->width / 2) - (s->width / 2 - s->radius);
  double along = fabs(y + 0.5 - s->height / 2) - (s->height / 2 - s->radius);
  return hypot(fmax(across, 0), fmax(along, 0)) + fmin(fmax(across, along), 0) - s->radius;
}

/* The part of [from, to] inside the pixel whose centre is at `d`, seen across the edge. */
static double overlap(double d, double from, double to) {
  return fmax(0, fmin(d + 0.5, to) - fmax(d - 0.5, from));
}

static VipsPel byte(double value) { return (VipsPel)(fmin(fmax(value, 0), 255) + 0.5); }

static void paint(VipsPel *pixel, int bands, const pv_shape *s, double d) {
  double inside = overlap(d, -INFINITY, 0);
  double alpha = pixel[bands - 1] / 255.0;

  if (s->rgba && inside > 0) {
    double share = overlap(d, -s->border / 2, 0) / inside * s->rgba[3];
    double under = alpha * (1 - share);
    alpha = under + share;
    for (int i = 0; i < 3 && alpha > 0; i++)
      pixel[i] = byte((pixel[i] * under + 255 * s->rgba[i] * share) / alpha);
  }
  pixel[bands - 1] = byte(255 * alpha * inside);
}

static void paint_all(VipsImage *image, const pv_shape *s) {
  int width = image->Xsize, height = image->Ysize, bands = image->Bands;
  /* Farther in than this nothing changes. */
  int margin = (int)fmin(ceil(fmax(s->radius, s->border / 2)) + 1, 1e6);

  for (int y = 0; y < height; y++) {
    int whole_row = y < margin || y >= height - margin || 2 * margin >= width;
    for (int x = 0; x < width; x++) {
      if (!whole_row && x == margin) x = width - margin;
      paint(VIPS_IMAGE_ADDR(image, x, y), bands, s, distance(s, x, y));
    }
  }
}

/* A copy in memory of our own, with alpha, and with colours if there is a border to be painted. */
static VipsImage *canvas(VipsObject *scope, VipsImage *in, int coloured) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 2);
  VipsImage *memory;

  if (coloured && in->Bands < 3) {
    if (vips_colourspace(in, &t[0], VIPS_INTERPRETATION_sRGB, NULL)) return NULL;
    in = t[0];
  }
  if (!vips_image_hasalpha(in)) {
    if (vips_addalpha(in, &t[1], NULL)) return NULL;
    in = t[1];
  }
  memory = vips_image_new_memory();
  if (vips_image_write(in, memory)) {
    g_object_unref(memory);
    return NULL;
  }
  return memory;
}

int pv_round(pv_image *in, double radius, double border_width, const double rgba[4], pv_image **out) {
  VipsImage *source = pv_in(in);
  double largest = fmin(source->Xsize, source->Ysize) / 2.0;
  int has_border = rgba && border_width > 0;
  pv_shape shape = {
    source->Xsize, source->Ysize, fmin(fmax(radius, 0), largest), border_width, has_border ? rgba : NULL};
  VipsImage *scope = vips_image_new();
  VipsImage *image = canvas(VIPS_OBJECT(scope), source, has_border);

  g_object_unref(scope);
  if (image) paint_all(image, &shape);
  return pv_finish(!image, image, out);
}
