/* For memmem. */
#define _GNU_SOURCE
#include "cexif.h"

#include <libexif/exif-data.h>
#include <libexif/exif-loader.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char head[6] = {'E', 'x', 'i', 'f', 0, 0};
/* An APP1 segment cannot be longer; blocks of other containers may claim anything. */
static const size_t longest = 1 << 20;

static unsigned char *copy_thumbnail(const ExifData *data, size_t limit, size_t *out_count) {
  unsigned char *copy;
  if (!data->data || !data->size || data->size > limit) return NULL;
  copy = malloc(data->size);
  if (!copy) return NULL;
  memcpy(copy, data->data, data->size);
  *out_count = data->size;
  return copy;
}

/* A block with or without its head; NULL for none and for one of impossible size. */
static ExifData *load(const unsigned char *exif, size_t count) {
  unsigned char *block;
  ExifData *data;
  size_t skip;

  if (count < 8 || count > longest) return NULL;
  /* libexif wants the head that JPEG files have and PNG files have not. */
  skip = memcmp(exif, head, sizeof head) ? 0 : sizeof head;
  block = malloc(count + sizeof head);
  if (!block) return NULL;
  memcpy(block, head, sizeof head);
  memcpy(block + sizeof head, exif + skip, count - skip);

  data = exif_data_new();
  if (data) {
    /* Entries are taken as they are: they need not be put right first. */
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_load_data(data, block, (unsigned int)(count - skip + sizeof head));
  }
  free(block);
  return data;
}

unsigned char *pe_thumbnail(const unsigned char *exif, size_t count, size_t limit, size_t *out_count) {
  unsigned char *thumbnail;
  ExifData *data = load(exif, count);

  *out_count = 0;
  if (!data) return NULL;
  thumbnail = copy_thumbnail(data, limit, out_count);
  exif_data_unref(data);
  return thumbnail;
}

static int orientation(const ExifData *data) {
  const ExifContent *content = data->ifd[EXIF_IFD_0];
  int found = 0;

  for (unsigned int i = 0; i < content->count; i++) {
    const ExifEntry *entry = content->entries[i];
    if (entry->tag != EXIF_TAG_ORIENTATION) continue;
    if (found || entry->format != EXIF_FORMAT_SHORT || entry->components != 1 || entry->size != 2) return -1;
    found = exif_get_short(entry->data, exif_data_get_byte_order((ExifData *)data));
    if (found < 1 || found > 8) return -1;
  }
  return found;
}

int pe_orientation(const unsigned char *exif, size_t count) {
  ExifData *data = load(exif, count);
  int found;

  if (!data) return -1;
  found = orientation(data);
  exif_data_unref(data);
  return found;
}

/* tiff:Orientation="3", or the same as an element. */
int pe_xmp_orientation(const unsigned char *bytes, size_t count) {
  static const char name[] = "tiff:Orientation";
  const unsigned char *end = bytes + count;
  const unsigned char *at = count ? memmem(bytes, count, name, sizeof name - 1) : NULL;

  if (!at) return 0;
  at += sizeof name - 1;
  while (at < end && *at && strchr(" \t\r\n=\"'>", *at)) at++;
  return end - at > 1 && *at >= '2' && *at <= '8' && strchr(" \t\r\n\"'<", at[1]) && at[1] ? *at - '0' : 0;
}

unsigned char *pe_thumbnail_of_jpeg(
  const unsigned char *jpeg, size_t count, size_t limit, size_t *out_count) {
  unsigned char *thumbnail = NULL;
  const unsigned char *block = NULL;
  unsigned int size = 0;
  ExifLoader *loader;

  *out_count = 0;
  loader = exif_loader_new();
  if (!loader) return NULL;
  /* It reads only, in spite of its signature, and stops behind the block. */
  exif_loader_write(loader, (unsigned char *)jpeg, (unsigned int)(count < longest ? count : longest));
  exif_loader_get_buf(loader, &block, &size);
  if (block) thumbnail = pe_thumbnail(block, size, limit, out_count);
  exif_loader_unref(loader);
  return thumbnail;
}

void pe_free(void *memory) { free(memory); }
