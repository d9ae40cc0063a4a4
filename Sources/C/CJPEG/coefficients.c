#include <string.h>

#include "internal.h"

/* libjpeg reads coefficients into arrays for the whole picture. In a file with one scan they come from top to bottom,
 * so one strip at a time is enough and stays in the processor's cache: libjpeg gets small arrays of ours, which are
 * reused for each strip. */

static jvirt_barray_ptr request(
  j_common_ptr codec, int pool, boolean is_zero, JDIMENSION width, JDIMENSION height, JDIMENSION rows) {
  pj_coefficients *held = codec->client_data;
  pj_part *part;

  /* There is one request for each component. */
  if (held->count == 3) codec->err->error_exit(codec);
  part = &held->parts[held->count++];
  if (jpeg_has_multiple_scans((j_decompress_ptr)codec))
    return part->all = held->request(codec, pool, is_zero, width, height, rows);
  part->strip = codec->mem->alloc_barray(codec, pool, width, rows);
  part->rows = rows;
  part->row_bytes = width * sizeof(JBLOCK);
  return (jvirt_barray_ptr)part;
}

/* libjpeg calls this before it reads a strip, and expects zeros. */
static JBLOCKARRAY access_strip(
  j_common_ptr codec, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION rows, boolean is_written) {
  pj_part *part = (pj_part *)array;
  (void)first, (void)is_written;
  if (rows > part->rows) codec->err->error_exit(codec);
  for (size_t i = 0; i < part->rows; i++) memset(part->strip[i], 0, part->row_bytes);
  return part->strip;
}

void pj_coefficients_hold(pj_coefficients *held, j_decompress_ptr codec) {
  codec->client_data = held;
  held->request = codec->mem->request_virt_barray;
  codec->mem->request_virt_barray = request;
  if (!jpeg_has_multiple_scans(codec)) codec->mem->access_virt_barray = access_strip;
}

JBLOCKARRAY pj_strip_of(const pj_part *part, j_decompress_ptr codec, int rows, int strip) {
  if (!part->all) return part->strip;
  return codec->mem->access_virt_barray(
    (j_common_ptr)codec, part->all, (JDIMENSION)strip * (JDIMENSION)rows, (JDIMENSION)rows, FALSE);
}
