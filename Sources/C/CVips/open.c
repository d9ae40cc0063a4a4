#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cvips_table.h"

static pthread_once_t library_once = PTHREAD_ONCE_INIT, plugins_once = PTHREAD_ONCE_INIT;
static int opens_nothing, is_tried, has_plugins;
static const pv_table *functions;

void pv_open_nothing(void) { opens_nothing = 1; }

static void open_library(void) {
  is_tried = 1;
  /* Found beside the program, as its own search path says. */
  void *library = dlopen("libpreheat-vips.so", RTLD_LAZY | RTLD_LOCAL);
  const pv_table *table = library ? dlsym(library, "pv_functions") : NULL;
  if (!table) fprintf(stderr, "%s\n", dlerror());
  else if (table->start()) fputs("libvips could not be started\n", stderr);
  else functions = table;
}

const pv_table *pv_open(void) {
  if (opens_nothing && !is_tried) _exit(PV_NEEDS_LIBRARY);
  pthread_once(&library_once, open_library);
  return functions;
}

static void open_plugins(void) {
  has_plugins = 1;
  if (pv_open()) functions->start_plugins();
}

void pv_open_plugins(void) {
  if (opens_nothing && !has_plugins) _exit(PV_NEEDS_PLUGINS);
  pthread_once(&plugins_once, open_plugins);
}

int pv_is_in_plugin(const char *loader) { return !strncmp(loader, "heif", 4); }

int pv_open_for(int status) {
  int need = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (need == PV_NEEDS_LIBRARY && !is_tried) return pv_open() ? 1 : -1;
  if (need == PV_NEEDS_PLUGINS && !has_plugins) {
    pv_open_plugins();
    return functions ? 1 : -1;
  }
  return 0;
}
