#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <string.h>

#include "profile.h"

/* Numbers of a profile, as the file has them (ICC.1:2022, 4). */
static unsigned get32(const unsigned char *at) {
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

static double get_fixed(const unsigned char *at) { return (double)(int)get32(at) / 65536; }

/* A tag's data; `count` is 0 where there is none. */
typedef struct {
  const unsigned char *at;
  size_t count;
} part;

static part find(const unsigned char *profile, size_t count, const char *name) {
  unsigned rows = get32(profile + 128);
  if (rows > (count - PV_PROFILE_HEAD) / PV_PROFILE_ROW) return (part){NULL, 0};
  for (unsigned i = 0; i < rows; i++) {
    const unsigned char *row = profile + PV_PROFILE_HEAD + (size_t)i * PV_PROFILE_ROW;
    size_t at = get32(row + 4), size = get32(row + 8);
    if (memcmp(row, name, 4)) continue;
    if (size < 8 || at > count || size > count - at) break;
    return (part){profile + at, size};
  }
  return (part){NULL, 0};
}

static int is_of(part tag, const char *type, size_t least) {
  return tag.count >= least && !memcmp(tag.at, type, 4);
}

/* ICC.1:2022, table 68, each form written as the last one. A gamma is the first of them. */
static int read_formula(part tag, pv_curve *curve) {
  static const int counts[5] = {1, 3, 4, 5, 7};
  int form = tag.at[8] << 8 | tag.at[9];
  double p[7] = {0};

  if (form > 4 || tag.count < 12 + 4 * (size_t)counts[form]) return -1;
  for (int i = 0; i < counts[form]; i++) p[i] = get_fixed(tag.at + 12 + 4 * i);
  if (form == 0) p[1] = 1;
  if (p[0] <= 0 || p[1] <= 0) return -1;
  if (form == 2) p[5] = p[6] = p[3];
  if (form < 3) {
    p[3] = 0;
    p[4] = -p[2] / p[1];
  }
  memcpy(curve->formula, p, sizeof p);
  curve->size = 12 + 4 * counts[form];
  memcpy(curve->bytes, tag.at, (size_t)curve->size);
  return 0;
}

static double raised(const double p[7], double x) {
  if (x < p[4]) return p[3] * x + p[6];
  return pow(fmax(p[1] * x + p[2], 0), p[0]) + p[5];
}

/* The level of an amount of light; formulas of curves rise. */
static double lowered(const double p[7], double light) {
  double low = 0, high = 1;
  for (int i = 0; i < 24; i++) {
    double middle = (low + high) / 2;
    if (raised(p, middle) < light)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static double looked_up(const unsigned char *table, unsigned count, double x) {
  double place = x * (count - 1);
  unsigned i = (unsigned)place < count - 2 ? (unsigned)place : count - 2;
  double low = table[2 * i] << 8 | table[2 * i + 1], high = table[2 * i + 2] << 8 | table[2 * i + 3];
  return (low + (high - low) * (place - i)) / 65535;
}

/* How far a formula is from `wanted`, the light of each of the 256 levels, in levels. */
static double distance(const double formula[7], const double wanted[256]) {
  double light[256], most = 0;
  for (int i = 0; i < 256; i++) light[i] = raised(formula, i / 255.0);
  for (int i = 0; i < 256; i++) {
    int next = (wanted[i] > light[i] && i < 255) || i == 0 ? i + 1 : i - 1;
    double level = fmax(fabs(light[next] - light[i]), 1e-9);
    most = fmax(most, fabs(wanted[i] - light[i]) / level);
  }
  return most;
}

/* Curves of published spaces in 1/65536: sRGB (IEC 61966-2-1), ProPhoto (ISO 22028-2), ITU-R BT.709, and CIE lightness.
 * All have the fourth form. */
static const int known[][5] = {
  {157286, 62119, 3417, 5073, 2651},
  {117965, 65536, 0, 4096, 2048},
  {145636, 59632, 5904, 14564, 5308},
  {196608, 56497, 9039, 7255, 5243},
};
enum { KNOWN = sizeof known / sizeof *known };

static void write_formula(pv_curve *curve, const int fixed[5]) {
  static const unsigned char head[12] = {'p', 'a', 'r', 'a', 0, 0, 0, 0, 0, 3};
  memset(curve->formula, 0, sizeof curve->formula);
  memcpy(curve->bytes, head, sizeof head);
  for (int i = 0; i < 5; i++) {
    curve->formula[i] = fixed[i] / 65536.0;
    pv_put32(curve->bytes + 12 + 4 * i, (unsigned)fixed[i]);
  }
  curve->size = 32;
}

/* The formula that is nearest to a table; -1 where that is off by more than a level. */
static int fit(const double wanted[256], pv_curve *curve) {
  double middle = wanted[128], best = 1;
  int found = -1;

  /* Nearer than that is no gain. */
  for (int i = 0; i <= KNOWN && best > 0.25; i++) {
    pv_curve tried;
    int power[5] = {65536, 65536, 0, 0, 0};
    double away;
    if (i == KNOWN && middle > 1e-4 && middle < 0.9)
      power[0] = (int)(65536 * log(middle) / log(128 / 255.0) + 0.5);
    write_formula(&tried, i < KNOWN ? known[i] : power);
    away = distance(tried.formula, wanted);
    if (!(away <= best)) continue;
    best = away;
    *curve = tried;
    found = 0;
  }
  return found;
}

static int read_curve(part tag, pv_curve *curve) {
  double light[256];
  unsigned count;

  memset(curve, 0, sizeof *curve);
  if (is_of(tag, "para", 12)) return read_formula(tag, curve);
  if (!is_of(tag, "curv", 12)) return -1;
  count = get32(tag.at + 8);
  if (count > (tag.count - 12) / 2) return -1;
  if (count < 2) {
    curve->size = 12 + 4 * (int)count;
    memcpy(curve->bytes, tag.at, 12 + 2 * count);
    curve->formula[0] = count ? (tag.at[12] << 8 | tag.at[13]) / 256.0 : 1;
    curve->formula[1] = 1;
    return curve->formula[0] > 0 ? 0 : -1;
  }
  for (int i = 0; i < 256; i++) light[i] = looked_up(tag.at + 12, count, i / 255.0);
  return fit(light, curve);
}

static double determinant(const double m[9]) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
    + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Colours that make a white which is neither black nor far from 1, each of them its own. */
static int is_sensible(const double matrix[9]) {
  double white = matrix[1] + matrix[4] + matrix[7];
  return white > 0.8 && white < 1.2 && fabs(determinant(matrix)) > 0.001;
}

/* Of sRGB under D50. */
static const double srgb_matrix[9] = {
  0.4360, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141};

static int is_srgb(const pv_space *space) {
  pv_curve srgb;
  double light[256];

  for (int i = 0; i < 9; i++)
    if (fabs(space->matrix[i] - srgb_matrix[i]) > 0.002) return 0;
  write_formula(&srgb, known[0]);
  for (int i = 0; i < 256; i++) light[i] = raised(srgb.formula, i / 255.0);
  for (int i = 0; i < 3; i++) {
    if (i && !memcmp(space->curves[i].formula, space->curves[0].formula, sizeof srgb.formula)) continue;
    if (!(distance(space->curves[i].formula, light) <= 1)) return 0;
  }
  return 1;
}

/* The profile's own name where it is short and plain, in UTF-16. */
static int read_name(part tag, unsigned char *name) {
  static const char other[] = "RGB";
  int is_wide = is_of(tag, "mluc", 28);
  size_t at = is_wide ? get32(tag.at + 24) : 12;
  size_t count = is_wide ? get32(tag.at + 20) / 2 : is_of(tag, "desc", 12) ? get32(tag.at + 8) : 0;
  size_t step = is_wide ? 2 : 1;

  if (!is_wide && count) count--;
  if (!count || count > PV_NAME || at > tag.count || count * step > tag.count - at) count = 0;
  memset(name, 0, 2 * PV_NAME);
  for (size_t i = 0; i < count; i++) {
    const unsigned char *from = tag.at + at + i * step;
    name[2 * i + 1] = from[step - 1];
    if (name[2 * i + 1] < 32 || name[2 * i + 1] > 126 || (is_wide && from[0])) count = 0;
  }
  if (count) return (int)count;
  memset(name, 0, 2 * PV_NAME);
  for (size_t i = 0; i < 3; i++) name[2 * i + 1] = (unsigned char)other[i];
  return 3;
}

int pv_read_space(const unsigned char *profile, size_t count, pv_space *space) {
  static const char *luts[] = {"A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"};
  static const char *colours[] = {"rXYZ", "gXYZ", "bXYZ"}, *curves[] = {"rTRC", "gTRC", "bTRC"};
  part white, chad, first = {NULL, 0};

  memset(space, 0, sizeof *space);
  if (count < PV_PROFILE_HEAD || memcmp(profile + 16, "RGB XYZ ", 8) || memcmp(profile + 36, "acsp", 4)) return -1;
  for (size_t i = 0; i < sizeof luts / sizeof *luts; i++)
    if (find(profile, count, luts[i]).count) return -1;
  for (int i = 0; i < 3; i++) {
    part colour = find(profile, count, colours[i]), curve = find(profile, count, curves[i]);
    if (!is_of(colour, "XYZ ", 20)) return -1;
    if (i && curve.at == first.at)
      space->curves[i] = space->curves[0];
    else if (read_curve(curve, &space->curves[i]))
      return -1;
    if (!i) first = curve;
    memcpy(space->colours[i], colour.at, 20);
    for (int j = 0; j < 3; j++) space->matrix[3 * i + j] = get_fixed(colour.at + 8 + 4 * j);
  }
  white = find(profile, count, "wtpt");
  if (!is_of(white, "XYZ ", 20) || !is_sensible(space->matrix)) return -1;
  memcpy(space->white, white.at, 20);
  chad = find(profile, count, "chad");
  space->has_chad = is_of(chad, "sf32", 44);
  if (space->has_chad) memcpy(space->chad, chad.at, 44);
  space->name_count = read_name(find(profile, count, "desc"), space->name);
  space->is_srgb = is_srgb(space);
  return 0;
}

int pv_match_color(const void *profile, size_t count, double color[3]) {
  double xyz[3] = {0};
  pv_space space;
  pv_curve srgb;

  if (pv_read_space(profile, count, &space)) return PV_FAILED;
  write_formula(&srgb, known[0]);
  for (int i = 0; i < 9; i++) xyz[i % 3] += srgb_matrix[i] * raised(srgb.formula, color[i / 3]);
  for (int i = 0; i < 3; i++) {
    double matrix[9];
    memcpy(matrix, space.matrix, sizeof matrix);
    memcpy(matrix + 3 * i, xyz, sizeof xyz);
    color[i] = lowered(space.curves[i].formula, determinant(matrix) / determinant(space.matrix));
  }
  return PV_OK;
}
