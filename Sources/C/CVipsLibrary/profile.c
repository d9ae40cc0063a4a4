#include <lcms2.h>
#include <math.h>
#include <string.h>

#include "internal.h"

/* Curves of published spaces as lcms' fourth kind: sRGB (IEC 61966-2-1), ProPhoto (ISO 22028-2), ITU-R BT.709, and CIE
 * lightness. */
static const double known[][5] = {
  {157286 / 65536.0, 62119 / 65536.0, 3417 / 65536.0, 5073 / 65536.0, 2651 / 65536.0},
  {1.8, 1, 0, 1 / 16.0, 1 / 32.0},
  {145636 / 65536.0, 59632 / 65536.0, 5904 / 65536.0, 14564 / 65536.0, 5308 / 65536.0},
  {3, 56497 / 65536.0, 9039 / 65536.0, 7255 / 65536.0, 5243 / 65536.0},
};
enum { KNOWN = sizeof known / sizeof *known, LONGEST_NAME = 16 };

static const cmsTagSignature colours[] = {
  cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
static const cmsTagSignature curves[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};

/* The light of a level. */
static double light(const cmsToneCurve *curve, int level) {
  return cmsEvalToneCurveFloat(curve, (cmsFloat32Number)(level / 255.0));
}

/* How far a curve is from another at its worst, in levels. */
static double distance(const cmsToneCurve *curve, const cmsToneCurve *wanted) {
  double most = 0;
  for (int i = 0; i < 256; i++) {
    double here = light(curve, i), there = light(wanted, i);
    int next = (there > here && i < 255) || i == 0 ? i + 1 : i - 1;
    double away = fabs(there - here) / fmax(fabs(light(curve, next) - here), 1e-9);
    if (!(away <= most)) most = away;
  }
  return most;
}

/* The curve as a formula, for the caller to free; NULL where none is within a level. */
static cmsToneCurve *formula(const cmsToneCurve *curve) {
  double middle = light(curve, 128), best = 1;
  cmsToneCurve *found = NULL;
  int type = cmsGetToneCurveParametricType(curve);

  if (type >= 1 && type <= 5) return cmsDupToneCurve(curve);
  /* Nearer than a quarter of a level gains nothing. */
  for (int i = 0; i <= KNOWN && best > 0.25; i++) {
    double gamma = middle > 1e-4 && middle < 0.9 ? log(middle) / log(128 / 255.0) : 1, away;
    cmsToneCurve *tried = i < KNOWN ? cmsBuildParametricToneCurve(NULL, 4, known[i]) : cmsBuildGamma(NULL, gamma);
    if (!tried) continue;
    away = distance(tried, curve);
    if (away <= best) {
      cmsToneCurve *old = found;
      best = away;
      found = tried;
      tried = old;
    }
    cmsFreeToneCurve(tried);
  }
  return found;
}

/* Colours that make a white which is neither black nor far from 1, each of them its own. */
static int are_sensible(const cmsCIEXYZ c[3]) {
  double white = c[0].Y + c[1].Y + c[2].Y;
  double determinant = c[0].X * (c[1].Y * c[2].Z - c[2].Y * c[1].Z) - c[1].X * (c[0].Y * c[2].Z - c[2].Y * c[0].Z)
    + c[2].X * (c[0].Y * c[1].Z - c[1].Y * c[0].Z);
  return white > 0.8 && white < 1.2 && fabs(determinant) > 0.001;
}

static int is_srgb(const cmsCIEXYZ c[3], cmsToneCurve *const formulas[3]) {
  /* Under D50. */
  static const double srgb[3][3] = {{0.4360, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}};
  cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, known[0]);
  int is = curve != NULL;
  for (int i = 0; i < 3; i++) {
    is = is && fabs(c[i].X - srgb[i][0]) <= 0.002 && fabs(c[i].Y - srgb[i][1]) <= 0.002
      && fabs(c[i].Z - srgb[i][2]) <= 0.002 && distance(formulas[i], curve) <= 1;
  }
  if (curve) cmsFreeToneCurve(curve);
  return is;
}

static int write_text(cmsHPROFILE to, cmsTagSignature tag, const char *text) {
  cmsMLU *words = cmsMLUalloc(NULL, 1);
  int written = words && cmsMLUsetASCII(words, "en", "US", text) && cmsWriteTag(to, tag, words);
  cmsMLUfree(words);
  return written;
}

