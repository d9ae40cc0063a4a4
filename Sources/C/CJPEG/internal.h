#ifndef PREHEAT_CJPEG_INTERNAL_H
#define PREHEAT_CJPEG_INTERNAL_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "cjpeg.h"

/* libjpeg's errors and warnings jump here: a call of libjpeg stands behind setjmp(trap->back). */
typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf back;
} pj_trap;

struct jpeg_error_mgr *pj_set_trap(pj_trap *trap);

/* Walks the segments up to the picture's data; fills in all but the size and the bands. */
int pj_scan(const unsigned char *file, size_t count, pj_info *info);

#endif
