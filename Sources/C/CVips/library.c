#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every function of libvips and GLib that is called here: a jump through a table that pv_link fills. The linker refuses
 * the name of one of libvips' that is missing. GLib is linked, since the flags for its headers say so, and not called. */
#define FUNCTIONS(X) \
  X(g_free) X(g_log_set_default_handler) X(g_module_make_resident) X(g_module_open) X(g_object_get) \
  X(g_object_ref) X(g_object_set) X(g_object_unref) \
  X(g_strfreev) X(g_strsplit) X(g_try_malloc) X(g_try_malloc_n) X(g_type_check_instance_cast) X(vips_addalpha) \
  X(vips_affine) X(vips_area_unref) X(vips_array_double_new) X(vips_array_int_newv) \
  X(vips_autorot) X(vips_bandjoin2) X(vips_blob_copy) X(vips_block_untrusted_set) \
  X(vips_cache_operation_buildp) X(vips_cache_set_max) X(vips_call) X(vips_cast) X(vips_colourspace) \
  X(vips_colourspace_issupported) X(vips_concurrency_set) X(vips_copy) X(vips_crop) X(vips_error) \
  X(vips_error_buffer) X(vips_error_buffer_copy) X(vips_error_clear) X(vips_extract_band) X(vips_flatten) \
  X(vips_format_sizeof_unsafe) X(vips_gaussblur) X(vips_get_tile_size) X(vips_icc_transform) \
  X(vips_image_get_array_int) X(vips_image_get_blob) X(vips_image_get_fields) X(vips_image_get_int) \
  X(vips_image_get_orientation) X(vips_image_get_page_height) X(vips_image_get_typeof) \
  X(vips_image_guess_interpretation) X(vips_image_hasalpha) X(vips_image_init_fields) X(vips_image_new) \
  X(vips_image_new_memory) X(vips_image_pipelinev) X(vips_image_remove) X(vips_image_set_array_int) \
  X(vips_image_set_blob_copy) X(vips_image_set_int) X(vips_image_wio_input) \
  X(vips_image_write_prepare) X(vips_init) X(vips_interpolate_new) X(vips_linear1) X(vips_object_get_type) \
  X(vips_object_local_array) X(vips_object_set_argument_from_string) X(vips_object_unref_outputs) \
  X(vips_operation_new) X(vips_premultiply) X(vips_rect_includespoint) X(vips_region_image) X(vips_region_new) \
  X(vips_region_prepare) X(vips_region_prepare_to) X(vips_resize) X(vips_round) X(vips_sharpen) \
  X(vips_type_find) X(vips_unpremultiply) X(vips_version) X(vips_version_string)

static void missing(void) {
  fputs("libvips is not open\n", stderr);
  abort();
}

/* The registers with a call's arguments stay as they are, whatever their number. */
#if defined(__x86_64__)
#define JUMP(name) "jmp *pv_at_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, pv_at_" #name "\nldr x16, [x16, :lo12:pv_at_" #name "]\nbr x16\n"
#else
#error "no jump for this processor"
#endif

/* Hidden: libvips itself must not find these. */
#define DEFINE(name) \
  __attribute__((visibility("hidden"), used)) void *pv_at_##name = (void *)missing; \
  __asm__(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n" \
    JUMP(name) ".popsection\n");
FUNCTIONS(DEFINE)

#define ROW(name) {#name, &pv_at_##name},
static const struct {
  const char *name;
  void **address;
} table[] = {FUNCTIONS(ROW)};

int pv_link(void) {
  void *library = dlopen("libvips.so.42", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return -1;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    /* In the library and in those that it brings along. */
    void *found = dlsym(library, table[i].name);
    if (!found) {
      fprintf(stderr, "%s\n", dlerror());
      return -1;
    }
    *table[i].address = found;
  }
  return 0;
}

int pv_library_folder(char *path, size_t size) {
  Dl_info library;
  char *end = NULL;
  if (!dladdr(pv_at_vips_init, &library) || !library.dli_fname) return -1;
  int length = snprintf(path, size, "%s", library.dli_fname);
  if (length < (int)size) end = strrchr(path, '/');
  if (!end) return -1;
  *end = 0;
  return 0;
}
