#ifndef PREHEAT_CSANDBOX_H
#define PREHEAT_CSANDBOX_H

#include <stddef.h>

/* Dies with its parent, leaves no core file, may hold `data_bytes` of memory and `files` open files,
 * and gains no rights by running another program. Returns 0, or an errno. */
int ps_limit_process(size_t data_bytes, int files);

/* Takes network, files and other programs away from all threads, for good: such calls fail with EPERM.
 * What is open stays open, memory and threads stay available. Returns 0, or an errno where the kernel
 * has no filters. */
int ps_confine(void);

#endif
