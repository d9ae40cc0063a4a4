#include <math.h>

#include "drawing.h"

/* The luma of encoded colours, with the weights of their luminance. */
static void set_grey(pv_pixel *pixel, float value) {
  for (int i = 0; i < 3; i++) pixel->color[i] = value;
}

static void tonal(pv_pixel *pixel, const void *table) {
  set_grey(pixel, pv_luminance(pixel->color));
}

/* Softer than grey: the ends move in by a twentieth. */
static void mono(pv_pixel *pixel, const void *table) {
  set_grey(pixel, 0.05f + 0.9f * pv_luminance(pixel->color));
}

/* Harder than grey: an S of which one half is curve and one half the straight line. */
static void noir(pv_pixel *pixel, const void *table) {
  float grey = pv_luminance(pixel->color);
  set_grey(pixel, 0.5f * grey + 0.5f * grey * grey * (3 - 2 * grey));
}

static void invert(pv_pixel *pixel, const void *table) {
  for (int i = 0; i < 3; i++)
    pixel->color[i] = pv_from_light(table, 1 - pv_to_light(table, pixel->color[i]));
}

/* The default colour of CIColorMonochrome, 0.6, 0.45, 0.3, in whole levels. */
static void monochrome(pv_pixel *pixel, const void *table) {
  static const int levels[3] = {153, 115, 77};
  const pv_light *light = table;
  float luminance;
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_to_light(light, pixel->color[i]);
  luminance = pv_luminance(pixel->color);
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_from_light(light, luminance * light->light[levels[i]]);
}

static void maximum(pv_pixel *pixel, const void *table) {
  set_grey(pixel, fmaxf(pixel->color[0], fmaxf(pixel->color[1], pixel->color[2])));
}

static void minimum(pv_pixel *pixel, const void *table) {
  set_grey(pixel, fminf(pixel->color[0], fminf(pixel->color[1], pixel->color[2])));
}

/* Both curves work on light, which is then encoded as ever. */
static void linear_to_srgb(pv_pixel *pixel, const void *table) {
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_from_light(table, pixel->color[i]);
}

static void srgb_to_linear(pv_pixel *pixel, const void *table) {
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_to_light(table, pixel->color[i]);
}

int pv_filter(pv_image *in, enum pv_filter filter, pv_image **out) {
  pv_pixel_work work = NULL;
  pv_light table;
  switch (filter) {
    case PV_MONO: work = mono; break;
    case PV_NOIR: work = noir; break;
    case PV_TONAL: work = tonal; break;
    case PV_INVERT: work = invert; break;
    case PV_MONOCHROME: work = monochrome; break;
    case PV_MAXIMUM: work = maximum; break;
    case PV_MINIMUM: work = minimum; break;
    case PV_LINEAR_TO_SRGB: work = linear_to_srgb; break;
    case PV_SRGB_TO_LINEAR: work = srgb_to_linear; break;
  }
  *out = NULL;
  if (!work) return PV_FAILED;
  pv_prepare_light(&table);
  return pv_paint(in, PV_KEEP_ALPHA, work, &table, out);
}

int pv_sharpen(pv_image *in, double sigma, double amount, pv_image **out) {
  VipsImage *image = NULL;
  /* Neither a threshold nor a limit: Core Image has none. */
  int failed = vips_sharpen(
    pv_in(in), &image, "sigma", sigma, "x1", 0.0, "y2", 100.0, "y3", 100.0, "m1", amount, "m2", amount, NULL);
  return pv_finish(failed, image, out);
}
