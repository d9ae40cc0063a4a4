/* Files that libjpeg complains of are written once more, in order and with the same coefficients, so that every decoder
 * can take them; but not those that have lost a part of the picture.
 *
 * One has where the data of a scan end, by the end of the file or a marker that does not begin an interval, before the
 * last row of blocks, or by the end of the file inside of that row; where a component has no scan; and where bits of
 * coefficients are missing and there is a complaint besides. An end mark alone is not missed. */

#include <stdlib.h>
#include <string.h>

#include "internal.h"

#include <jerror.h>

/* Fewer zeros may be the end of good data. */
static const size_t least_zeros = 4;

typedef struct {
  pj_trap trap;
  struct jpeg_decompress_struct from;
  struct jpeg_compress_struct to;
  unsigned char *file;
  unsigned long count;
  /* How often an end mark was made up; complaints; whether a part is lost. */
  int ends, complaints, is_cut;
  /* The first complaint. */
  char *words;
} mender;

static void lose(mender *made) {
  made->is_cut = 1;
  longjmp(made->trap.back, 1);
}

/* The data have ended at a marker, and more of them are needed. */
static void look_at_end(mender *made, const struct jpeg_decompress_struct *from) {
  int marker = from->unread_marker;
  if (!marker || (from->restart_interval && marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7)) return;
  if (made->ends || from->total_iMCU_rows == 1 || from->input_iMCU_row + 1 < from->total_iMCU_rows) lose(made);
}

static void hear(j_common_ptr codec, int level) {
  mender *made = codec->client_data;
  if (!codec->is_decompressor) return;
  /* Each scan is said, too. */
  if (made->from.input_scan_number > pj_most_scans) codec->err->error_exit(codec);
  if (level >= 0) return;
  if (!made->complaints++) codec->err->format_message(codec, made->words);
  if (codec->err->msg_code == JWRN_HIT_MARKER) look_at_end(made, (j_decompress_ptr)codec);
}

static boolean resync(j_decompress_ptr from, int wanted) {
  jpeg_resync_to_restart(from, wanted);
  look_at_end(from->client_data, from);
  return TRUE;
}

/* The second time, something in front of the mark has taken it for its own. */
static boolean make_end(j_decompress_ptr from) {
  static const JOCTET mark[] = {0xFF, JPEG_EOI};
  mender *made = from->client_data;
  if (made->ends++) lose(made);
  from->src->next_input_byte = mark;
  from->src->bytes_in_buffer = sizeof mark;
  return TRUE;
}

static void look_for_all(mender *made) {
  enum pj_lack lack = pj_lack_of(&made->from);
  if (lack == PJ_LACKS_BITS && !made->complaints && !made->ends) {
    strcpy(made->words, "bits of coefficients are missing");
    made->complaints++;
  } else if (lack) {
    lose(made);
  }
}

/* To what the standard's codes can say. */
static void limit(j_decompress_ptr from, jvirt_barray_ptr array, const jpeg_component_info *part) {
  for (JDIMENSION y = 0; y < part->height_in_blocks; y++) {
    JCOEF *row = from->mem->access_virt_barray((j_common_ptr)from, array, y, 1, TRUE)[0][0];
    for (size_t i = 0; i < (size_t)part->width_in_blocks * DCTSIZE2; i++) {
      JCOEF least = i % DCTSIZE2 ? -1023 : -1024;
      row[i] = row[i] < least ? least : row[i] > 1023 ? 1023 : row[i];
    }
  }
}

static void read_and_write(mender *made, const unsigned char *file, size_t count) {
  j_decompress_ptr from = &made->from;
  jvirt_barray_ptr *all;
  jpeg_create_decompress(from);
  jpeg_mem_src(from, file, (unsigned long)count);
  from->src->fill_input_buffer = make_end;
  from->src->resync_to_restart = resync;
  /* EXIF and XMP, and the colour profile. */
  for (int i = 1; i <= 2; i++) jpeg_save_markers(from, JPEG_APP0 + i, 0xFFFF);
  jpeg_read_header(from, TRUE);
  all = jpeg_read_coefficients(from);
  look_for_all(made);
  for (int i = 0; i < from->num_components; i++) limit(from, all[i], &from->comp_info[i]);
  jpeg_create_compress(&made->to);
  jpeg_mem_dest(&made->to, &made->file, &made->count);
  jpeg_copy_critical_parameters(from, &made->to);
  jpeg_write_coefficients(&made->to, all);
  for (jpeg_saved_marker_ptr one = from->marker_list; one; one = one->next)
    jpeg_write_marker(&made->to, one->marker, one->data, one->data_length);
  jpeg_finish_compress(&made->to);
}

/* `read` is how much of the file there was up to the last marker. */
static enum pj_mended attempt(mender *made, const unsigned char *file, size_t count, char *words, size_t *read) {
  enum pj_mended status = PJ_WHOLE;
  memset(made, 0, sizeof *made);
  made->words = words;
  made->from.err = made->to.err = pj_set_trap(&made->trap);
  made->trap.manager.emit_message = hear;
  made->from.client_data = made;
  *read = 0;
  if (!setjmp(made->trap.back)) {
    read_and_write(made, file, count);
    if (made->complaints) status = PJ_ODD;
  } else if (made->is_cut) {
    status = PJ_CUT;
  } else {
    status = made->trap.manager.msg_code == JERR_OUT_OF_MEMORY ? PJ_NO_MEMORY : PJ_BROKEN;
    made->trap.manager.format_message((j_common_ptr)&made->from, words);
  }
  if (status > PJ_ODD) pj_drop_file(&made->to, &made->file);
  if (made->from.input_scan_number) *read = made->ends ? count : (size_t)(made->from.src->next_input_byte - file) - 2;
  jpeg_destroy_compress(&made->to);
  jpeg_destroy_decompress(&made->from);
  return status;
}

enum pj_mended pj_mend(
  const unsigned char *file, size_t count, unsigned char **out, size_t *out_count, char words[PJ_WORDS]) {
  mender *made = malloc(sizeof *made);
  char others[PJ_WORDS];
  size_t end = 0, start, ignored;
  enum pj_mended status = made ? attempt(made, file, count, words, &end) : PJ_NO_MEMORY;

  /* What cannot be read may stand behind the picture. */
  if (status == PJ_BROKEN && end && end < count && attempt(made, file, end, others, &ignored) <= PJ_ODD)
    status = PJ_ODD;
  if (status <= PJ_ODD) *out = made->file, *out_count = made->count;
  /* Zeros are codes, too. */
  for (start = end; start && !file[start - 1];) start--;
  if (status == PJ_ODD && end - start >= least_zeros) {
    status = attempt(made, file, start, others, &ignored) == PJ_CUT ? PJ_CUT : PJ_ODD;
    free(made->file);
  }
  free(made);
  return status;
}
