#include "cstart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Before anything else of the program, the tasks' runtime included: the first file to be opened would get the number of
// a closed stream, and messages would land in it.
__attribute__((constructor)) static void open_closed_streams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)!open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
  }
}

// With less than this the tasks' runtime, libdispatch or SQLite wait for ever or die without a word. A run with one worker
// on two processors needs 20 processes and threads, 20 descriptors and 350 MiB of addresses.
static const struct {
  __rlimit_resource_t resource;
  rlim_t least;
  const char *what, *remedy;
} needs[] = {
  {RLIMIT_NPROC, 32, "processes and threads", "ulimit -u 256"},
  {RLIMIT_NOFILE, 20, "open files", "ulimit -n 1024"},
  {RLIMIT_AS, (rlim_t)512 << 20, "bytes of address space", "ulimit -v unlimited"},
};

__attribute__((constructor)) static void check_limits(void) {
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    struct rlimit limit;
    if (getrlimit(needs[i].resource, &limit) || limit.rlim_cur >= needs[i].least) continue;
    // It does not bind root.
    if (needs[i].resource == RLIMIT_NPROC && geteuid() == 0) continue;
    fprintf(
        stderr, "preheat: error: the limit of %s is %llu, and at least %llu are needed; raise it, for example: %s\n",
        needs[i].what, (unsigned long long)limit.rlim_cur, (unsigned long long)needs[i].least, needs[i].remedy);
    _exit(1);
  }
}

// Memory of an everyday picture stays with the program when the picture is done. To give it back and to take it again, a
// page at a time, costs 4 % of a run.
__attribute__((constructor)) static void keep_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
}

void cstart(void) {}
