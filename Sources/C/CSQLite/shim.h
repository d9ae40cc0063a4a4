#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

/* Swift cannot call functions with any number of arguments. */

/* No statistics of memory, which take a lock for each piece of it. Before the first use of the library. */
static inline int cs_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Pieces of memory for the texts of a row, which are not asked of the C library for each row again. Before the connection
 * has prepared a statement. */
static inline int cs_keep_pieces(sqlite3 *database, int size, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, size, count);
}

/* Functions for proving that rows are whole. A mark tells damage apart, and is no protection from anyone who wants to
 * change a row. */

static inline uint64_t cs_mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Sixteen bytes at a time; `mark` has the length, so that the zeros behind the last ones count for nothing. */
static inline uint64_t cs_mark_bytes(uint64_t mark, const uint8_t *bytes, size_t count) {
  uint64_t words[2];
  for (; count >= 16; bytes += 16, count -= 16) {
    memcpy(words, bytes, 16);
    mark = cs_mix(mark ^ words[0], words[1] ^ 0x9E3779B97F4A7C15u);
  }
  if (count == 0) return mark;
  words[0] = words[1] = 0;
  memcpy(words, bytes, count);
  return cs_mix(mark ^ words[0], words[1] ^ 0x9E3779B97F4A7C15u);
}

static inline uint64_t cs_mark_values(int count, sqlite3_value **values) {
  uint64_t mark = 0;
  for (int index = 0; index < count; index++) {
    sqlite3_value *value = values[index];
    int type = sqlite3_value_type(value);
    if (type == SQLITE_INTEGER) {
      mark = cs_mix(mark ^ (uint64_t)sqlite3_value_int64(value), 0xA0761D6478BD642Fu);
    } else {
      const uint8_t *bytes = sqlite3_value_blob(value);
      size_t size = (size_t)sqlite3_value_bytes(value);
      mark = cs_mix(mark ^ ((uint64_t)size << 3 | (uint64_t)type), 0xE7037ED1A0B428DBu);
      mark = cs_mark_bytes(mark, bytes, size);
    }
  }
  return mark;
}

/* mark(value, ...): a number for these values. */
static inline void cs_mark(sqlite3_context *context, int count, sqlite3_value **values) {
  sqlite3_result_int64(context, (sqlite3_int64)cs_mark_values(count, values));
}

/* The longest name of a file has 255 bytes. */
typedef struct {
  uint64_t sum;
  int fails, size;
  uint8_t last[256];
} cs_proof;

/* proof(mark, rowid, key, value, ...) over rows: the sum of what mark() makes of rowid and key, null where a row's mark
 * is not that of the values. */
static inline void cs_rows_step(sqlite3_context *context, int count, sqlite3_value **values) {
  cs_proof *proof = sqlite3_aggregate_context(context, sizeof(*proof));
  if (!proof) return sqlite3_result_error_nomem(context);
  proof->sum += cs_mark_values(2, values + 1);
  proof->fails |= cs_mark_values(count - 3, values + 3) != (uint64_t)sqlite3_value_int64(values[0]);
}

/* entries(unique, rowid, key, ...) over an index: the same sum of all but the first, null where keys are to be unique
 * and one does not come behind the one before. */
static inline void cs_entries_step(sqlite3_context *context, int count, sqlite3_value **values) {
  cs_proof *proof = sqlite3_aggregate_context(context, sizeof(*proof));
  if (!proof) return sqlite3_result_error_nomem(context);
  proof->sum += cs_mark_values(count - 1, values + 1);
  if (!sqlite3_value_int(values[0])) return;
  const uint8_t *key = sqlite3_value_blob(values[2]);
  int size = sqlite3_value_bytes(values[2]), common = size < proof->size ? size : proof->size;
  int order = common > 0 ? memcmp(proof->last, key, (size_t)common) : 0;
  /* A key that is empty can only be the first. */
  proof->fails |= size > (int)sizeof(proof->last) || order > 0 || (order == 0 && size <= proof->size && proof->size > 0);
  proof->size = proof->fails ? 0 : size;
  if (proof->size > 0) memcpy(proof->last, key, (size_t)size);
}

static inline void cs_proof_end(sqlite3_context *context) {
  cs_proof *proof = sqlite3_aggregate_context(context, 0);
  if (!proof || !proof->fails) sqlite3_result_int64(context, proof ? (sqlite3_int64)proof->sum : 0);
}

static inline int cs_add_functions(sqlite3 *database) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int code = sqlite3_create_function(database, "mark", -1, flags, 0, cs_mark, 0, 0);
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "proof", -1, flags, 0, 0, cs_rows_step, cs_proof_end);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function(database, "entries", -1, flags, 0, 0, cs_entries_step, cs_proof_end);
}
