#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* What is inflated at once; larger pictures are libvips', which reads them row by row. */
enum { most_rows_bytes = 32 << 20 };

static uint32_t get32(const unsigned char *from) {
  return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static int is(const unsigned char *chunk, const char *name) { return !memcmp(chunk + 4, name, 4); }

static int is_letter(unsigned char letter) { return (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z'; }

/* The bytes of the chunk at `at` if it is whole, has a name and is what its checksum says; else -1. */
static long chunk_size(const unsigned char *file, size_t count, size_t at) {
  const unsigned char *chunk = file + at;
  uint32_t size;

  if (count < chunk_frame || at > count - chunk_frame) return -1;
  size = get32(chunk);
  if (size > most_chunk || size > count - chunk_frame - at) return -1;
  for (int i = 4; i < 8; i++)
    if (!is_letter(chunk[i])) return -1;
  return libdeflate_crc32(0, chunk + 4, (size_t)size + 4) == get32(chunk + 8 + size) ? (long)size : -1;
}

/* Chunks before the pixels that libpng has nothing to say about, whatever is in them. */
static int is_harmless(const unsigned char *chunk, long size) {
  static const unsigned char srgb_places[] = {
    0, 0, 0x7a, 0x26, 0, 0, 0x80, 0x84, 0, 0, 0xfa, 0, 0, 0, 0x80, 0xe8,
    0, 0, 0x75, 0x30, 0, 0, 0xea, 0x60, 0, 0, 0x3a, 0x98, 0, 0, 0x17, 0x70};
  const unsigned char *body = chunk + 8;

  if (is(chunk, "tEXt")) return 1;
  if (is(chunk, "pHYs")) return size == 9;
  if (is(chunk, "sRGB")) return size == 1 && body[0] < 4;
  if (is(chunk, "gAMA")) return size == 4 && get32(body) == 45455;
  if (is(chunk, "cHRM")) return size == sizeof srgb_places && !memcmp(body, srgb_places, sizeof srgb_places);
  if (is(chunk, "tIME"))
    return size == 7 && body[2] > 0 && body[2] < 13 && body[3] > 0 && body[3] < 32 && body[4] < 24 && body[5] < 60
      && body[6] < 61;
  return 0;
}

/* libvips takes up to 20 texts without a warning, and libpng one of each other chunk. */
static int is_repeated(const unsigned char *file, size_t from, size_t at, int *texts) {
  if (is(file + at, "tEXt")) return ++*texts > 20;
  for (size_t other = from; other < at; other += chunk_frame + get32(file + other))
    if (is(file + other, (const char *)file + at + 4)) return 1;
  return 0;
}

/* The two bytes before deflated data (RFC 1950). The data are taken apart row by row by zlib, which looks back no further
 * than their window; where that is smaller than what libdeflate looks at, it matters. */
static int is_sound(const unsigned char *head, size_t bytes) {
  int window = head[0] >> 4;
  return (head[0] & 15) == 8 && window <= 7 && ((size_t)256 << window >= bytes || window == 7)
    && (head[0] << 8 | head[1]) % 31 == 0 && !(head[1] & 32);
}

static size_t row_bytes(const pn_info *info) { return (size_t)info->width * (size_t)info->bands + 1; }

static int read_header(const unsigned char *body, pn_info *info) {
  uint32_t width = get32(body), height = get32(body + 4);

  /* Eight bits, one way each to compress and to filter, and not interlaced. */
  if (body[8] != 8 || body[10] || body[11] || body[12]) return -1;
  info->bands = 0;
  for (int bands = 1; bands <= 4; bands++)
    if (colour_types[bands] == body[9]) info->bands = bands;
  if (!info->bands || !width || !height || width > most_rows_bytes || height > most_rows_bytes) return -1;
  info->width = (int)width;
  info->height = (int)height;
  return row_bytes(info) * (size_t)height <= most_rows_bytes ? 0 : -1;
}

int pn_read(const unsigned char *file, size_t count, pn_info *info) {
  const size_t start = signature_size + chunk_frame + header_size;
  size_t at = signature_size;
  int texts = 0;
  long size;

  if (count < start || memcmp(file, signature, signature_size) || chunk_size(file, count, at) != header_size
      || !is(file + at, "IHDR") || read_header(file + at + 8, info))
    return -1;
  info->is_bare = 1;
  for (at = start; (size = chunk_size(file, count, at)) >= 0 && !is(file + at, "IDAT"); at += chunk_frame + (size_t)size) {
    /* Others have to be known, or change what the pixels are. */
    if (!(file[at + 4] & 0x20) || is(file + at, "tRNS")) return -1;
    if (info->is_bare && (!is_harmless(file + at, size) || is_repeated(file, start, at, &texts))) info->is_bare = 0;
  }
  info->data_at = at;
  info->data_count = info->parts = 0;
  for (; size >= 0 && is(file + at, "IDAT"); size = chunk_size(file, count, at)) {
    info->data_count += (size_t)size;
    info->parts += 1;
    at += chunk_frame + (size_t)size;
  }
  return size >= 0 && info->data_count > 6 ? 0 : -1;
}

/* The data in one piece; NULL for want of memory. `made` is what has to be freed. */
static const unsigned char *join(const unsigned char *file, const pn_info *info, unsigned char **made) {
  const unsigned char *from = file + info->data_at;
  unsigned char *to;

  *made = NULL;
  if (info->parts == 1) return from + 8;
  to = *made = malloc(info->data_count);
  for (size_t i = 0; to && i < info->parts; i++) {
    size_t size = get32(from);
    memcpy(to, from + 8, size);
    to += size;
    from += chunk_frame + size;
  }
  return *made;
}

/* All rows with their filters, inflated to the last byte; NULL where that cannot be. `is_right` is whether libdeflate may
 * say so for zlib, and the rows have their checksum; `is_wrong` that they have another one. */
static unsigned char *inflated(const unsigned char *file, const pn_info *info, int *is_right, int *is_wrong) {
  size_t count = row_bytes(info) * (size_t)info->height, taken = 0;
  unsigned char *made, *rows = malloc(count);
  const unsigned char *data = join(file, info, &made);
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  /* Between two bytes of head and four of the sum. */
  int is_whole = rows && data && decompressor
    && libdeflate_deflate_decompress_ex(decompressor, data + 2, info->data_count - 2, rows, count, &taken, NULL)
      == LIBDEFLATE_SUCCESS
    && taken + 6 == info->data_count;

  *is_wrong = is_whole && libdeflate_adler32(1, rows, count) != get32(data + 2 + taken);
  *is_right = is_whole && !*is_wrong && is_sound(data, count);
  libdeflate_free_decompressor(decompressor);
  free(made);
  if (is_whole) return rows;
  free(rows);
  return NULL;
}

int pn_has_wrong_sum(const unsigned char *file, const pn_info *info) {
  int is_right, is_wrong;
  free(inflated(file, info, &is_right, &is_wrong));
  return is_wrong;
}

int pn_decode(const unsigned char *file, const pn_info *info, pn_take take, void *context) {
  size_t row = row_bytes(info);
  int is_right, is_wrong;
  unsigned char *rows = inflated(file, info, &is_right, &is_wrong), *above = is_right ? calloc(1, row) : NULL;
  const unsigned char *before = above;
  int status = above ? 0 : -1;

  for (int y = 0, count; y < info->height && !status; y += count) {
    unsigned char *from = rows + (size_t)y * row;
    count = info->bands > 2 && y + 1 < info->height && from[0] == paeth && from[row] == paeth ? 2 : 1;
    if (count == 2) pn_unfilter_two(from + 1, before, row - 1, (size_t)info->bands);
    else status = pn_unfilter(from[0], from + 1, before, row - 1, (size_t)info->bands);
    status = status || take(context, from + 1, row, count);
    before = from + (size_t)(count - 1) * row + 1;
  }
  free(above);
  free(rows);
  return status ? -1 : 0;
}