/* The profile's own name where it is short and plain. */
static int write_name(cmsHPROFILE from, cmsHPROFILE to) {
  char name[LONGEST_NAME + 1] = "";
  cmsUInt32Number count = cmsGetProfileInfoASCII(from, cmsInfoDescription, "en", "US", NULL, 0);
  int is_plain = count > 1 && count <= sizeof name;
  if (is_plain) cmsGetProfileInfoASCII(from, cmsInfoDescription, "en", "US", name, sizeof name);
  for (const char *at = name; *at; at++) is_plain = is_plain && *at >= 32 && *at <= 126;
  return write_text(to, cmsSigProfileDescriptionTag, is_plain && *name ? name : "RGB");
}

/* The bytes of a profile with these colours and curves, the same at all times; their count, -1 where they do not fit. */
static int write_small(cmsHPROFILE from, const cmsCIEXYZ c[3], cmsToneCurve *const formulas[3], unsigned char *bytes) {
  /* The first day of 2000. */
  static const unsigned char date[12] = {7, 208, 0, 1, 0, 1};
  cmsHPROFILE to = cmsCreateProfilePlaceholder(NULL);
  cmsUInt32Number size = 0;
  int written;

  if (!to) return -1;
  cmsSetProfileVersion(to, 4.2);
  cmsSetDeviceClass(to, cmsSigDisplayClass);
  cmsSetColorSpace(to, cmsSigRgbData);
  cmsSetPCS(to, cmsSigXYZData);
  written = write_name(from, to) && write_text(to, cmsSigCopyrightTag, "CC0")
    && cmsWriteTag(to, cmsSigMediaWhitePointTag, cmsD50_XYZ());
  for (int i = 0; i < 3; i++) {
    written = written && cmsWriteTag(to, colours[i], &c[i])
      && (i && formulas[i] == formulas[0] ? cmsLinkTag(to, curves[i], curves[0]) : cmsWriteTag(to, curves[i], formulas[i]));
  }
  written = written && cmsSaveProfileToMem(to, NULL, &size) && size <= PV_SMALL_PROFILE
    && cmsSaveProfileToMem(to, bytes, &size);
  cmsCloseProfile(to);
  if (!written) return -1;
  memcpy(bytes + 24, date, sizeof date);
  return (int)size;
}

static cmsHPROFILE open_profile(const void *profile, size_t count) {
  return count <= PV_LARGEST_PROFILE ? cmsOpenProfileFromMem(profile, (cmsUInt32Number)count) : NULL;
}

static int is_relative(cmsHPROFILE from) {
  return !from || cmsIsIntentSupported(from, INTENT_RELATIVE_COLORIMETRIC, LCMS_USED_AS_INPUT);
}

int pv_is_relative(const void *profile, size_t count) {
  cmsHPROFILE from = open_profile(profile, count);
  int is = is_relative(from);
  if (from) cmsCloseProfile(from);
  return is;
}

static int is_curve(cmsHPROFILE from, cmsTagSignature tag) {
  char type[4];
  return cmsReadRawTag(from, tag, type, sizeof type) == sizeof type && (!memcmp(type, "curv", 4) || !memcmp(type, "para", 4));
}

/* A transform takes as long to make as a small picture to draw, so that it is made of tables alone. */
static int makes_srgb(cmsHPROFILE from) {
  cmsHPROFILE srgb;
  cmsHTRANSFORM transform;
  int is = cmsGetColorSpace(from) != cmsSigGrayData || is_curve(from, cmsSigGrayTRCTag);

  if (cmsIsMatrixShaper(from) && !cmsIsCLUT(from, INTENT_PERCEPTUAL, LCMS_USED_AS_INPUT)) {
    for (int i = 0; i < 3 && cmsGetColorSpace(from) == cmsSigRgbData; i++)
      is = is && cmsReadTag(from, colours[i]) && is_curve(from, curves[i]);
    return is;
  }
  srgb = cmsCreate_sRGBProfile();
  transform = srgb ? cmsCreateTransform(
    from, cmsFormatterForColorspaceOfProfile(from, 1, 0), srgb, TYPE_RGB_8,
    is_relative(from) ? INTENT_RELATIVE_COLORIMETRIC : INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE) : NULL;
  if (transform) cmsDeleteTransform(transform);
  if (srgb) cmsCloseProfile(srgb);
  return transform != NULL;
}

