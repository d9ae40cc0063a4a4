#ifndef PREHEAT_CDRAW_SHAPE_H
#define PREHEAT_CDRAW_SHAPE_H

/* Masks of rounded rectangles as Core Graphics fills and strokes them: paths become chords, a pixel's alpha is the
 * area of it that they enclose. The same bytes on every processor. */

enum pd_corner {
  /* Quarter circles, as CGPath draws them. */
  PD_ARCS,
  /* UIBezierPath's since iOS 11: the curve begins before the quarter circle would. */
  PD_CONTINUOUS
};

typedef struct {
  enum pd_corner corner;
  /* From all four edges of the canvas, in pixels and fractions of them. */
  double inset;
  /* Top left, top right, bottom left, bottom right; limited to half the shorter side. */
  double radii[4];
  /* The width of the line that is stroked along the path; 0 for all that the path encloses. */
  double line;
} pd_outline;

typedef struct pd_mask pd_mask;

/* NULL for want of memory, or without pixels. */
pd_mask *pd_mask_new(int width, int height, const pd_outline *outline);
void pd_mask_free(pd_mask *mask);

/* Writes the first and the last n alphas of a row, and returns n. Between them all are as deep inside the shape: 255,
 * or 0 for a line. */
int pd_mask_row(pd_mask *mask, int y, unsigned char *alpha);

#endif
