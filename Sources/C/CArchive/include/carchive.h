#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/* libarchive behind opaque handles; all names begin with par_. A failing call gives a message through `error`, to be
   freed with par_free. */

enum { PAR_TAR = 0, PAR_TAR_ZSTD = 1 };

/* The library's version, for instance 3006002. */
int par_version(void);

void par_free(char *text);

/* Writes an archive whose bytes follow from its entries alone: owner 0, mode 0644, no name of a user. NULL on failure. */
void *par_writer_open(const char *path, int format, char **error);

/* A writer of a plain tar whose bytes go nowhere, but have to be those that a raw reader has before its entry ends. */
void *par_writer_compare(void *reader, char **error);

/* A whole file. 0 on success. */
int par_writer_add(void *writer, const char *name, const void *bytes, size_t count, int64_t modified, char **error);

/* Writes what is left and frees the writer, also on failure. */
int par_writer_close(void *writer, char **error);

/* Reads tar (plain or compressed with zstd) and zip; a raw reader has one entry, the bytes of the whole file as they are
   without the compression. NULL on failure. */
void *par_reader_open(const char *path, int is_raw, char **error);

/* 1 for an entry, 0 at the end, -1 on failure. `name` lives until the next call; `size` is -1 where it is not known,
   `modified` counts seconds since 1970, and `is_file` is 0 for folders, links and whatever else. */
int par_reader_next(
    void *reader, const char **name, int64_t *size, int64_t *modified, int *is_file, char **error);

/* Up to `count` bytes of the entry; 0 at its end, -1 on failure. */
int64_t par_reader_read(void *reader, void *bytes, size_t count, char **error);

void par_reader_close(void *reader);

#endif
