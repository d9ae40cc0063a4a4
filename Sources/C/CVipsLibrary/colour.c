#include <string.h>

#include "internal.h"

/* Colours that colour management can start from; files with many channels come without a meaning. */
static VipsInterpretation meaning(VipsImage *in) {
  VipsInterpretation colours = vips_image_guess_interpretation(in);
  if (vips_colourspace_issupported(in) && colours != VIPS_INTERPRETATION_MULTIBAND) return colours;
  return in->Bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
}

int pv_has_foreign_profile(pv_image *in) {
  size_t count;
  const void *profile = pv_image_profile(in, &count);

  switch (meaning(pv_in(in))) {
  case VIPS_INTERPRETATION_B_W: case VIPS_INTERPRETATION_GREY16: return profile && !pv_is_usable(profile, count, "GRAY");
  case VIPS_INTERPRETATION_sRGB: case VIPS_INTERPRETATION_RGB16: return profile && !pv_is_usable(profile, count, "RGB ");
  case VIPS_INTERPRETATION_CMYK: return profile && !pv_is_usable(profile, count, "CMYK");
  /* Numbers that mean themselves, also beside a profile of their own kind. */
  default: return profile != NULL;
  }
}

/* To sRGB by the embedded profile, or of L*a*b*, which files have under D50, and vips_colourspace takes for D65. Libvips
 * takes a profile that has the table of another intent alone for sRGB, and only warns. */
static int transform(VipsImage *in, VipsImage **out) {
  const void *profile;
  size_t count;
  VipsIntent intent;

  if (!vips_image_get_typeof(in, VIPS_META_ICC_NAME)) return vips_icc_export(in, out, "output_profile", "srgb", NULL);
  if (vips_image_get_blob(in, VIPS_META_ICC_NAME, &profile, &count)) return -1;
  intent = pv_is_relative(profile, count) ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL;
  return vips_icc_transform(in, out, "srgb", "embedded", TRUE, "intent", intent, NULL);
}

/* The same beside alpha. Libvips 8.14 takes that of 16 bits over without making it 8, so that all but the most transparent
 * pixels end up opaque, and that of L*a*b* is lost: it goes a way of its own. */
static int by_profile(VipsImage *in, VipsImage **out) {
  int colours = in->Type == VIPS_INTERPRETATION_B_W || in->Type == VIPS_INTERPRETATION_GREY16 ? 1
    : in->Type == VIPS_INTERPRETATION_CMYK                                                    ? 4
                                                                                              : 3;
  VipsObject *scope;
  VipsImage **t;
  int failed;

  if (in->BandFmt == VIPS_FORMAT_UCHAR || in->Bands <= colours)
    return transform(in, out);
  scope = VIPS_OBJECT(vips_image_new());
  t = (VipsImage **)vips_object_local_array(scope, 5);
  /* Beside signed L*a*b* the bits of alpha are those of an unsigned number. */
  failed = vips_extract_band(in, &t[0], 0, "n", colours, NULL)
    || transform(t[0], &t[1])
    || vips_extract_band(in, &t[2], colours, NULL)
    || vips_copy(t[2], &t[3], "format", in->BandFmt == VIPS_FORMAT_SHORT ? VIPS_FORMAT_USHORT : in->BandFmt, NULL)
    || vips_cast(t[3], &t[4], VIPS_FORMAT_UCHAR, "shift", t[3]->BandFmt == VIPS_FORMAT_USHORT, NULL)
    || vips_bandjoin2(t[1], t[4], out, NULL);
  g_object_unref(scope);
  return failed;
}

/* Grey that has become three equal channels, as one again; with its alpha. */
static int to_grey(VipsObject *scope, VipsImage *in, int is_limited, VipsImage **out) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 5), *grey;
  int is_deep = in->BandFmt == VIPS_FORMAT_USHORT;
  double step = is_deep ? 256 : 1, scale = (is_deep ? 65535 : 255) / (219 * step);

  if (vips_extract_band(in, &t[0], 0, NULL)) return -1;
  grey = t[0];
  /* To the nearest: a cast cuts off. */
  if (is_limited) {
    if (vips_linear1(grey, &t[1], scale, 0.5 - 16 * step * scale, NULL)) return -1;
    if (vips_cast(t[1], &t[2], in->BandFmt, NULL)) return -1;
    grey = t[2];
  }
  if (in->Bands == 4) {
    if (vips_extract_band(in, &t[3], 3, NULL) || vips_bandjoin2(grey, t[3], &t[4], NULL)) return -1;
    grey = t[4];
  }
  return vips_copy(
    grey, out, "interpretation", is_deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W, NULL);
}

int pv_grey(pv_image *in, int is_limited, pv_image **out) {
  VipsImage *scope = vips_image_new(), *image = NULL;
  int failed = to_grey(VIPS_OBJECT(scope), pv_in(in), is_limited, &image);
  g_object_unref(scope);
  return pv_finish(failed, image, out);
}

int pv_unpremultiply(pv_image *handle, pv_image **out) {
  VipsImage *scope = vips_image_new(), *in = pv_in(handle), *image = NULL;
  VipsImage **t = (VipsImage **)vips_object_local_array(VIPS_OBJECT(scope), 2);
  double most = in->BandFmt == VIPS_FORMAT_USHORT ? 65535 : 255;
  int failed = vips_unpremultiply(in, &t[0], "max_alpha", most, NULL) || vips_linear1(t[0], &t[1], 1, 0.5, NULL)
    || vips_cast(t[1], &image, in->BandFmt, NULL);
  g_object_unref(scope);
  return pv_finish(failed, image, out);
}

