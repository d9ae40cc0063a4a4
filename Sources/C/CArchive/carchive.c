#include "carchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int par_version(void) { return archive_version_number(); }

void par_free(char *text) { free(text); }

static void tell(struct archive *archive, char **error) {
  const char *text = archive ? archive_error_string(archive) : NULL;
  if (error) *error = strdup(text ? text : "libarchive gives no reason");
}

static int configure(struct archive *writer, int format) {
  /* The pax form only where an entry needs it, so that any tar reads the rest. */
  int code = archive_write_set_format_pax_restricted(writer);
  if (code != ARCHIVE_OK || format == PAR_TAR) return code;
  code = archive_write_add_filter_zstd(writer);
  if (code != ARCHIVE_OK) return code;
  return archive_write_set_filter_option(writer, "zstd", "compression-level", "3");
}

void *par_writer_open(const char *path, int format, char **error) {
  struct archive *writer = archive_write_new();
  if (!writer) {
    tell(NULL, error);
    return NULL;
  }
  /* Only whole blocks up to the end of the archive, and no padding to a tape's record. */
  archive_write_set_bytes_in_last_block(writer, 1);
  if (configure(writer, format) != ARCHIVE_OK || archive_write_open_filename(writer, path) != ARCHIVE_OK) {
    tell(writer, error);
    archive_write_free(writer);
    return NULL;
  }
  return writer;
}

/* Takes what a writer writes, as long as a reader has the same bytes. */
static la_ssize_t compare(struct archive *writer, void *reader, const void *bytes, size_t count) {
  char piece[1 << 14];
  for (size_t done = 0; done < count;) {
    size_t most = count - done < sizeof piece ? count - done : sizeof piece;
    la_ssize_t got = archive_read_data(reader, piece, most);
    if (got <= 0 || memcmp(piece, (const char *)bytes + done, (size_t)got) != 0) {
      archive_set_error(
          writer, EINVAL, "the archive is not as Preheat writes one: its headers or its padding differ");
      return -1;
    }
    done += (size_t)got;
  }
  return (la_ssize_t)count;
}

void *par_writer_compare(void *reader, char **error) {
  struct archive *writer = archive_write_new();
  if (!writer) {
    tell(NULL, error);
    return NULL;
  }
  archive_write_set_bytes_in_last_block(writer, 1);
  if (configure(writer, PAR_TAR) != ARCHIVE_OK ||
      archive_write_open(writer, reader, NULL, compare, NULL) != ARCHIVE_OK) {
    tell(writer, error);
    archive_write_free(writer);
    return NULL;
  }
  return writer;
}

int par_writer_add(void *handle, const char *name, const void *bytes, size_t count, int64_t modified, char **error) {
  struct archive *writer = handle;
  struct archive_entry *entry = archive_entry_new();
  if (!entry) {
    tell(NULL, error);
    return -1;
  }
  archive_entry_set_pathname(entry, name);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, (int64_t)count);
  archive_entry_set_mtime(entry, modified, 0);
  int code = archive_write_header(writer, entry);
  archive_entry_free(entry);
  if (code == ARCHIVE_OK && count > 0) {
    code = archive_write_data(writer, bytes, count) == (la_ssize_t)count ? ARCHIVE_OK : ARCHIVE_FATAL;
  }
  if (code == ARCHIVE_OK) code = archive_write_finish_entry(writer);
  if (code == ARCHIVE_OK) return 0;
  tell(writer, error);
  return -1;
}

int par_writer_close(void *handle, char **error) {
  struct archive *writer = handle;
  int code = archive_write_close(writer);
  if (code != ARCHIVE_OK) tell(writer, error);
  archive_write_free(writer);
  return code == ARCHIVE_OK ? 0 : -1;
}

void *par_reader_open(const char *path, int is_raw, char **error) {
  struct archive *reader = archive_read_new();
  if (!reader) {
    tell(NULL, error);
    return NULL;
  }
  archive_read_support_filter_zstd(reader);
  if (is_raw) {
    archive_read_support_format_raw(reader);
  } else {
    archive_read_support_format_tar(reader);
    archive_read_support_format_zip_seekable(reader);
  }
  if (archive_read_open_filename(reader, path, 1 << 16) != ARCHIVE_OK) {
    tell(reader, error);
    archive_read_free(reader);
    return NULL;
  }
  return reader;
}

int par_reader_next(void *handle, const char **name, int64_t *size, int64_t *modified, int *is_file, char **error) {
  struct archive_entry *entry = NULL;
  int code = archive_read_next_header(handle, &entry);
  if (code == ARCHIVE_EOF) return 0;
  if (code != ARCHIVE_OK) {
    tell(handle, error);
    return -1;
  }
  const char *path = archive_entry_pathname(entry);
  *name = path ? path : "";
  *size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
  *modified = archive_entry_mtime(entry);
  *is_file = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
  return 1;
}

int64_t par_reader_read(void *handle, void *bytes, size_t count, char **error) {
  la_ssize_t read = archive_read_data(handle, bytes, count);
  if (read < 0) tell(handle, error);
  return read < 0 ? -1 : (int64_t)read;
}

void par_reader_close(void *handle) { archive_read_free(handle); }
