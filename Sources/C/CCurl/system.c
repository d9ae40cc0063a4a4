#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

int pcurl_address_parse(const char *text, uint8_t bytes[16]) {
  if (inet_pton(AF_INET, text, bytes) == 1) return 4;
  if (inet_pton(AF_INET6, text, bytes) == 1) return 16;
  return 0;
}

void pcurl_address_print(const uint8_t *bytes, int count, char text[46]) {
  text[0] = 0;
  inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, text, 46);
}

int64_t pcurl_date_parse(const char *text) { return (int64_t)curl_getdate(text, NULL); }

int64_t pcurl_date_now(void) { return (int64_t)time(NULL); }

int pcurl_descriptors_are_short(void) {
  int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
  close(descriptor);
  return 0;
}

struct start {
  void (*run)(void *);
  void *context;
};

static void *begin(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.run(start.context);
  return NULL;
}

int pcurl_thread_start(void (*run)(void *), void *context, uintptr_t *thread) {
  struct start *start = malloc(sizeof *start);
  if (!start) return 0;
  start->run = run;
  start->context = context;
  // A thread inherits the mask of its maker, so there is no moment in which it can be hit.
  sigset_t all, before;
  sigfillset(&all);
  // A fault of the thread's own still has to reach the handler that prints a backtrace.
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t made;
  int error = pthread_create(&made, NULL, begin, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) {
    free(start);
    return 0;
  }
  *thread = (uintptr_t)made;
  return 1;
}

void pcurl_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

const char *pcurl_version_text(void) { return curl_version(); }

const char *pcurl_certificates(void) {
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
}