static int to_srgb(VipsObject *scope, VipsImage *in, VipsImage **out) {
  VipsImage **t = (VipsImage **)vips_object_local_array(scope, 5);
  int managed, is_grey, is_lab;

  if (vips_copy(in, &t[4], "interpretation", meaning(in), NULL)) return -1;
  in = t[4];
  is_lab = in->Type == VIPS_INTERPRETATION_LAB || in->Type == VIPS_INTERPRETATION_LABS
    || in->Type == VIPS_INTERPRETATION_LABQ;
  is_grey = in->Bands < 3 && in->Type != VIPS_INTERPRETATION_CMYK;
  managed = (is_lab || vips_image_get_typeof(in, VIPS_META_ICC_NAME)) && !by_profile(in, &t[0]);
  if (!managed) {
    VipsInterpretation target = is_grey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
    /* A broken profile is not a reason to refuse a picture: its numbers are taken as they are. */
    vips_error_clear();
    if (vips_colourspace(in, &t[0], target, NULL)) return -1;
  }
  in = t[0];
  if (in->BandFmt != VIPS_FORMAT_UCHAR) {
    if (vips_cast(in, &t[1], VIPS_FORMAT_UCHAR, NULL)) return -1;
    in = t[1];
  }
  if (in->Bands > 4) {
    if (vips_extract_band(in, &t[2], 0, "n", 4, NULL)) return -1;
    in = t[2];
  }
  if (is_grey && in->Bands > 2) {
    if (to_grey(scope, in, 0, &t[2])) return -1;
    in = t[2];
  }
  if (vips_copy(in, &t[3], NULL)) return -1;
  vips_image_remove(t[3], VIPS_META_ICC_NAME);
  *out = t[3];
  g_object_ref(*out);
  return 0;
}

int pv_to_srgb(pv_image *in, pv_image **out) {
  VipsImage *scope = vips_image_new();
  VipsImage *image = NULL;
  int failed = to_srgb(VIPS_OBJECT(scope), pv_in(in), &image);
  g_object_unref(scope);
  return pv_finish(failed, image, out);
}

/* The size of a small profile of a picture's own space; 0 for sRGB, -1 where it has no RGB numbers of `format` in one. */
static int own_space(VipsImage *in, VipsBandFormat format, unsigned char small[PV_SMALL_PROFILE]) {
  int is_rgb = in->Type == VIPS_INTERPRETATION_sRGB || in->Type == VIPS_INTERPRETATION_RGB16;
  const void *profile;
  size_t count;

  if (!is_rgb || in->BandFmt != format || in->Coding != VIPS_CODING_NONE) return -1;
  if (in->Bands != 3 && !(in->Bands == 4 && vips_image_hasalpha(in))) return -1;
  profile = pv_image_profile((pv_image *)in, &count);
  return profile ? pv_small_profile(profile, count, small) : -1;
}

int pv_to_8_bit(pv_image *handle, pv_image **out) {
  VipsImage *in = pv_in(handle), *image = NULL;
  VipsObject *scope;
  VipsImage **t;
  unsigned char small[PV_SMALL_PROFILE];
  int failed;

  if (own_space(in, VIPS_FORMAT_USHORT, small) < 0) return pv_to_srgb(handle, out);
  scope = VIPS_OBJECT(vips_image_new());
  t = (VipsImage **)vips_object_local_array(scope, 2);
  /* To the nearest: a cast cuts off. */
  failed = vips_linear1(in, &t[0], 1.0 / 257, 0.5, NULL) || vips_cast(t[0], &t[1], VIPS_FORMAT_UCHAR, NULL)
    || vips_copy(t[1], &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
  g_object_unref(scope);
  return pv_finish(failed, image, out);
}

int pv_keep_space(pv_image *in, unsigned char profile[PV_SMALL_PROFILE], int *count, pv_image **out) {
  VipsImage *image = NULL;
  int failed;

  *out = NULL;
  *count = own_space(pv_in(in), VIPS_FORMAT_UCHAR, profile);
  if (*count < 0) return PV_FAILED;
  failed = vips_copy(pv_in(in), &image, NULL);
  if (!failed) vips_image_remove(image, VIPS_META_ICC_NAME);
  return pv_finish(failed, image, out);
}

int pv_with_profile(pv_image *in, const void *profile, size_t count, pv_image **out) {
  VipsImage *image = NULL;
  int failed = vips_copy(pv_in(in), &image, NULL);
  if (!failed && count) vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, count);
  else if (!failed) vips_image_remove(image, VIPS_META_ICC_NAME);
  return pv_finish(failed, image, out);
}

int pv_keep_bands(pv_image *in, int bands, pv_image **out) {
  VipsImage *image = NULL;
  return pv_finish(vips_extract_band(pv_in(in), &image, 0, "n", bands, NULL), image, out);
}

int pv_add_alpha(pv_image *in, pv_image **out) {
  VipsImage *image = NULL;
  if (vips_image_hasalpha(pv_in(in))) {
    g_object_ref(in);
    *out = in;
    return PV_OK;
  }
  return pv_finish(vips_addalpha(pv_in(in), &image, NULL), image, out);
}

int pv_flatten(pv_image *in, pv_image **out) {
  double white = 255;
  VipsArrayDouble *background = vips_array_double_new(&white, 1);
  VipsImage *image = NULL;
  int failed = vips_flatten(pv_in(in), &image, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return pv_finish(failed, image, out);
}