int pv_is_usable(const void *profile, size_t count, const char space[4]) {
  cmsHPROFILE from = open_profile(profile, count);
  cmsProfileClassSignature kind = from ? cmsGetDeviceClass(from) : 0;
  int is_device = kind == cmsSigInputClass || kind == cmsSigDisplayClass || kind == cmsSigOutputClass;
  /* Its colour space stands at byte 16. libvips would apply it to as many bands as it has channels. */
  int is = (is_device || kind == cmsSigColorSpaceClass) && !memcmp((const char *)profile + 16, space, 4) && makes_srgb(from);
  if (from) cmsCloseProfile(from);
  return is;
}

int pv_small_profile(const void *profile, size_t count, unsigned char small[PV_SMALL_PROFILE]) {
  cmsToneCurve *formulas[3] = {NULL};
  cmsCIEXYZ c[3];
  cmsHPROFILE from = open_profile(profile, count);
  int size = -1;
  int is_read = from && cmsGetColorSpace(from) == cmsSigRgbData && cmsGetPCS(from) == cmsSigXYZData
    && cmsIsMatrixShaper(from) && !cmsIsCLUT(from, INTENT_PERCEPTUAL, LCMS_USED_AS_INPUT);

  for (int i = 0; is_read && i < 3; i++) {
    const cmsCIEXYZ *colour = cmsReadTag(from, colours[i]);
    const cmsToneCurve *curve = cmsReadTag(from, curves[i]);
    is_read = colour && curve;
    if (!is_read) break;
    c[i] = *colour;
    formulas[i] = i && cmsTagLinkedTo(from, curves[i]) == curves[0] ? formulas[0] : formula(curve);
    is_read = formulas[i] != NULL;
  }
  if (is_read && are_sensible(c)) size = is_srgb(c, formulas) ? 0 : write_small(from, c, formulas, small);
  for (int i = 0; i < 3; i++)
    if (formulas[i] && (!i || formulas[i] != formulas[0])) cmsFreeToneCurve(formulas[i]);
  if (from) cmsCloseProfile(from);
  return size;
}

int pv_make_profile(
  const double places[8], const double parameters[5], int is_grey, unsigned char small[PV_SMALL_PROFILE]) {
  cmsCIExyYTRIPLE c = {{places[0], places[1], 1}, {places[2], places[3], 1}, {places[4], places[5], 1}};
  cmsCIExyY white = {places[6], places[7], 1};
  cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
  cmsToneCurve *srgb = cmsBuildParametricToneCurve(NULL, 4, known[0]), *all[3] = {curve, curve, curve};
  cmsHPROFILE made = !curve || !srgb ? NULL
    : is_grey                        ? cmsCreateGrayProfile(cmsD50_xyY(), curve)
                                     : cmsCreateRGBProfile(&white, &c, all);
  unsigned char bytes[4096];
  cmsUInt32Number size = is_grey ? PV_SMALL_PROFILE : sizeof bytes;
  int count = -1;

  if (made && cmsSaveProfileToMem(made, is_grey ? small : bytes, &size))
    count = !is_grey ? pv_small_profile(bytes, size, small) : distance(curve, srgb) <= 1 ? 0 : (int)size;
  if (made) cmsCloseProfile(made);
  if (srgb) cmsFreeToneCurve(srgb);
  if (curve) cmsFreeToneCurve(curve);
  return count;
}

int pv_match_color(const void *profile, size_t count, double color[3]) {
  cmsHPROFILE srgb = cmsCreate_sRGBProfile(), own = cmsOpenProfileFromMem(profile, (cmsUInt32Number)count);
  cmsHTRANSFORM transform = srgb && own
    ? cmsCreateTransform(
        srgb, TYPE_RGB_DBL, own, TYPE_RGB_DBL, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE)
    : NULL;

  if (transform) {
    cmsDoTransform(transform, color, color, 1);
    for (int i = 0; i < 3; i++) color[i] = fmin(fmax(color[i], 0), 1);
    cmsDeleteTransform(transform);
  }
  if (own) cmsCloseProfile(own);
  if (srgb) cmsCloseProfile(srgb);
  return transform ? PV_OK : PV_FAILED;
}
