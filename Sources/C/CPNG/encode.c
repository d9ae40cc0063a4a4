#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void put32(unsigned char *to, uint32_t number) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* Each loop reads what was there before the filter, so that compilers make it wide. */

/* Numbers of 16 bits hold all of it, and twice as many fit into a register. */
static short distance(short from, short to) { return (short)(from < to ? to - from : from - to); }

static unsigned char nearest(short left, short above, short corner) {
  short to_left = distance(above, corner), to_above = distance(left, corner);
  short to_corner = distance((short)(left + above), (short)(2 * corner));
  short other = to_above <= to_corner ? above : corner;
  return (unsigned char)(((to_left <= to_above) & (to_left <= to_corner)) ? left : other);
}

static void apply(
  int filter, const unsigned char *restrict from, const unsigned char *restrict above, size_t count, size_t bands,
  unsigned char *restrict to) {
  const unsigned char *left = from - bands, *corner = above - bands;
  switch (filter) {
  case none: memcpy(to, from, count); break;
  case sub:
    for (size_t i = 0; i < count; i++) to[i] = (unsigned char)(from[i] - left[i]);
    break;
  case up:
    for (size_t i = 0; i < count; i++) to[i] = (unsigned char)(from[i] - above[i]);
    break;
  case average:
    for (size_t i = 0; i < count; i++) to[i] = (unsigned char)(from[i] - ((left[i] + above[i]) >> 1));
    break;
  default:
    for (size_t i = 0; i < count; i++)
      to[i] = (unsigned char)(from[i] - nearest(left[i], above[i], corner[i]));
  }
}

/* How far the bytes are from zero, as signed numbers: what is small compresses well. */
static size_t weight(const unsigned char *bytes, size_t count) {
  size_t sum = 0;
  while (count > 0) {
    /* The sum of this number of bytes fits into 16 bits. */
    size_t part = count < 256 ? count : 256;
    unsigned short partial = 0;
    for (size_t i = 0; i < part; i++) {
      unsigned char positive = (unsigned char)-bytes[i];
      partial = (unsigned short)(partial + (bytes[i] < positive ? bytes[i] : positive));
    }
    sum += partial;
    bytes += part;
    count -= part;
  }
  return sum;
}

/* Writes a row with its filter's number before it, `count` bytes of pixels and one.
 *
 * - above: the row before, or zeros; `from` and `above` have `bands` zeros before their first byte.
 * - tried: room for as much once more. */
static void filter_row(
  const unsigned char *from, const unsigned char *above, size_t count, size_t bands, unsigned char *to,
  unsigned char *tried) {
  size_t least = 0;
  for (int filter = none; filter < filters; filter++) {
    unsigned char *into = filter == none ? to : tried;
    apply(filter, from, above, count, bands, into + 1);
    into[0] = (unsigned char)filter;
    size_t sum = weight(into + 1, count);
    if (filter == none || sum < least) {
      least = sum;
      if (into == tried) memcpy(to, tried, count + 1);
    }
  }
}

/* Puts length, name and checksum around a body that stands eight bytes behind `to`. Returns what follows the chunk. */
static unsigned char *close_chunk(unsigned char *to, const char *name, size_t count) {
  put32(to, (uint32_t)count);
  memcpy(to + 4, name, 4);
  put32(to + 8 + count, libdeflate_crc32(0, to + 4, count + 4));
  return to + chunk_frame + count;
}

/* All rows with their filters; NULL for want of memory. */
static unsigned char *filtered(const unsigned char *pixels, size_t row, size_t height, size_t bands) {
  /* Two rows with the zeros before them, and one to try filters in. */
  size_t padded = row + bands;
  unsigned char *rows = calloc(1, 2 * padded + row + 1), *all = malloc((row + 1) * height);
  unsigned char *above = rows, *from = rows ? rows + padded : NULL;
  for (size_t y = 0; rows && all && y < height; y++) {
    memcpy(from + bands, pixels + y * row, row);
    filter_row(from + bands, above + bands, row, bands, all + y * (row + 1), rows + 2 * padded);
    unsigned char *old = above;
    above = from;
    from = old;
  }
  if (!rows) free(all);
  free(rows);
  return rows ? all : NULL;
}

/* Name, method and the compressed profile; NULL where it does not fit. */
static unsigned char *put_profile(
  struct libdeflate_compressor *compressor, const pn_recipe *recipe, unsigned char *to, size_t room) {
  static const char name[] = "icc\0";
  memcpy(to + 8, name, sizeof name);
  size_t count = libdeflate_zlib_compress(
    compressor, recipe->profile, recipe->profile_count, to + 8 + sizeof name, room);
  return count ? close_chunk(to, "iCCP", sizeof name + count) : NULL;
}

static unsigned char *put_header(unsigned char *to, int width, int height, int bands) {
  memcpy(to, signature, signature_size);
  to += signature_size;
  put32(to + 8, (uint32_t)width);
  put32(to + 12, (uint32_t)height);
  memcpy(to + 16, (unsigned char[]){8, colour_types[bands], 0, 0, 0}, 5);
  return close_chunk(to, "IHDR", header_size);
}

int pn_encode(
  const unsigned char *pixels, int width, int height, int bands, const pn_recipe *recipe, unsigned char **file,
  size_t *count) {
  *file = NULL;
  *count = 0;
  if (width < 1 || height < 1 || bands < 1 || bands > 4) return -1;
  size_t row = (size_t)width * (size_t)bands, rows = (size_t)height;
  if (row > most_chunk / 2 / rows || recipe->profile_count > most_chunk / 4) return -1;
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(recipe->compression);
  unsigned char *all = compressor ? filtered(pixels, row, rows, (size_t)bands) : NULL;
  if (all) {
    size_t body = libdeflate_zlib_compress_bound(compressor, (row + 1) * rows);
    size_t profile = libdeflate_zlib_compress_bound(compressor, recipe->profile_count) + 8;
    unsigned char *made = malloc(signature_size + header_size + 4 * chunk_frame + profile + body), *end = made;
    if (end) end = put_header(made, width, height, bands);
    if (end && recipe->profile_count) end = put_profile(compressor, recipe, end, profile);
    size_t size = end ? libdeflate_zlib_compress(compressor, all, (row + 1) * rows, end + 8, body) : 0;
    if (size) {
      end = close_chunk(close_chunk(end, "IDAT", size), "IEND", 0);
      *file = made;
      *count = (size_t)(end - made);
    } else {
      free(made);
    }
  }
  free(all);
  libdeflate_free_compressor(compressor);
  return *file ? 0 : -1;
}

void pn_free(unsigned char *file) { free(file); }
