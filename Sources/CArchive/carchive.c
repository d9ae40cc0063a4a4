#include "carchive.h"

#include <archive.h>

int par_version(void) { return archive_version_number(); }
