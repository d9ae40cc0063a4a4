#include <stdlib.h>

#include "internal.h"

static void give_up(j_common_ptr codec) { longjmp(((pj_trap *)codec->err)->back, 1); }

/* Warnings have a level below zero: something is not as it should be. */
static void hear(j_common_ptr codec, int level) {
  if (level < 0) give_up(codec);
}

static void say_nothing(j_common_ptr codec) { (void)codec; }

struct jpeg_error_mgr *pj_set_trap(pj_trap *trap) {
  jpeg_std_error(&trap->manager);
  trap->manager.error_exit = give_up;
  trap->manager.emit_message = hear;
  trap->manager.output_message = say_nothing;
  return &trap->manager;
}

void pj_drop_file(j_compress_ptr writer, unsigned char **file) {
  if (!*file) return;
  /* As it grows libjpeg moves it, and only now says where it was written to last. */
  writer->dest->term_destination(writer);
  free(*file);
  *file = NULL;
}
