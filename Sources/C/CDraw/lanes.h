/* The inner loops, made once for each kind of processor, so there is no include guard: PD_NAME(name) names the functions,
 * PD_TARGET is their attribute, and PD_PRODUCTS(a, b) is the sum of the products of each two neighbours. */

PD_TARGET static void PD_NAME(pair)(void *pairs, const uint8_t *rows, size_t stride, size_t width, int bands) {
  pd_pairs *out = pairs;
  for (size_t x = 0; x < width; x += 16) {
    pd_bytes columns[4 * 16];
    for (int part = 0; part < bands; part++) {
      const uint8_t *from = rows + x * (size_t)bands + (size_t)part * 16;
      for (int row = 0; row < PD_ROWS; row++) memcpy(&columns[part * 16 + row], from + (size_t)row * stride, 16);
      transpose(columns + part * 16);
    }
    for (int pixel = 0; pixel < 16; pixel += 2) {
      for (int band = 0; band < bands; band++, out += 2) {
        pd_bytes even = columns[pixel * bands + band], odd = columns[(pixel + 1) * bands + band];
        out[0] = __builtin_convertvector(ZIPPED_LOW(even, odd), pd_pairs);
        out[1] = __builtin_convertvector(ZIPPED_HIGH(even, odd), pd_pairs);
      }
    }
  }
}

/* One byte of each row. */
PD_TARGET static inline pd_bytes PD_NAME(across_one)(const pd_pairs *from, size_t step, const pd_tap *tap) {
  int shift = tap->shift;
  pd_sums low = (pd_sums)0 + (1 << (shift - 1)), high = low;
  for (int i = 0; i < tap->pairs; i++, from += step) {
    pd_pairs weights = BOTH(tap->weights + 2 * i);
    low += PD_PRODUCTS(from[0], weights);
    high += PD_PRODUCTS(from[1], weights);
  }
  return JOINED(LEVEL(low, shift), LEVEL(high, shift));
}

PD_TARGET static void PD_NAME(across)(
  uint8_t *out, size_t out_stride, const void *pairs, const pd_axis *axis, int bands) {
  size_t step = 2 * (size_t)bands;
  pd_bytes columns[PD_ROWS];
  int filled = 0;

  for (int x = 0; x < axis->size; x++) {
    const pd_tap *tap = &axis->taps[x];
    const pd_pairs *from = (const pd_pairs *)pairs + (size_t)tap->first / 2 * step;
    for (int band = 0; band < bands; band++) {
      columns[filled++] = PD_NAME(across_one)(from + 2 * band, step, tap);
      if (filled < PD_ROWS && (x + 1 < axis->size || band + 1 < bands)) continue;
      transpose(columns);
      for (int row = 0; row < PD_ROWS; row++) memcpy(out + (size_t)row * out_stride, &columns[row], PD_ROWS);
      out += PD_ROWS;
      filled = 0;
    }
  }
}

PD_TARGET static void PD_NAME(down)(
  uint8_t *out, const uint8_t *rows, size_t stride, int height, const pd_tap *tap, size_t count) {
  int start = tap->first % height, shift = tap->shift;
  for (size_t x = 0; x < count; x += 16) {
    pd_sums low = (pd_sums)0 + (1 << (shift - 1)), high = low;
    /* Both numbers of rows are even, so a pair never straddles the end. */
    for (int i = 0, row = start; i < tap->pairs; i++, row = row + 2 < height ? row + 2 : 0) {
      const uint8_t *from = rows + (size_t)row * stride + x;
      pd_pairs weights = BOTH(tap->weights + 2 * i);
      pd_bytes even, odd;
      memcpy(&even, from, sizeof even);
      memcpy(&odd, from + stride, sizeof odd);
      low += PD_PRODUCTS(__builtin_convertvector(ZIPPED_LOW(even, odd), pd_pairs), weights);
      high += PD_PRODUCTS(__builtin_convertvector(ZIPPED_HIGH(even, odd), pd_pairs), weights);
    }
    pd_bytes level = JOINED(LEVEL(low, shift), LEVEL(high, shift));
    memcpy(out + x, &level, sizeof level);
  }
}

static const pd_loops PD_NAME(loops) = {PD_NAME(pair), PD_NAME(across), PD_NAME(down)};

#undef PD_TARGET
#undef PD_NAME
#undef PD_PRODUCTS
