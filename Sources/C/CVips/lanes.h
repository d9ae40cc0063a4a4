/* The inner loops of lanes.c, made once for each kind of processor, so there is no include guard: PV_NAME(name) names
 * the functions, PV_TARGET is their attribute, and PV_PRODUCT(a, b) is (a * b + 0x4000) >> 15 for each pair of lanes. */

/* The sum of `count` values by their weights. */
PV_TARGET static inline void PV_NAME(weigh)(
  pv_lanes *out, const pv_lanes *from, size_t step, const pv_whole_tap *tap) {
  pv_lanes sum = 0;
  for (int i = 0; i < tap->count; i++) {
    pv_lanes weight = tap->weights[i];
    sum += PV_PRODUCT(from[i * step], weight);
  }
  *out = sum;
}

/* The columns of PV_ROWS rows of the result; `levels` begins with the source's row `top`. */
PV_TARGET static void PV_NAME(weigh_rows)(
  pv_lanes *out, const pv_lanes *levels, int top, const pv_whole_tap *taps) {
  for (int row = 0; row < PV_ROWS; row++)
    PV_NAME(weigh)(&out[row], levels + (taps[row].first - top), 1, &taps[row]);
}

/* The pixels of PV_ROWS rows; a lane is a row. */
PV_TARGET static void PV_NAME(weigh_pixels)(
  pv_bytes *out, const pv_lanes *from, const pv_whole_axis *across, int bands) {
  for (int x = 0; x < across->size; x++) {
    const pv_whole_tap *tap = &across->taps[x];
    for (int band = 0; band < bands; band++, out++) {
      pv_lanes sum;
      PV_NAME(weigh)(&sum, from + (size_t)tap->first * bands + band, (size_t)bands, tap);
      sum = (sum + (1 << (PV_FRACTION - 1))) >> PV_FRACTION;
      sum = sum < -128 ? (pv_lanes)-128 : sum > 127 ? (pv_lanes)127 : sum;
      *out = __builtin_convertvector(sum + 128, pv_bytes);
    }
  }
}

#undef PV_TARGET
#undef PV_NAME
#undef PV_PRODUCT
