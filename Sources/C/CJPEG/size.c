#include <string.h>

#include "internal.h"

/* Space before and after each row: the loops read and write there. */
static const size_t margin = 32;

static size_t padded(size_t count) { return (count + 15) / 16 * 16 + margin; }

static int at_least_one(int count) { return count > 0 ? count : 1; }

static unsigned char *rows_of(j_decompress_ptr codec, size_t stride, int rows) {
  return codec->mem->alloc_large((j_common_ptr)codec, JPOOL_IMAGE, stride * (size_t)rows);
}

/* Chroma gets larger blocks instead of upsampling where both directions allow it. */
static void make_plane(pj_plane *plane, j_decompress_ptr codec, const jpeg_component_info *part, int size) {
  int across = codec->max_h_samp_factor / part->h_samp_factor, down = codec->max_v_samp_factor / part->v_samp_factor;
  while (size < DCTSIZE && across % 2 == 0 && down % 2 == 0) {
    size *= 2;
    across /= 2;
    down /= 2;
  }
  plane->size = size;
  plane->across = across;
  plane->down = down;
  plane->stride = margin + padded((size_t)part->width_in_blocks * (size_t)size);
  plane->pixels = rows_of(codec, plane->stride, part->v_samp_factor * size) + margin;
}

void pj_size_make(pj_size *size, j_decompress_ptr codec, int shrink) {
  size_t width;
  size->shrink = shrink;
  size->width = at_least_one((int)codec->image_width / shrink);
  size->height = at_least_one((int)codec->image_height / shrink);
  size->rows = codec->max_v_samp_factor * DCTSIZE / shrink;
  for (int i = 0; i < codec->num_components; i++)
    make_plane(&size->planes[i], codec, &codec->comp_info[i], DCTSIZE / shrink);
  width = padded((size_t)size->width);
  if (codec->num_components == 1) return;
  for (int i = 0; i < 3; i++) size->wide[i] = rows_of(codec, width, 1);
  size->pixels = rows_of(codec, 3 * width, 1);
}

/* sqrt(2) cos(i pi / 16), and 1 for 0: the factors of eight points that the inverse DCT of loops.c leaves out. Four
 * points have every second one, two have the first. */
static const double factors[] = {1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379};

static void make_table(pj_plane *plane, const JQUANT_TBL *steps) {
  memset(plane->table, 0, sizeof plane->table);
  /* A component that no scan has mentioned. */
  if (!steps) return;
  for (int y = 0; y < plane->size; y++)
    for (int x = 0; x < plane->size; x++) {
      int step = plane->size > 2 ? DCTSIZE / plane->size : 0, at = y * DCTSIZE + x;
      plane->table[at] = (float)(steps->quantval[at] * (factors[y * step] * factors[x * step]) / 8);
    }
}

void pj_size_begin(pj_size *size, j_decompress_ptr codec) {
  for (int i = 0; i < codec->num_components; i++) make_table(&size->planes[i], codec->comp_info[i].quant_table);
}

static void draw_plane(
  const pj_plane *plane, const jpeg_component_info *part, JBLOCKARRAY blocks, const pj_loops *loops) {
  unsigned char *to = plane->pixels;
  for (int i = 0; i < part->v_samp_factor; i++, to += plane->stride * (size_t)plane->size)
    loops->draw_blocks(
      to, plane->stride, (const JBLOCK *)blocks[i], part->width_in_blocks, plane->size, plane->table);
}

/* A row of a component at the width of the picture: its own row, or `wide`. */
static unsigned char *widened(
  const pj_plane *plane, int row, int width, unsigned char *wide, const pj_loops *loops) {
  int at = row / plane->down, neighbour = row % 2 ? at + 1 : at - 1;
  size_t count = ((size_t)width + 1) / 2;
  unsigned char *from = plane->pixels + plane->stride * (size_t)at;

  if (plane->across == 1) return from;
  if (plane->across == 2 && plane->down == 2) {
    int is_inside = neighbour >= 0 && neighbour / DCTSIZE == at / DCTSIZE;
    loops->widen_blocks(wide, from, is_inside ? plane->pixels + plane->stride * (size_t)neighbour : from, count);
  } else if (plane->across == 2 && plane->down == 1) {
    /* The triangle filter repeats the edges of the picture. */
    from[-1] = from[0];
    from[count] = from[count - 1];
    loops->widen_row(wide, from, count);
  } else {
    for (int x = 0; x < width; x++) wide[x] = from[x / plane->across];
  }
  return wide;
}

int pj_size_draw(
  const pj_size *size, j_decompress_ptr codec, JBLOCKARRAY const blocks[3], int strip, const pj_way *way) {
  int bands = codec->num_components;
  enum pj_colours colours = codec->jpeg_color_space == JCS_RGB ? PJ_RGB : way->colours;
  int left = size->height - strip * size->rows, rows = left < size->rows ? left : size->rows;
  const pj_plane *planes = size->planes;

  if (rows <= 0) return 0;
  for (int i = 0; i < bands; i++) draw_plane(&planes[i], &codec->comp_info[i], blocks[i], way->loops);
  if (bands == 1) return way->take(way->context, size->shrink, planes[0].pixels, planes[0].stride, rows);
  /* One row at a time stays in the processor's first cache. */
  for (int y = 0; y < rows; y++) {
    unsigned char *from[3];
    for (int i = 0; i < 3; i++) from[i] = widened(&planes[i], y, size->width, size->wide[i], way->loops);
    way->loops->mix(size->pixels, from, (size_t)size->width, colours);
    if (way->take(way->context, size->shrink, size->pixels, 3 * (size_t)size->width, 1)) return -1;
  }
  return 0;
}
