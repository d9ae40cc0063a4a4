#include <stdlib.h>
#include <string.h>

#include "cdraw_shape.h"
#include "drawing.h"

/* A colour (weighted) that comes over the picture as a mask says, or under a picture that the mask clips. */
typedef struct {
  pd_mask *mask, *clip;
  VipsPel color[4];
  int is_over, is_everywhere;
} pv_layer;

static void set_color(pv_layer *layer, const double *color) {
  for (int i = 0; color && i < 4; i++)
    layer->color[i] = (VipsPel)(255 * color[3] * (i < 3 ? color[i] : 1) + 0.5);
}

/* As much of `top` as the mask lets through onto `under`; both weighted. */
static void lay(const VipsPel top[4], int mask, VipsPel under[4]) {
  int alpha = pd_weigh(top[3], mask), rest = 255 - alpha;
  under[3] = (VipsPel)(alpha + pd_weigh(under[3], rest));
  for (int i = 0; i < 3; i++) {
    int color = pd_weigh(top[i], mask) + pd_weigh(under[i], rest);
    under[i] = (VipsPel)(color < under[3] ? color : under[3]);
  }
}

/* An even number of bands has alpha, fewer than three are grey. */
static void draw_pixel(const pv_layer *l, int mask, const VipsPel *from, int bands, VipsPel *to, int to_bands) {
  VipsPel picture[4], under[4];

  picture[3] = bands % 2 ? 255 : from[bands - 1];
  for (int i = 0; i < 3; i++) picture[i] = pd_weigh(from[bands < 3 ? 0 : i], picture[3]);
  memcpy(under, l->is_over ? picture : l->color, sizeof under);
  lay(l->is_over ? l->color : picture, mask, under);
  for (int i = 0; i < (to_bands < 3 ? 1 : 3); i++) to[i] = pd_unweigh(under[i], under[3]);
  if (to_bands % 2 == 0) to[to_bands - 1] = under[3];
}

static void copy_row(const VipsPel *from, int bands, VipsPel *to, int to_bands, int width) {
  if (bands == to_bands) {
    memcpy(to, from, (size_t)width * bands);
    return;
  }
  for (int x = 0; x < width; x++, from += bands, to += to_bands) {
    for (int i = 0; i < (to_bands < 3 ? 1 : 3); i++) to[i] = from[bands < 3 ? 0 : i];
    if (to_bands % 2 == 0) to[to_bands - 1] = bands % 2 ? 255 : from[bands - 1];
  }
}

static void draw_row(const pv_layer *l, int y, VipsPel *alphas, VipsImage *in, VipsImage *out) {
  const VipsPel *from = VIPS_IMAGE_ADDR(in, 0, y);
  VipsPel *to = VIPS_IMAGE_ADDR(out, 0, y), *clip = alphas + in->Xsize;
  int width = in->Xsize, count;

  memset(alphas, l->is_over ? 0 : 255, (size_t)width);
  memset(clip, 255, (size_t)width);
  count = pd_mask_row(l->mask, y, alphas);
  if (l->clip) pd_mask_row(l->clip, y, clip);
  if (l->is_everywhere) count = width;
  copy_row(from, in->Bands, to, out->Bands, width);
  for (int x = 0; x < width; x++) {
    if (x == count && x < width - count) x = width - count;
    if (x < width)
      draw_pixel(l, pd_weigh(alphas[x], clip[x]), from + x * in->Bands, in->Bands, to + x * out->Bands, out->Bands);
  }
}

static int draw(VipsImage *in, pv_layer *l, int bands, pv_image **out) {
  VipsPel *alphas = malloc(2 * (size_t)in->Xsize);
  int is_ready = alphas && l->mask && in->BandFmt == VIPS_FORMAT_UCHAR && !vips_image_wio_input(in);
  VipsImage *image = is_ready ? pv_new_picture(in->Xsize, in->Ysize, bands) : NULL;

  for (int y = 0; image && y < in->Ysize; y++) draw_row(l, y, alphas, in, image);
  free(alphas);
  pd_mask_free(l->mask);
  pd_mask_free(l->clip);
  return pv_finish(!image, image, out);
}

static int colours(const VipsImage *in, const double *color) { return color || in->Bands > 2 ? 3 : 1; }

int pv_clip_corners(
  pv_image *handle, int is_continuous, double inset, const double radii[4], const double *background,
  pv_image **out) {
  VipsImage *in = pv_in(handle);
  pd_outline outline = {is_continuous ? PD_CONTINUOUS : PD_ARCS, inset, {0}, 0};
  int has_alpha = vips_image_hasalpha(in) || inset > 0;
  pv_layer layer = {.is_everywhere = background && vips_image_hasalpha(in)};

  for (int i = 0; i < 4; i++) has_alpha |= (outline.radii[i] = radii[i]) > 0;
  if (background && background[3] >= 1) has_alpha = 0;
  set_color(&layer, background);
  layer.mask = pd_mask_new(in->Xsize, in->Ysize, &outline);
  return draw(in, &layer, colours(in, background) + has_alpha, out);
}

int pv_edge_line(
  pv_image *handle, int is_continuous, double inset, const double radii[4], double width, int is_inside,
  const double color[4], pv_image **out) {
  VipsImage *in = pv_in(handle);
  pd_outline outline = {is_continuous ? PD_CONTINUOUS : PD_ARCS, inset, {0}, 0};
  pv_layer layer = {.is_over = 1};

  memcpy(outline.radii, radii, sizeof outline.radii);
  if (is_inside) layer.clip = pd_mask_new(in->Xsize, in->Ysize, &outline);
  if (width > 0) set_color(&layer, color);
  outline.line = width;
  if (!is_inside || layer.clip) layer.mask = pd_mask_new(in->Xsize, in->Ysize, &outline);
  return draw(in, &layer, colours(in, color) + vips_image_hasalpha(in), out);
}
