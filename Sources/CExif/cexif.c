#include "cexif.h"
