#ifndef PREHEAT_CWEBP_H
#define PREHEAT_CWEBP_H

#include <stddef.h>

/* Still WebP files (RFC 9649), decoded by libwebp in the caller's thread and with nothing in between. It is the decoder
 * that libvips uses, with the same parser of the container in front of it, so that both take the same files and make the
 * same pixels. What is not plain is left to libvips: animations, and files whose parts contradict each other. */

typedef struct {
  /* Pixels, and 3 or 4 of bands: RGB, or RGB and alpha that does not weigh the colours. */
  int width, height, bands;
  /* Where the data lie in the file, and EXIF and the colour profile; a count of 0 where there is none. */
  size_t data_at, data_count, exif_at, exif_count, profile_at, profile_count;
} pw_info;

/* Looks at the container and at the header in it. 0, or for whatever reason -1, as with pw_decode. */
int pw_read(const unsigned char *file, size_t count, pw_info *info);

/* Receives all rows, `stride` bytes apart; a result other than 0 is a failure. */
typedef int (*pw_take)(void *context, const unsigned char *rows, size_t stride, int count);

/* Decodes the file that `info` is of. Also -1 for want of memory. */
int pw_decode(const unsigned char *file, const pw_info *info, pw_take take, void *context);

#endif
