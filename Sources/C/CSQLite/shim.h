#include <sqlite3.h>

/* Swift cannot call functions with any number of arguments. */

/* No statistics of memory, which take a lock for each piece of it. Before the first use of the library. */
static inline int cs_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Pieces of memory for the texts of a row, which are not asked of the C library for each row again. Before the connection
 * has prepared a statement. */
static inline int cs_keep_pieces(sqlite3 *database, int size, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, size, count);
}
