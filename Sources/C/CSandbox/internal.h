#ifndef PREHEAT_CSANDBOX_INTERNAL_H
#define PREHEAT_CSANDBOX_INTERNAL_H

#include "csandbox.h"

/* Each puts a layer around this process and returns 0, or an errno. */
int ps_filter(void);
int ps_landlock(void);

#endif
