#ifndef PREHEAT_CEXIF_H
#define PREHEAT_CEXIF_H

#include <stddef.h>

/* The thumbnail in an EXIF block (with or without its "Exif" head), copied; NULL if there is none or if
 * it is larger than `limit` bytes. Freed by pe_free. */
unsigned char *pe_thumbnail(const unsigned char *exif, size_t count, size_t limit, size_t *out_count);
/* The same from the beginning of a JPEG file; how much of it is there decides what can be found. */
unsigned char *pe_thumbnail_of_jpeg(
  const unsigned char *jpeg, size_t count, size_t limit, size_t *out_count);
/* What a block says of how its picture is to be turned, 1 to 8, and 0 where it says nothing; -1 for what is not the one
 * number that it should be. */
int pe_orientation(const unsigned char *exif, size_t count);
/* What XMP somewhere in the bytes says of it: 2 to 8, and 0 where it says nothing, or that the picture is upright. */
int pe_xmp_orientation(const unsigned char *bytes, size_t count);
void pe_free(void *memory);

#endif
