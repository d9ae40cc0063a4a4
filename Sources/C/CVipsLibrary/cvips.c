#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <gmodule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cvips_table.h"
#include "internal.h"

/* The one symbol that the worker asks for. */
#define ROW(name) .name = pv_##name,
const pv_table pv_functions = {PV_FUNCTIONS(ROW)};

/* The first warning since this thread opened a picture, which it also draws; but not what the loader of HEIF says of every
 * second AVIF. */
static _Thread_local char *warning;

static void hear(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  if (!warning && level & G_LOG_LEVEL_WARNING && !g_str_has_prefix(message, "heifload: ")) warning = g_strdup(message);
}

static const char home[] = "VIPSHOME";

int pv_start(void) {
  /* Before vips_init, which reports on plug-ins. */
  g_log_set_default_handler(hear, NULL);
  /* Half of the time that a start takes is that of plug-ins, most of which are for formats that are never decoded:
   * libvips looks for them where there are none. */
  setenv(home, "/nonexistent", 1);
  int failed = vips_init("preheat");
  unsetenv(home);
  if (failed) return PV_FAILED;
  /* One image at a time in one process, so that a budget of memory means something; the pool of
   * processes is what uses the cores. */
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  vips_block_untrusted_set(TRUE);
  return PV_OK;
}

int pv_start_plugins(void) {
  Dl_info library;
  const char *end;
  char path[4200];

  if (!dladdr((void *)vips_init, &library) || !library.dli_fname) return PV_FAILED;
  end = strrchr(library.dli_fname, '/');
  if (!end) return PV_FAILED;
  snprintf(
    path, sizeof path, "%.*s/vips-modules-%d.%d/vips-heif.so", (int)(end - library.dli_fname), library.dli_fname,
    vips_version(0), vips_version(1));
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
  if (module) g_module_make_resident(module);
  return PV_OK;
}

const char *pv_version(void) { return vips_version_string(); }

char *pv_take_error(void) { return vips_error_buffer_copy(); }

char *pv_take_warning(void) { return g_steal_pointer(&warning); }

void pv_free(void *memory) { g_free(memory); }

int pv_failure(void) {
  /* libvips has no code for it, and decoders say what they like; malloc and mmap leave this behind. */
  const char *text = vips_error_buffer();
  return errno == ENOMEM || strstr(text, "out of memory") || strstr(text, "Insufficient memory") ? PV_NO_MEMORY
                                                                                                   : PV_FAILED;
}

int pv_finish(int failed, VipsImage *image, pv_image **out) {
  if (failed) {
    *out = NULL;
    return pv_failure();
  }
  *out = (pv_image *)image;
  return PV_OK;
}

pv_source *pv_source_new(const void *bytes, size_t count) {
  return (pv_source *)vips_blob_copy(bytes, count);
}

void pv_source_free(pv_source *source) { vips_area_unref(VIPS_AREA(source)); }

/* heifload of libvips 8.14 leaves profile and EXIF in memory of its own image, which goes once the pixels are copied. */
static void own_fields(VipsImage *image) {
  gchar **names = vips_image_get_fields(image);
  const void *bytes;
  size_t count;
  for (size_t i = 0; names && names[i]; i++)
    if (vips_image_get_typeof(image, names[i]) == VIPS_TYPE_BLOB && !vips_image_get_blob(image, names[i], &bytes, &count))
      vips_image_set_blob_copy(image, names[i], bytes, count);
  g_strfreev(names);
  /* Setting EXIF sets its orientation again, and the pixels are upright. */
  vips_autorot_remove_angle(image);
}

int pv_load(
  pv_source *source, const char *name, const char *option, int value, int strict, pv_image **out) {
  VipsImage *image = NULL;
  VipsBlob *blob = (VipsBlob *)source;
  VipsFailOn fail_on = strict ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_TRUNCATED;
  VipsAccess access = VIPS_ACCESS_SEQUENTIAL;
  int failed;

  vips_error_clear();
  g_clear_pointer(&warning, g_free);
  errno = 0;
  /* Without an option of its own one of the others is said twice. */
  if (!option) option = "access", value = access;
  failed = vips_call(name, blob, &image, option, value, "fail_on", fail_on, "access", access, NULL);
  if (!failed && g_str_has_prefix(name, "heif")) own_fields(image);
  return pv_finish(failed, image, out);
}

