#include <math.h>
#include <string.h>

#include "drawing.h"

static float to_linear(float encoded) {
  if (encoded <= 0.04045f) return encoded / 12.92f;
  return powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static float from_linear(float linear) {
  if (linear <= 0.0031308f) return linear * 12.92f;
  return 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

void pv_prepare_light(pv_light *table) {
  for (int i = 0; i < 256; i++) table->light[i] = to_linear(i / 255.0f);
  for (int i = 0; i <= PV_LIGHT_STEPS; i++) table->encoded[i] = from_linear((float)i / PV_LIGHT_STEPS);
}

static void make_linear(pv_pixel *pixel, const pv_light *table) {
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_to_light(table, pixel->color[i]);
}

static void make_encoded(pv_pixel *pixel, const pv_light *table) {
  for (int i = 0; i < 3; i++) pixel->color[i] = pv_from_light(table, pixel->color[i]);
}

typedef struct {
  pv_light table;
  float light[3];
  float alpha;
} pv_tint_color;

static void tint(pv_pixel *pixel, const void *arguments) {
  const pv_tint_color *t = arguments;
  float under = pixel->alpha * (1 - t->alpha);
  float alpha = t->alpha + under;

  make_linear(pixel, &t->table);
  for (int i = 0; i < 3 && alpha > 0; i++)
    pixel->color[i] = (t->light[i] * t->alpha + pixel->color[i] * under) / alpha;
  pixel->alpha = alpha;
  make_encoded(pixel, &t->table);
}

int pv_tint(pv_image *in, const double color[4], pv_image **out) {
  pv_tint_color arguments;
  pv_prepare_light(&arguments.table);
  for (int i = 0; i < 3; i++) arguments.light[i] = to_linear((float)color[i]);
  arguments.alpha = (float)color[3];
  return pv_paint(in, PV_KEEP_ALPHA, tint, &arguments, out);
}

typedef struct {
  pv_light table;
  float brightness, contrast, saturation, gain;
} pv_controls;

static void control(pv_pixel *pixel, const void *arguments) {
  const pv_controls *c = arguments;
  float grey;

  make_linear(pixel, &c->table);
  grey = pv_luminance(pixel->color);
  for (int i = 0; i < 3; i++) {
    float value = grey + (pixel->color[i] - grey) * c->saturation;
    value = (value - 0.5f) * c->contrast + 0.5f + c->brightness;
    pixel->color[i] = value * c->gain;
  }
  make_encoded(pixel, &c->table);
}

int pv_color_controls(
  pv_image *in, double brightness, double contrast, double saturation, double exposure, pv_image **out) {
  pv_controls arguments;
  pv_prepare_light(&arguments.table);
  arguments.brightness = (float)brightness;
  arguments.contrast = (float)contrast;
  arguments.saturation = (float)saturation;
  arguments.gain = (float)exp2(exposure);
  return pv_paint(in, PV_KEEP_ALPHA, control, &arguments, out);
}

/* Looked up by the root of the luminance, since the curves are steep in the dark. */
enum { SEPIA_STEPS = 4096 };
typedef struct {
  pv_light table;
  float tones[SEPIA_STEPS + 1][3];
  float intensity;
} pv_tones;

/* Core Image's factors and powers, as measured on pictures that it drew. */
static void prepare_tones(pv_tones *t) {
  static const float factors[3] = {1, 0.9897f, 0.9134f}, powers[3] = {0.780f, 1.083f, 1.898f};
  pv_prepare_light(&t->table);
  for (int i = 0; i <= SEPIA_STEPS; i++) {
    float root = (float)i / SEPIA_STEPS;
    for (int j = 0; j < 3; j++) t->tones[i][j] = from_linear(factors[j] * powf(root, 2 * powers[j]));
  }
}

static void tone(pv_pixel *pixel, const void *arguments) {
  const pv_tones *t = arguments;
  float luminance;

  make_linear(pixel, &t->table);
  luminance = pv_luminance(pixel->color);
  const float *full = t->tones[pv_place(sqrtf(luminance), SEPIA_STEPS)];
  if (t->intensity == 1) {
    memcpy(pixel->color, full, sizeof pixel->color);
    return;
  }
  for (int i = 0; i < 3; i++) pixel->color[i] += (to_linear(full[i]) - pixel->color[i]) * t->intensity;
  make_encoded(pixel, &t->table);
}

int pv_sepia(pv_image *in, double intensity, pv_image **out) {
  pv_tones arguments;
  prepare_tones(&arguments);
  arguments.intensity = (float)intensity;
  return pv_paint(in, PV_KEEP_ALPHA, tone, &arguments, out);
}
