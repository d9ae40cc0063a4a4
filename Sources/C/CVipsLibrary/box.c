#include <stdint.h>
#include <string.h>

#include "drawing.h"

typedef struct {
  int width, height, bands, reach;
} pv_box;

static int inside(int position, int size) { return position < 0 ? 0 : position >= size ? size - 1 : position; }

/* Adds a row to the sums of columns, or takes it away. */
static void add_row(const pv_box *box, const VipsPel *from, int y, int sign, uint32_t *columns) {
  int count = box->width * box->bands;
  const VipsPel *row = from + (size_t)inside(y, box->height) * count;
  for (int i = 0; i < count; i++) columns[i] += (uint32_t)(sign * row[i]);
}

/* Averages along a row of sums. A box of 2901 times 2901 bytes still fits 32 bits. */
static void average_row(const pv_box *box, const uint32_t *columns, VipsPel *row) {
  int side = 2 * box->reach + 1;
  double weight = 1.0 / ((double)side * side);

  for (int band = 0; band < box->bands; band++) {
    uint32_t sum = 0;
    for (int x = -box->reach; x <= box->reach; x++)
      sum += columns[inside(x, box->width) * box->bands + band];
    for (int x = 0; x < box->width; x++) {
      row[x * box->bands + band] = (VipsPel)(sum * weight + 0.5);
      sum += columns[inside(x + box->reach + 1, box->width) * box->bands + band];
      sum -= columns[inside(x - box->reach, box->width) * box->bands + band];
    }
  }
}

static void average(const pv_box *box, const VipsPel *from, VipsPel *to, uint32_t *columns) {
  size_t count = (size_t)box->width * box->bands;

  memset(columns, 0, count * sizeof(uint32_t));
  for (int y = -box->reach; y <= box->reach; y++) add_row(box, from, y, 1, columns);
  for (int y = 0; y < box->height; y++) {
    average_row(box, columns, to + y * count);
    add_row(box, from, y + box->reach + 1, 1, columns);
    add_row(box, from, y - box->reach, -1, columns);
  }
}

/* In place. */
static void change_colours(VipsImage *image, pv_colour_work work) {
  for (int y = 0; y < image->Ysize; y++) {
    VipsPel *row = VIPS_IMAGE_ADDR(image, 0, y);
    pv_change_row(row, row, image->Xsize, image->Bands, work);
  }
}

int pv_box_blur(pv_image *handle, int width, int passes, pv_image **out) {
  VipsImage *in = pv_in(handle);
  int has_alpha = vips_image_hasalpha(in);
  pv_box box = {in->Xsize, in->Ysize, in->Bands, width / 2};
  size_t size = (size_t)in->Xsize * in->Ysize * in->Bands;
  VipsImage *image;
  VipsPel *other;
  uint32_t *columns;

  *out = NULL;
  if (vips_image_wio_input(in)) return pv_failure();
  image = pv_new_picture(in->Xsize, in->Ysize, in->Bands);
  other = g_try_malloc(size);
  columns = g_try_malloc_n((size_t)in->Xsize * in->Bands, sizeof(uint32_t));
  if (image && other && columns) {
    VipsPel *pixels = VIPS_IMAGE_ADDR(image, 0, 0);
    memcpy(pixels, VIPS_IMAGE_ADDR(in, 0, 0), size);
    if (has_alpha) change_colours(image, pd_weigh);
    for (int pass = 0; pass < passes; pass++) {
      average(&box, pixels, other, columns);
      memcpy(pixels, other, size);
    }
    if (has_alpha) change_colours(image, pd_unweigh);
    *out = (pv_image *)image;
  } else if (image) {
    g_object_unref(image);
  }
  g_free(columns);
  g_free(other);
  return *out ? PV_OK : PV_NO_MEMORY;
}