pv_film pv_frames(pv_image *handle) {
  VipsImage *image = pv_in(handle);
  pv_film film = {vips_image_get_page_height(image), NULL, 0, 0};

  if (vips_image_get_typeof(image, "delay"))
    vips_image_get_array_int(image, "delay", (int **)&film.delays, &film.delay_count);
  if (vips_image_get_typeof(image, "loop")) vips_image_get_int(image, "loop", &film.loop);
  return film;
}

int pv_set_frames(pv_image *handle, int height, const int *delays, int delay_count, int loop) {
  VipsImage *image = pv_in(handle);

  vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, height);
  vips_image_set_array_int(image, "delay", delays, delay_count);
  vips_image_set_int(image, "loop", loop);
  return PV_OK;
}

void pv_image_free(pv_image *image) { g_object_unref(image); }

pv_info pv_image_info(pv_image *handle) {
  VipsImage *image = pv_in(handle);
  VipsInterpretation colours = image->Type;
  pv_info info;

  info.width = image->Xsize;
  info.height = image->Ysize;
  info.bands = image->Bands;
  info.has_alpha = vips_image_hasalpha(image);
  info.is_8bit = image->BandFmt == VIPS_FORMAT_UCHAR && image->Coding == VIPS_CODING_NONE;
  info.is_plain = info.is_8bit && !vips_image_get_typeof(image, VIPS_META_ICC_NAME)
    && ((colours == VIPS_INTERPRETATION_sRGB && (image->Bands == 3 || image->Bands == 4))
      || (colours == VIPS_INTERPRETATION_B_W && image->Bands <= 2));
  info.orientation = vips_image_get_orientation(image);
  return info;
}

static const void *blob(pv_image *image, const char *name, size_t *count) {
  const void *data = NULL;
  *count = 0;
  if (!vips_image_get_typeof(pv_in(image), name) || vips_image_get_blob(pv_in(image), name, &data, count)) return NULL;
  return data;
}

const void *pv_image_exif(pv_image *image, size_t *count) { return blob(image, VIPS_META_EXIF_NAME, count); }

const void *pv_image_profile(pv_image *image, size_t *count) { return blob(image, VIPS_META_ICC_NAME, count); }

int pv_is_held(const VipsImage *in) {
  return in->dtype == VIPS_IMAGE_SETBUF || in->dtype == VIPS_IMAGE_SETBUF_FOREIGN;
}

const void *pv_image_pixels(pv_image *handle, size_t *count) {
  VipsImage *image = pv_in(handle);
  *count = 0;
  if (!pv_is_held(image)) return NULL;
  *count = VIPS_IMAGE_SIZEOF_IMAGE(image);
  return VIPS_IMAGE_ADDR(image, 0, 0);
}

VipsImage *pv_new_picture(int width, int height, int bands) {
  VipsInterpretation colours = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  VipsImage *image = vips_image_new_memory();
  vips_image_init_fields(
    image, width, height, bands, VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, colours, 1, 1);
  if (vips_image_write_prepare(image)) {
    g_object_unref(image);
    return NULL;
  }
  return image;
}

static void let_go(VipsImage *image, void *pixels) { free(pixels); }

pv_image *pv_image_of(
  void *pixels, int width, int height, int bands, const void *profile, size_t profile_count) {
  size_t count = (size_t)width * height * bands;
  VipsImage *image = vips_image_new_from_memory(pixels, count, width, height, bands, VIPS_FORMAT_UCHAR);
  if (!image) {
    /* As GLib does where it gets no memory; the supervisor knows the words. */
    fputs("out of memory\n", stderr);
    abort();
  }
  image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  g_signal_connect(image, "postclose", G_CALLBACK(let_go), pixels);
  if (profile_count) vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, profile_count);
  return (pv_image *)image;
}

void pv_change_row(const VipsPel *from, VipsPel *to, int width, int bands, pv_colour_work work) {
  for (int x = 0; x < width; x++, from += bands, to += bands) {
    int alpha = from[bands - 1];
    for (int i = 0; i < bands - 1; i++) to[i] = work(from[i], alpha);
    to[bands - 1] = (VipsPel)alpha;
  }
}
