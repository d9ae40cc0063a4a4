#include "internal.h"

/* vips_resize gets bytes that are weighted by alpha. */

static int generate(VipsRegion *out, void *sequence, void *in, void *work, gboolean *stop) {
  VipsRegion *region = sequence;
  VipsRect *area = &out->valid;
  if (vips_region_prepare(region, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    pv_change_row(
      VIPS_REGION_ADDR(region, area->left, y), VIPS_REGION_ADDR(out, area->left, y), area->width, out->im->Bands,
      (pv_colour_work)work);
  return 0;
}

/* Every pixel by itself, lazily. */
static int change(VipsImage *in, VipsImage **out, pv_colour_work work) {
  *out = vips_image_new();
  if (vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL)) return -1;
  return vips_image_generate(*out, vips_start_one, generate, vips_stop_one, in, (void *)work);
}

/* Lazy. */
static int scale(VipsObject *scope, VipsImage *in, const pv_scaling *s, VipsImage **out) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 6);
  int leaves_room = s->left > 0 || s->top > 0 || s->left + s->width < s->canvas_width
    || s->top + s->height < s->canvas_height;

  /* libvips keeps rows that it needs again only of what comes row by row; else it makes them six times. */
  if (vips_copy(in, &t[5], NULL)) return -1;
  in = t[5];
  vips_image_set_int(in, VIPS_META_SEQUENTIAL, 1);
  if (leaves_room && in->Bands % 2 == 1) {
    if (vips_addalpha(in, &t[0], NULL)) return -1;
    in = t[0];
  }
  if (in->Bands % 2 == 0) {
    if (change(in, &t[1], pd_weigh)) return -1;
    in = t[1];
  }
  if (vips_resize(in, &t[2], (double)s->width / in->Xsize, "vscale", (double)s->height / in->Ysize, NULL)) return -1;
  if (vips_embed(t[2], &t[3], s->left, s->top, s->canvas_width, s->canvas_height, NULL)) return -1;
  in = t[3];
  if (in->Bands % 2 == 0) {
    if (change(in, &t[4], pd_unweigh)) return -1;
    in = t[4];
  }
  *out = in;
  return 0;
}

int pv_scale(pv_image *in, const pv_scaling *scaling, pv_image **out) {
  VipsImage *scope = vips_image_new(), *image = NULL;
  int status;

  *out = NULL;
  status = scale(VIPS_OBJECT(scope), pv_in(in), scaling, &image) ? pv_failure() : pv_copy_memory((pv_image *)image, out);
  g_object_unref(scope);
  return status;
}
