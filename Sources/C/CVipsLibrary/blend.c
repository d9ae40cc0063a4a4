#include <math.h>
#include <string.h>

#include "drawing.h"

/* Blend modes as PDF (ISO 32000-1, 11.3.5) and W3C's Compositing and Blending Level 1 define them, and
 * Quartz's further ones as CGBlendMode documents them. Raw values of CGBlendMode: */
enum {
  NORMAL, MULTIPLY, SCREEN, OVERLAY, DARKEN, LIGHTEN, COLOR_DODGE, COLOR_BURN, SOFT_LIGHT, HARD_LIGHT,
  DIFFERENCE, EXCLUSION, HUE, SATURATION, COLOR, LUMINOSITY,
  CLEAR, COPY, SOURCE_IN, SOURCE_OUT, SOURCE_ATOP, DESTINATION_OVER, DESTINATION_IN, DESTINATION_OUT,
  DESTINATION_ATOP, XOR, PLUS_DARKER, PLUS_LIGHTER
};

static float hard_light(float under, float over) {
  return over <= 0.5f ? under * 2 * over : under + (2 * over - 1) - under * (2 * over - 1);
}

static float soft_light(float under, float over) {
  float root;
  if (over <= 0.5f) return under - (1 - 2 * over) * under * (1 - under);
  root = under <= 0.25f ? ((16 * under - 12) * under + 4) * under : sqrtf(under);
  return under + (2 * over - 1) * (root - under);
}

/* One component of the modes that treat each by itself. */
static float mix(int mode, float under, float over) {
  switch (mode) {
    case MULTIPLY: return under * over;
    case SCREEN: return under + over - under * over;
    case OVERLAY: return hard_light(over, under);
    case DARKEN: return fminf(under, over);
    case LIGHTEN: return fmaxf(under, over);
    case COLOR_DODGE: return under == 0 ? 0 : over >= 1 ? 1 : fminf(1, under / (1 - over));
    case COLOR_BURN: return under >= 1 ? 1 : over <= 0 ? 0 : 1 - fminf(1, (1 - under) / over);
    case SOFT_LIGHT: return soft_light(under, over);
    case HARD_LIGHT: return hard_light(under, over);
    case DIFFERENCE: return fabsf(under - over);
    case EXCLUSION: return under + over - 2 * under * over;
  }
  return over;
}

static float lightness(const float c[3]) { return 0.3f * c[0] + 0.59f * c[1] + 0.11f * c[2]; }
static float least(const float c[3]) { return fminf(c[0], fminf(c[1], c[2])); }
static float most(const float c[3]) { return fmaxf(c[0], fmaxf(c[1], c[2])); }

/* Gives `c` another lightness; what leaves 0...1 is drawn back towards it. */
static void set_lightness(float c[3], float wanted) {
  float shift = wanted - lightness(c), low, high;
  for (int i = 0; i < 3; i++) c[i] += shift;
  low = least(c);
  high = most(c);
  for (int i = 0; i < 3; i++) {
    if (low < 0) c[i] = wanted + (c[i] - wanted) * wanted / (wanted - low);
    if (high > 1) c[i] = wanted + (c[i] - wanted) * (1 - wanted) / (high - wanted);
  }
}

static void set_saturation(float c[3], float wanted) {
  float low = least(c), range = most(c) - low;
  for (int i = 0; i < 3; i++) c[i] = range > 0 ? (c[i] - low) * wanted / range : 0;
}

/* The modes that take hue, saturation and lightness from one side or the other. */
static void mix_all(int mode, const float under[3], const float over[3], float result[3]) {
  memcpy(result, mode == HUE || mode == COLOR ? over : under, 3 * sizeof(float));
  if (mode == HUE) set_saturation(result, most(under) - least(under));
  if (mode == SATURATION) set_saturation(result, most(over) - least(over));
  set_lightness(result, lightness(mode == LUMINOSITY ? over : under));
}

typedef struct {
  int mode;
  float alpha;
  /* Nothing where its alpha is 0. */
  pv_pixel background;
} pv_blending;

/* The pixel's colours become weighted by the result's alpha. */
static void blend_colours(const pv_blending *b, pv_pixel *pixel) {
  const pv_pixel *under = &b->background;
  float both = under->alpha * pixel->alpha, mixed[3];

  if (b->mode >= HUE) mix_all(b->mode, under->color, pixel->color, mixed);
  for (int i = 0; i < 3; i++) {
    if (b->mode < HUE) mixed[i] = mix(b->mode, under->color[i], pixel->color[i]);
    pixel->color[i] = (1 - pixel->alpha) * under->alpha * under->color[i]
      + (1 - under->alpha) * pixel->alpha * pixel->color[i] + both * mixed[i];
  }
  pixel->alpha = under->alpha + pixel->alpha - both;
}

/* How much of the source and of the background stays (Porter and Duff). */
static void shares(int mode, float source, float under, float *of_source, float *of_under) {
  static const unsigned char keeps[] = {
    /* 1: as much of the source as there is background, 2: as there is none; 4 and 8 for the background. */
    [SOURCE_IN] = 1, [SOURCE_OUT] = 2, [SOURCE_ATOP] = 1 | 8, [DESTINATION_OVER] = 2 | 4 | 8,
    [DESTINATION_IN] = 4, [DESTINATION_OUT] = 8, [DESTINATION_ATOP] = 2 | 4, [XOR] = 2 | 8,
    [COPY] = 1 | 2, [CLEAR] = 0, [PLUS_LIGHTER] = 0};
  int k = keeps[mode];
  *of_source = (k & 1 ? under : 0) + (k & 2 ? 1 - under : 0);
  *of_under = (k & 4 ? source : 0) + (k & 8 ? 1 - source : 0);
}

