#ifndef PREHEAT_CVIPS_LIBRARY_H
#define PREHEAT_CVIPS_LIBRARY_H

#include <stddef.h>

/* Opens libvips with all that it needs, a hundred libraries: 17 ms, in which ten everyday pictures are drawn. So nobody is
 * linked to it. 0, or -1 with a reason on standard error. */
int pv_link(void);
/* Where it was found; 0, or -1. */
int pv_library_folder(char *path, size_t size);

#endif
