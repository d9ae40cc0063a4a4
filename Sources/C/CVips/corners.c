#include <math.h>

#include "drawing.h"

typedef struct {
  float centre_x, centre_y, width, height;
  /* Top left, top right, bottom left, bottom right. */
  float radii[4];
  float line;
  pv_pixel color;
  int has_color;
} pv_frame;

static pv_frame frame(pv_image *handle, double inset, const double radii[4], const double *color) {
  VipsImage *in = pv_in(handle);
  double width = in->Xsize - 2 * inset, height = in->Ysize - 2 * inset, largest = fmax(fmin(width, height) / 2, 0);
  pv_frame frame = {
    in->Xsize / 2.0f, in->Ysize / 2.0f, (float)width, (float)height, {0}, 0, {{0}, 0}, color != NULL};

  for (int i = 0; i < 4; i++) frame.radii[i] = (float)fmin(fmax(radii[i], 0), largest);
  for (int i = 0; color && i < 3; i++) frame.color.color[i] = (float)color[i];
  if (color) frame.color.alpha = (float)color[3];
  return frame;
}

/* How far the centre of a pixel lies outside the shape; negative inside. */
static float distance(const pv_frame *f, int x, int y) {
  float from_centre_x = x + 0.5f - f->centre_x, from_centre_y = y + 0.5f - f->centre_y;
  float radius = f->radii[(from_centre_y > 0 ? 2 : 0) + (from_centre_x > 0 ? 1 : 0)];
  float across = fabsf(from_centre_x) - (f->width / 2 - radius);
  float along = fabsf(from_centre_y) - (f->height / 2 - radius);
  if (radius == 0) return fmaxf(across, along);
  return hypotf(fmaxf(across, 0), fmaxf(along, 0)) + fminf(fmaxf(across, along), 0) - radius;
}

/* The part of [from, to] inside the pixel whose centre is at `d`, seen across the edge. */
static float overlap(float d, float from, float to) {
  return fmaxf(0, fminf(d + 0.5f, to) - fmaxf(d - 0.5f, from));
}

/* Lays `top`, counted by `share`, over the pixel. */
static void lay_over(pv_pixel *pixel, const pv_pixel *top, float share) {
  float over = top->alpha * share;
  float under = pixel->alpha * (1 - over);
  float alpha = over + under;

  for (int i = 0; i < 3 && alpha > 0; i++)
    pixel->color[i] = (top->color[i] * over + pixel->color[i] * under) / alpha;
  pixel->alpha = alpha;
}

static void clip(pv_pixel *pixel, int x, int y, const void *arguments) {
  const pv_frame *f = arguments;
  float inside = overlap(distance(f, x, y), -INFINITY, 0);

  if (f->has_color) {
    pv_pixel picture = *pixel;
    *pixel = f->color;
    lay_over(pixel, &picture, inside);
  } else {
    pixel->alpha *= inside;
  }
}

int pv_clip_corners(
  pv_image *in, double inset, const double radii[4], const double *background, pv_image **out) {
  pv_frame arguments = frame(in, inset, radii, background);
  int is_opaque = background && background[3] >= 1, rounds = inset > 0;
  for (int i = 0; i < 4; i++) rounds |= arguments.radii[i] > 0;
  return pv_paint(
    in, is_opaque ? PV_WITHOUT_ALPHA : rounds ? PV_WITH_ALPHA : PV_KEEP_ALPHA, clip, &arguments, out);
}

static void draw_line(pv_pixel *pixel, int x, int y, const void *arguments) {
  const pv_frame *f = arguments;
  lay_over(pixel, &f->color, overlap(distance(f, x, y), -f->line, 0));
}

int pv_edge_line(
  pv_image *in, double inset, const double radii[4], double width, const double color[4], pv_image **out) {
  pv_frame arguments = frame(in, inset, radii, color);
  arguments.line = (float)width;
  return pv_paint(in, PV_KEEP_ALPHA, draw_line, &arguments, out);
}
