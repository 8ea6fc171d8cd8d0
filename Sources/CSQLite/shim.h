#include <sqlite3.h>

/* sqlite3_config is variadic, which Swift cannot call. Without statistics, which nobody reads, an
   allocation takes no lock. Before the first connection of the process. */
static inline int csqlite_keep_no_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
