#include <math.h>
#include <pthread.h>
#include <stdint.h>

#include "internal.h"

/* vips_resize gets numbers that are weighted by alpha: bytes, and light of 16 bits, where a level of the darkest bytes is 19
 * wide. */
enum { most = 65535, opaque = most / 255 };

static struct {
  uint16_t light[256];
  VipsPel level[most + 1];
} tables;

static void make_tables(void) {
  for (int i = 0; i < 256; i++) {
    double level = i / 255.0;
    tables.light[i] = (uint16_t)lrint(most * (level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)));
  }
  for (int i = 0; i <= most; i++) {
    double light = (double)i / most;
    tables.level[i] = (VipsPel)lrint(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055));
  }
}

/* Changes a row of pixels. */
typedef void (*pv_row_work)(const VipsPel *from, VipsPel *to, int width, int bands);

static void weigh(const VipsPel *from, VipsPel *to, int width, int bands) {
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    int alpha = from[bands - 1];
    for (int i = 0; i < bands - 1; i++) to[i] = pd_weigh(from[i], alpha);
    to[bands - 1] = (VipsPel)alpha;
  }
}

static void unweigh(const VipsPel *from, VipsPel *to, int width, int bands) {
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    int alpha = from[bands - 1];
    for (int i = 0; i < bands - 1; i++) to[i] = pd_unweigh(from[i], alpha);
    to[bands - 1] = (VipsPel)alpha;
  }
}

static void to_light(const VipsPel *from, VipsPel *row, int width, int bands) {
  uint16_t *to = (uint16_t *)row;
  int has_alpha = bands % 2 == 0;
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    unsigned alpha = has_alpha ? from[bands - 1] : 255;
    for (int i = 0; i < bands; i++) to[i] = (uint16_t)((tables.light[from[i]] * alpha + 127) / 255);
    if (has_alpha) to[bands - 1] = (uint16_t)(alpha * opaque);
  }
}

static void from_light(const VipsPel *row, VipsPel *to, int width, int bands) {
  const uint16_t *from = (const uint16_t *)row;
  int has_alpha = bands % 2 == 0;
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    uint64_t alpha = has_alpha ? from[bands - 1] : most;
    for (int i = 0; i < bands; i++) {
      uint64_t light = alpha ? (from[i] * (uint64_t)most + alpha / 2) / alpha : 0;
      to[i] = tables.level[VIPS_MIN(light, most)];
    }
    if (has_alpha) to[bands - 1] = (VipsPel)((alpha + opaque / 2) / opaque);
  }
}

static int generate(VipsRegion *out, void *sequence, void *in, void *work, gboolean *stop) {
  VipsRegion *region = sequence;
  VipsRect *area = &out->valid;
  if (vips_region_prepare(region, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    ((pv_row_work)work)(
      VIPS_REGION_ADDR(region, area->left, y), VIPS_REGION_ADDR(out, area->left, y), area->width, out->im->Bands);
  return 0;
}

/* Every pixel by itself, lazily. */
static int change(VipsImage *in, VipsImage **out, VipsBandFormat format, pv_row_work work) {
  *out = vips_image_new();
  if (vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL)) return -1;
  (*out)->BandFmt = format;
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
  if (s->is_linear || in->Bands % 2 == 0) {
    VipsBandFormat format = s->is_linear ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
    if (change(in, &t[1], format, s->is_linear ? to_light : weigh)) return -1;
    in = t[1];
  }
  if (vips_resize(in, &t[2], (double)s->width / in->Xsize, "vscale", (double)s->height / in->Ysize, NULL)) return -1;
  if (vips_embed(t[2], &t[3], s->left, s->top, s->canvas_width, s->canvas_height, NULL)) return -1;
  in = t[3];
  if (s->is_linear || in->Bands % 2 == 0) {
    if (change(in, &t[4], VIPS_FORMAT_UCHAR, s->is_linear ? from_light : unweigh)) return -1;
    in = t[4];
  }
  *out = in;
  return 0;
}

int pv_scale(pv_image *in, const pv_scaling *scaling, pv_image **out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  VipsImage *scope = vips_image_new(), *image = NULL;
  int status;

  pthread_once(&once, make_tables);
  *out = NULL;
  status = scale(VIPS_OBJECT(scope), pv_in(in), scaling, &image) ? pv_failure() : pv_copy_memory((pv_image *)image, out);
  g_object_unref(scope);
  return status;
}
