#ifndef PREHEAT_CPNG_INTERNAL_H
#define PREHEAT_CPNG_INTERNAL_H

#include <libdeflate.h>
#include <stdint.h>

#include "cpng.h"

enum { chunk_frame = 12, signature_size = 8, header_size = 13, most_chunk = 0x7fffffff };

static const unsigned char signature[signature_size] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
/* By bands. */
static const unsigned char colour_types[] = {0, 0, 4, 2, 6};

/* The five filters. */
enum { none, sub, up, average, paeth, filters };

/* Takes a row's filter back, in place; -1 where there is no such filter. `above` is the row before, or zeros. */
int pn_unfilter(int filter, unsigned char *row, const unsigned char *above, size_t count, size_t bands);
/* The same for two rows of 3 or 4 bands with the last of the filters, a byte between them. */
void pn_unfilter_two(unsigned char *row, const unsigned char *above, size_t count, size_t bands);

#endif
