#include "internal.h"

/* The picture without any field, or with a profile as the only one. */
static VipsImage *bare(VipsImage *in, const void *profile, size_t count) {
  VipsImage *image = NULL;
  gchar **names;
  if (vips_copy(in, &image, NULL)) return NULL;
  names = vips_image_get_fields(image);
  /* Width, height and the like are not metadata, and stay. */
  for (size_t i = 0; names && names[i]; i++) vips_image_remove(image, names[i]);
  g_strfreev(names);
  if (count) vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, count);
  return image;
}

/* Options are "name=value,name=value": our own words only, never a stranger's. */
static int set_options(VipsObject *saver, const char *options) {
  gchar **pairs = g_strsplit(options, ",", 0);
  int failed = 0;
  for (size_t i = 0; pairs[i] && !failed; i++) {
    char *value = strchr(pairs[i], '=');
    *value++ = 0;
    failed = vips_object_set_argument_from_string(saver, pairs[i], value);
  }
  g_strfreev(pairs);
  return failed;
}

static int save(VipsImage *image, const char *name, const char *options, void **bytes, size_t *count) {
  VipsOperation *saver = vips_operation_new(name);
  VipsArea *area = NULL;
  int failed;

  if (!saver) return 1;
  g_object_set(saver, "in", image, NULL);
  failed = set_options(VIPS_OBJECT(saver), options) || vips_cache_operation_buildp(&saver);
  if (!failed) {
    g_object_get(saver, "buffer", &area, NULL);
    *bytes = area->data;
    *count = area->length;
    /* The memory is the caller's from here on. */
    area->free_fn = NULL;
    vips_area_unref(area);
  }
  vips_object_unref_outputs(VIPS_OBJECT(saver));
  g_object_unref(saver);
  return failed;
}

int pv_save(
  pv_image *in, const char *saver, const char *options, int keeps_fields, const void *profile,
  size_t profile_count, void **bytes, size_t *count) {
  VipsImage *image = keeps_fields ? pv_in(in) : bare(pv_in(in), profile, profile_count);
  int status = !image || save(image, saver, options, bytes, count) ? pv_failure() : PV_OK;
  if (!keeps_fields && image) g_object_unref(image);
  return status;
}

int pv_has_operation(const char *name) { return vips_type_find("VipsOperation", name) != 0; }
