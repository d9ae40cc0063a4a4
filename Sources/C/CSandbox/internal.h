#ifndef PREHEAT_CSANDBOX_INTERNAL_H
#define PREHEAT_CSANDBOX_INTERNAL_H

#include "csandbox.h"

/* libvips' savers start three, libheif's codecs up to five more. */
enum { PS_MOST_THREADS = 32 };

/* Each puts a layer around this process and returns 0, or an errno. */
int ps_landlock(void);
/* The filter asks this listener about each thread; -1 where the kernel has none, and threads are free. */
int ps_filter(int *listener);

/* The process's end of a socket, which its namespace's first process outlives by nothing; -1 for none. */
extern int ps_first_process;

/* To the process that waits for this copy of it, and away from here; -1 sends none. */
void ps_send_listener(int listener);

#endif
