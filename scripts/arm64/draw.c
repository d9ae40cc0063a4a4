/* Draws and encodes made-up pictures in many ways and prints a sum of each result's bytes. */
#pragma STDC FP_CONTRACT OFF

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cdraw.h"
#include "cdraw_shape.h"
#include "cjpeg.h"
#include "encoding.h"

static uint64_t sum(uint64_t sum, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

static int draw(int width, int height, int bands, const pd_layout *layout) {
  size_t count = (size_t)width * height * bands, drawn = (size_t)layout->canvas_width * layout->canvas_height * bands;
  unsigned char *picture = malloc(count), *canvas = calloc(drawn, 1);
  pd_pass *pass = pd_pass_new(width, height, bands);
  unsigned state = 1;
  int failed = !picture || !canvas || !pass || pd_pass_add(pass, layout, canvas, bands);

  for (size_t i = 0; !failed && i < count; i++) picture[i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 24);
  failed = failed || pd_pass_rows(pass, picture, (size_t)width * bands, height);
  if (!failed)
    printf("%d x %d, %d: %016" PRIx64 "\n", width, height, bands, sum(14695981039346656037u, canvas, drawn));
  pd_pass_free(pass);
  free(picture);
  free(canvas);
  return failed;
}

static int mask(double radius, double line, int is_continuous) {
  unsigned char row[97];
  uint64_t all = 14695981039346656037u;
  pd_outline outline = {is_continuous ? PD_CONTINUOUS : PD_ARCS, line, {radius, radius, radius, radius}, line};
  pd_mask *made = pd_mask_new(97, 61, &outline);

  for (int y = 0; made && y < 61; y++) {
    for (int x = 0; x < 97; x++) row[x] = 255;
    pd_mask_row(made, y, row);
    all = sum(all, row, sizeof row);
  }
  printf("radius %g, line %g: %016" PRIx64 "\n", radius, line, all);
  pd_mask_free(made);
  return !made;
}

/* Without libjpeg there are no progressive files. */
int pj_encode_progressive(
  const unsigned char *pixels, int width, int height, int bands, const pj_recipe *recipe, unsigned char **file,
  size_t *count) {
  (void)pixels, (void)width, (void)height, (void)bands, (void)recipe, (void)file, (void)count;
  return -1;
}

static int encode(int width, int height, int bands, const pj_recipe *recipe) {
  size_t size = (size_t)width * height * bands, count;
  unsigned char *picture = malloc(size), *file = NULL;
  unsigned state = 1;

  for (size_t i = 0; picture && i < size; i++)
    picture[i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 25) + (unsigned char)(i / 3 % 128);
  if (picture && !pj_encode(picture, width, height, bands, recipe, &file, &count))
    printf("JPEG of %d x %d, %d: %016" PRIx64 "\n", width, height, bands, sum(14695981039346656037u, file, count));
  free(picture);
  if (!file) return 1;
  pj_free(file);
  return 0;
}

int main(void) {
  int failed = 0;
  for (int bands = 1; bands <= 4; bands++)
    for (int i = 1; i < 40; i++) {
      pd_layout layout = {-i / 3.0, i / 7.0, 9 + 5.3 * i, 7 + 3.7 * i, 11 + 4 * i, 9 + 4 * i, i % 4 == 0};
      failed = failed || draw(150 + i, 90 + 2 * i, bands, &layout);
    }
  for (int i = 1; i < 60; i++) {
    pj_recipe recipe = {i * 5 % 101, 0, i % 7 > 0, i % 2, NULL, 0};
    failed = failed || encode(i * 3, 200 - 3 * i, i % 3 ? 3 : 1, &recipe);
  }
  for (int i = 0; i < 30; i++) failed = failed || mask(i * 1.1, i % 5 * 0.7, i % 2);
  return failed;
}
