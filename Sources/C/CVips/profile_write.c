#include <string.h>

#include "profile.h"

/* A profile on its way out. */
typedef struct {
  unsigned char *bytes;
  unsigned rows, end;
} writer;

static void add_row(writer *made, const char *name, unsigned at, unsigned size) {
  unsigned char *row = made->bytes + PV_PROFILE_HEAD + made->rows++ * PV_PROFILE_ROW;
  memcpy(row, name, 4);
  pv_put32(row + 4, at);
  pv_put32(row + 8, size);
}

static void add(writer *made, const char *name, const unsigned char *data, int size) {
  add_row(made, name, made->end, (unsigned)size);
  memcpy(made->bytes + made->end, data, (size_t)size);
  made->end += ((unsigned)size + 3) & ~3u;
}

static void add_text(writer *made, const char *name, const unsigned char *text, int count) {
  unsigned char data[28 + 2 * PV_NAME] = "mluc";
  pv_put32(data + 8, 1);
  pv_put32(data + 12, 12);
  memcpy(data + 16, "enUS", 4);
  pv_put32(data + 20, 2 * (unsigned)count);
  pv_put32(data + 24, 28);
  memcpy(data + 28, text, 2 * (size_t)count);
  add(made, name, data, 28 + 2 * count);
}

static void add_curves(writer *made, const pv_curve curves[3]) {
  static const char *names[] = {"rTRC", "gTRC", "bTRC"};
  unsigned first = made->end;
  for (int i = 0; i < 3; i++) {
    if (i && curves[i].size == curves[0].size && !memcmp(curves[i].bytes, curves[0].bytes, (size_t)curves[0].size))
      add_row(made, names[i], first, (unsigned)curves[0].size);
    else
      add(made, names[i], curves[i].bytes, curves[i].size);
  }
}

int pv_write_space(const pv_space *space, unsigned char profile[PV_SMALL_PROFILE]) {
  static const char *names[] = {"rXYZ", "gXYZ", "bXYZ"};
  /* Version 4.2, a display's; made on the first day of 2000; seen under D50. */
  static const unsigned char head[] = "\0\0\0\0\0\0\0\0\4\x20\0\0mntrRGB XYZ \7\xd0\0\1\0\1\0\0\0\0\0\0acsp";
  static const unsigned char d50[12] = {0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D};
  unsigned rows = space->has_chad ? 10 : 9;
  writer made = {profile, 0, PV_PROFILE_HEAD + rows * PV_PROFILE_ROW};

  memset(profile, 0, PV_SMALL_PROFILE);
  memcpy(profile, head, sizeof head - 1);
  memcpy(profile + 68, d50, sizeof d50);
  add_text(&made, "desc", space->name, space->name_count);
  add_text(&made, "cprt", (const unsigned char *)"\0C\0C\0000", 3);
  add(&made, "wtpt", space->white, 20);
  if (space->has_chad) add(&made, "chad", space->chad, 44);
  for (int i = 0; i < 3; i++) add(&made, names[i], space->colours[i], 20);
  add_curves(&made, space->curves);
  pv_put32(profile, made.end);
  pv_put32(profile + 128, made.rows);
  return (int)made.end;
}
