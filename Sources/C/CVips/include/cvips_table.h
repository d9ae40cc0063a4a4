#ifndef PREHEAT_CVIPS_TABLE_H
#define PREHEAT_CVIPS_TABLE_H

#include "cvips_drawing.h"

/* How the worker reaches libvips. To open it, with a hundred libraries behind it, takes 17 ms, in which ten everyday
 * pictures are drawn, and those need none of it. So the worker is linked to none of them: what calls libvips is a library
 * of our own (CVipsLibrary), which lies beside the worker, and exports its functions as one table. */

/* Starts libvips: one thread, no operation cache, untrusted loaders blocked, no messages. */
int pv_start(void);
/* Opens libvips' plug-in for HEIF and AVIF, where it is one and beside the library as its build puts it. The plug-ins of
 * other formats stay closed: nothing is decoded with them. */
int pv_start_plugins(void);

#define PV_FUNCTIONS(X) \
  X(start) X(start_plugins) X(version) X(take_error) X(take_warning) X(free) X(source_new) X(source_free) X(load) X(frames) \
  X(set_frames) X(image_free) X(image_info) X(image_exif) X(image_profile) X(has_foreign_profile) X(image_pixels) X(image_of) \
  X(copy_memory) X(rows) X(drain) X(turn) X(to_srgb) X(to_8_bit) X(keep_space) X(make_profile) X(match_color) \
  X(with_profile) X(grey) X(unpremultiply) X(keep_bands) X(add_alpha) X(flatten) X(rotate) X(crop) X(scale) X(blur) \
  X(save) X(has_operation) X(box_blur) X(clip_corners) X(edge_line) X(overlay) X(blend) \
  X(blend_color) X(tint) X(color_controls) X(sepia) X(filter) X(sharpen)

/* pv_blur as `blur`. */
#define PV_FIELD(name) __typeof__(pv_##name) *_Nonnull name;
typedef struct { PV_FUNCTIONS(PV_FIELD) } pv_table;

/* The table, which the first call opens the library for, and with it libvips; NULL, with a reason on standard error,
 * where that cannot be done. */
const pv_table *_Nullable pv_open(void);
/* Opens the plug-in as well. */
void pv_open_plugins(void);
/* Whether a loader may be that plug-in's. */
int pv_is_in_plugin(const char *_Nonnull loader);

/* What a process that opens nothing ends with where it would have to. */
enum pv_need { PV_NEEDS_LIBRARY = 75, PV_NEEDS_PLUGINS = 76 };
/* For a process that is confined, and has what was opened before. */
void pv_open_nothing(void);
/* Opens what such a process, a copy of this one, ended for. Returns 1; 0 where it ended for something else, or for what
 * was open; -1 where libvips cannot be opened, with a reason on standard error. */
int pv_open_for(int wait_status);

#endif
