#include "cstart.h"

#include <errno.h>
#include <fcntl.h>

// Before anything else of the program, the tasks' runtime included: whoever opens a file first would get the number of a
// closed stream, and messages would land in it.
__attribute__((constructor)) static void open_closed_streams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)!open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
  }
}

void cstart(void) {}