static void compose(const pv_blending *b, pv_pixel *pixel) {
  const pv_pixel *under = &b->background;
  float source = pixel->alpha, of_source, of_under;

  if (b->mode == PLUS_LIGHTER || b->mode == PLUS_DARKER) {
    pixel->alpha = fminf(1, source + under->alpha);
    for (int i = 0; i < 3; i++) {
      float s = pixel->color[i] * source, d = under->color[i] * under->alpha;
      float missing = (source - s) + (under->alpha - d);
      pixel->color[i] = b->mode == PLUS_LIGHTER ? fminf(pixel->alpha, s + d) : fmaxf(0, pixel->alpha - missing);
    }
    return;
  }
  shares(b->mode, source, under->alpha, &of_source, &of_under);
  pixel->alpha = source * of_source + under->alpha * of_under;
  for (int i = 0; i < 3; i++)
    pixel->color[i] = pixel->color[i] * source * of_source + under->color[i] * under->alpha * of_under;
}

static void blend(pv_pixel *pixel, const void *arguments) {
  const pv_blending *b = arguments;
  pixel->alpha *= b->alpha;
  if (b->mode < CLEAR) blend_colours(b, pixel);
  else compose(b, pixel);
  for (int i = 0; i < 3; i++) pixel->color[i] = pixel->alpha > 0 ? pixel->color[i] / pixel->alpha : 0;
}

/* On an opaque background most results are opaque, too; without one, as much as the picture is. */
static enum pv_alpha result_alpha(int mode, double alpha, const double *background) {
  int keeps_background =
    mode < CLEAR || mode == SOURCE_ATOP || mode == DESTINATION_OVER || mode >= PLUS_DARKER;
  if (background && background[3] >= 1 && keeps_background) return PV_WITHOUT_ALPHA;
  int shows_picture = mode < CLEAR || mode == COPY || mode == SOURCE_OUT || mode == DESTINATION_OVER
    || mode == DESTINATION_ATOP || mode >= XOR;
  return alpha >= 1 && !background && shows_picture ? PV_KEEP_ALPHA : PV_WITH_ALPHA;
}

int pv_blend(pv_image *in, int mode, double alpha, const double *background, pv_image **out) {
  pv_blending arguments = {mode, (float)fmin(fmax(alpha, 0), 1), {{0}, 0}};

  *out = NULL;
  if (mode < NORMAL || mode > PLUS_LIGHTER) return PV_FAILED;
  for (int i = 0; background && i < 3; i++) arguments.background.color[i] = (float)background[i];
  if (background) arguments.background.alpha = (float)background[3];
  return pv_paint(in, result_alpha(mode, alpha, background), blend, &arguments, out);
}

/* The other way round: the picture is what the colour comes upon. */
static void blend_color(pv_pixel *pixel, const void *arguments) {
  const pv_blending *fill = arguments;
  pv_blending over = {fill->mode, 1, *pixel};
  *pixel = fill->background;
  blend(pixel, &over);
}

/* An opaque picture stays one where the mode keeps it, or puts an opaque colour in its place. */
static enum pv_alpha filled_alpha(int mode, double alpha) {
  int keeps_picture = mode < CLEAR || mode == SOURCE_ATOP || mode == DESTINATION_OVER || mode >= PLUS_DARKER;
  int is_replaced = mode == COPY || mode == SOURCE_IN || mode == DESTINATION_IN || mode == DESTINATION_ATOP;
  return keeps_picture || (is_replaced && alpha >= 1) ? PV_KEEP_ALPHA : PV_WITH_ALPHA;
}

int pv_blend_color(pv_image *in, int mode, const double color[4], pv_image **out) {
  pv_blending arguments = {mode, 1, {{0}, (float)color[3]}};

  *out = NULL;
  if (mode < NORMAL || mode > PLUS_LIGHTER) return PV_FAILED;
  for (int i = 0; i < 3; i++) arguments.background.color[i] = (float)color[i];
  return pv_paint(in, filled_alpha(mode, color[3]), blend_color, &arguments, out);
}

typedef struct {
  pv_pixel color;
  float fraction;
} pv_overlaying;

static void overlay(pv_pixel *pixel, const void *arguments) {
  const pv_overlaying *o = arguments;
  /* The colour in the picture's shape, then the picture atop of it: alpha is the shape's. */
  float share = pixel->alpha * o->fraction;
  for (int i = 0; i < 3; i++)
    pixel->color[i] = pixel->color[i] * share + o->color.color[i] * (1 - share);
  pixel->alpha *= o->color.alpha;
}

int pv_overlay(pv_image *in, const double color[4], double fraction, pv_image **out) {
  pv_overlaying arguments = {{{0}, (float)color[3]}, (float)fmin(fmax(fraction, 0), 1)};
  for (int i = 0; i < 3; i++) arguments.color.color[i] = (float)color[i];
  return pv_paint(in, color[3] >= 1 ? PV_KEEP_ALPHA : PV_WITH_ALPHA, overlay, &arguments, out);
}
