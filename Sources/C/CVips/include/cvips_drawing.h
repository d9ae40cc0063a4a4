#ifndef PREHEAT_CVIPS_DRAWING_H
#define PREHEAT_CVIPS_DRAWING_H

#include "cvips.h"

/* What the clients' processors draw. All of it works at once, on 8 bit images that are sRGB or grey, and
 * gives one in memory. Colours are RGBA, 0...1, not weighted by alpha; radii are pixels in the order top
 * left, top right, bottom left, bottom right. */

/* Averages of squares of `width` (odd) pixels, `passes` times; outside is like the edge. */
int pv_box_blur(pv_image *in, int width, int passes, pv_image **out);

/* Clips to a shape with round corners, `inset` from the edges: quarter circles or UIKit's continuous curves.
 * `background` (or NULL) shows where the picture does not. */
int pv_clip_corners(
  pv_image *in, int is_continuous, double inset, const double radii[4], const double *background,
  pv_image **out);
/* A line of `width` along the middle of which such a shape's edge goes, over the picture; or its inner half. */
int pv_edge_line(
  pv_image *in, int is_continuous, double inset, const double radii[4], double width, int is_inside,
  const double color[4], pv_image **out);

/* The colour in the picture's shape, the picture over it with `fraction` of its strength. */
int pv_overlay(pv_image *in, const double color[4], double fraction, pv_image **out);
/* `mode` is the raw value of a CGBlendMode, `background` NULL for none. */
int pv_blend(pv_image *in, int mode, double alpha, const double *background, pv_image **out);
/* The colour over the picture, in the same modes. */
int pv_blend_color(pv_image *in, int mode, const double color[4], pv_image **out);

/* In linear light: */
int pv_tint(pv_image *in, const double color[4], pv_image **out);
int pv_color_controls(
  pv_image *in, double brightness, double contrast, double saturation, double exposure, pv_image **out);
/* CISepiaTone, by its intensity. */
int pv_sepia(pv_image *in, double intensity, pv_image **out);

enum pv_filter {
  PV_MONO,
  PV_NOIR,
  PV_TONAL,
  PV_INVERT,
  PV_MONOCHROME,
  PV_MAXIMUM,
  PV_MINIMUM,
  PV_LINEAR_TO_SRGB,
  PV_SRGB_TO_LINEAR
};
int pv_filter(pv_image *in, enum pv_filter filter, pv_image **out);

/* Adds `amount` of what a blur takes away from the lightness. */
int pv_sharpen(pv_image *in, double sigma, double amount, pv_image **out);

#endif
