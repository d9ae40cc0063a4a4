#ifndef PREHEAT_CVIPS_H
#define PREHEAT_CVIPS_H

#include <stddef.h>

/* libvips behind opaque handles: nothing of GLib or libvips shows in this header. The functions are those of the library
 * CVipsLibrary, which is opened late: they are reached through the table of cvips_table.h.
 *
 * Functions that return a status give PV_OK and a new handle, or another status and no handle; what
 * libvips has to say is then in pv_take_error. Handles are freed by the caller. Images are lazy: work
 * happens in pv_copy_memory, pv_drain, pv_round and the savers. */

typedef struct pv_source pv_source;
typedef struct pv_image pv_image;

enum pv_status { PV_OK = 0, PV_FAILED = 1, PV_NO_MEMORY = 2 };

typedef struct {
  int width;
  int height;
  int bands;
  int has_alpha;
  /* 8 bit sRGB or grey without an embedded profile: needs no pv_to_srgb. */
  int is_plain;
  /* 8 bit a channel, in whatever colours. */
  int is_8bit;
  /* EXIF orientation, 1 to 8. */
  int orientation;
} pv_info;

const char *pv_version(void);

/* The text of libvips' error buffer, which is emptied. Freed by pv_free. The
 * buffer belongs to the whole process: the text is detail for people, never ground for a decision. */
char *pv_take_error(void);
/* The first warning since the last picture was opened, for people too, or NULL; freed by pv_free. */
char *pv_take_warning(void);
void pv_free(void *memory);

/* Copies the bytes: images read from it may outlive the caller's memory. */
pv_source *pv_source_new(const void *bytes, size_t count);
void pv_source_free(pv_source *source);

/* First frame, by the named loader, top to bottom once: libvips' own search asks every format's sniffer, and
 * some of those hang or crash. `option` is the loader's, of whole numbers: that to leave pixels out while it decodes,
 * or "n" with -1 for all frames, one below the other; NULL for none. `strict` refuses what decoders warn about;
 * truncation is refused always. */
int pv_load(
  pv_source *source, const char *loader, const char *option, int value, int strict, pv_image **out);

/* How frames follow one another: the height of one, milliseconds for each (owned by the image), and how often, 0 for
 * ever. */
typedef struct {
  int height;
  const int *delays;
  int delay_count;
  int loop;
} pv_film;

pv_film pv_frames(pv_image *image);
int pv_set_frames(pv_image *image, int height, const int *delays, int delay_count, int loop);

void pv_image_free(pv_image *image);
pv_info pv_image_info(pv_image *image);
/* The EXIF block, owned by the image; NULL without one. */
const void *pv_image_exif(pv_image *image, size_t *count);

/* The colour profile, owned by the image; NULL without one. */
const void *pv_image_profile(pv_image *image, size_t *count);

/* Whether it has a profile that is for other colours than its bands are, or that cannot be used. */
int pv_has_foreign_profile(pv_image *image);

/* The pixels of an image that is in memory, owned by the image; NULL for others. */
const void *pv_image_pixels(pv_image *image, size_t *count);

/* A picture of 1 to 4 bands, sRGB or grey, of rows without padding in malloc's memory, which becomes the image's; with a
 * copy of a colour profile where that has bytes. */
pv_image *pv_image_of(
  void *pixels, int width, int height, int bands, const void *profile, size_t profile_count);

/* Decodes into memory. */
int pv_copy_memory(pv_image *in, pv_image **out);
/* Receives rows of the picture, `stride` bytes apart; not 0 is for want of memory. */
typedef int (*pv_take)(void *context, const unsigned char *rows, size_t stride, int count);
/* Decodes an 8 bit image from top to bottom and hands all rows out. */
int pv_rows(pv_image *in, pv_take take, void *context);
/* Decodes to the end and keeps nothing. */
int pv_drain(pv_image *in);

/* Turned and mirrored as an EXIF orientation (1 to 8) says; the tag is dropped. */
int pv_turn(pv_image *in, int orientation, pv_image **out);
/* 8 bit sRGB or grey with or without alpha, the embedded profile applied and dropped. */
int pv_to_srgb(pv_image *in, pv_image **out);
/* 8 bit with the profile left in place where pv_keep_space would take it, else as pv_to_srgb gives it. */
int pv_to_8_bit(pv_image *in, pv_image **out);

enum { PV_SMALL_PROFILE = 600 };
/* An 8 bit RGB picture as it is, without its profile, of which `profile` gets a small one of the same colours: its size
 * is `count`, 0 for sRGB. PV_FAILED, without a message, for colours that are not RGB by a matrix and three curves. */
int pv_keep_space(pv_image *in, unsigned char profile[PV_SMALL_PROFILE], int *count, pv_image **out);
/* Such a profile of colours by x and y of red, green, blue and white, and by lcms' fourth kind of curve (g, a, b, c, d);
 * of grey by the curve alone. Its size; 0 for sRGB, -1 for what no colours can be. */
int pv_make_profile(
  const double places[8], const double curve[5], int is_grey, unsigned char profile[PV_SMALL_PROFILE]);
/* An sRGB colour, 0...1, in the space of such a profile, limited to it. */
int pv_match_color(const void *profile, size_t count, double color[3]);
/* The reverse of pv_keep_space: with a profile that its numbers are meant in; without any where `count` is 0. */
int pv_with_profile(pv_image *in, const void *profile, size_t count, pv_image **out);
/* The first of three equal bands, with alpha; of limited range its black of 16 becomes 0, and its white of 235 becomes
 * 255. */
int pv_grey(pv_image *in, int is_limited, pv_image **out);
/* Colours that are not weighted by alpha, of such that are. */
int pv_unpremultiply(pv_image *in, pv_image **out);
/* The first bands alone. */
int pv_keep_bands(pv_image *in, int bands, pv_image **out);
int pv_add_alpha(pv_image *in, pv_image **out);
/* Alpha onto white. */
int pv_flatten(pv_image *in, pv_image **out);
/* Turned counterclockwise about its centre, which comes to lie in that of a canvas of width x height pixels. What the
 * picture does not cover is transparent, so it has to have alpha. */
int pv_rotate(pv_image *in, double cosine, double sine, int width, int height, pv_image **out);
int pv_crop(pv_image *in, int left, int top, int width, int height, pv_image **out);
/* How a picture is laid on a canvas, in pixels: all of it becomes `width` x `height` of them, from `left` and `top`. What
 * lies outside of the canvas is cut; what stays free of it is transparent. */
typedef struct {
  int left, top, width, height, canvas_width, canvas_height;
} pv_scaling;

/* By vips_resize, colours weighted by alpha, of 1 to 4 bands with 8 bits; works at once. */
int pv_scale(pv_image *in, const pv_scaling *scaling, pv_image **out);

/* Same size; what lies outside is taken to be like the edge. */
int pv_blur(pv_image *in, double sigma, pv_image **out);

/* Encoded bytes without any metadata, freed by pv_free. `options` are the saver's, as "name=value,name=value" in
 * libvips' words. Without `keeps_fields` the picture goes out as bare pixels, and with a profile where `profile_count`
 * is not 0. */
int pv_save(
  pv_image *in, const char *saver, const char *options, int keeps_fields, const void *profile, size_t profile_count,
  void **bytes, size_t *count);

/* Whether libvips has an operation of this name. */
int pv_has_operation(const char *name);

#endif
