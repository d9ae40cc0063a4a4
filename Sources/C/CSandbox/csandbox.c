#include "csandbox.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t other_bytes = (size_t)1 << 30;
static const size_t stack_bytes = (size_t)8 << 20;

static int limit(int resource, rlim_t value) {
  struct rlimit current;
  if (getrlimit(resource, &current)) return errno;
  if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
  current.rlim_cur = current.rlim_max = value;
  return setrlimit(resource, &current) ? errno : 0;
}

int ps_limit_process(size_t data_bytes, int files) {
  int error = 0;
  /* A worker draws picture after picture. Large planes of pixels go back to the system when they are freed, instead of
   * fraying the heap; those of everyday pictures stay, since to map them again for each picture costs a tenth of the
   * time. One arena, or each of libvips' short-lived threads would keep its own. */
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) error = errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) error = errno;
  int core = limit(RLIMIT_CORE, 0);
  int data = limit(RLIMIT_DATA, data_bytes);
  /* What is not data: code, and addresses that are only kept free. */
  int all = limit(RLIMIT_AS, data_bytes + other_bytes);
  /* Nor is a stack, which may have no limit of its own. */
  int stack = limit(RLIMIT_STACK, stack_bytes);
  int open = limit(RLIMIT_NOFILE, (rlim_t)files);
  return error ? error : core ? core : data ? data : all ? all : stack ? stack : open;
}

static void *end(void *nothing) { return nothing; }

int ps_lacks_threads(int is_said) {
  pthread_t thread;
  int error = is_said ? EAGAIN : pthread_create(&thread, NULL, end, NULL);
  if (!error) pthread_join(thread, NULL);
  if (error != EAGAIN) return 0;
  /* The same error where there is no memory for its stack. */
  void *stack = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return 0;
  munmap(stack, stack_bytes);
  return 1;
}

void ps_end_like(int status) {
  if (status >= 0 && WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int *ps_shared_number(void) {
  void *page = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? NULL : page;
}
