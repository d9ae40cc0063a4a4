#define _GNU_SOURCE
#include "cstart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Before anything else of the program, the tasks' runtime included: the first file to be opened would get the number of
// a closed stream, and messages would land in it.
__attribute__((constructor)) static void open_closed_streams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    (void)!open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
  }
}

// With less than this the tasks' runtime, libdispatch or SQLite wait for ever or die without a word. A run with two
// workers on two processors needs 20 processes and threads, 30 descriptors, 80 MiB of data and 350 MiB of addresses.
static const struct {
  __rlimit_resource_t resource;
  rlim_t least;
  const char *what, *remedy;
} needs[] = {
  {RLIMIT_NPROC, 32, "processes and threads", "ulimit -u 256"},
  {RLIMIT_NOFILE, 32, "open files", "ulimit -n 1024"},
  {RLIMIT_DATA, (rlim_t)128 << 20, "bytes of data", "ulimit -d unlimited"},
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

static const char more_threads[] =
    "raise the limit of processes and threads to 32 or more (pids.max of the container, docker run --pids-limit, "
    "ulimit -u), or that of memory (ulimit -d, ulimit -v)";

static void stop(const char *problem, int error, const char *remedy) {
  fprintf(stderr, "preheat: error: %s (%s); %s\n", problem, strerror(error), remedy);
  _exit(1);
}

// The tasks' runtime ends the program with SIGILL where it lacks one of these.
static void try_events(void) {
  struct epoll_event event = {.events = EPOLLIN};
  int queue = epoll_create1(EPOLL_CLOEXEC), signal = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (queue < 0 || signal < 0 || timer < 0 || epoll_ctl(queue, EPOLL_CTL_ADD, signal, &event) < 0
      || epoll_wait(queue, &event, 1, 0) < 0)
    stop(
        "the system refuses epoll, eventfd or timerfd", errno,
        "let the container's filter of system calls allow them, as the runtime's default profile does");
  close(queue);
  close(signal);
  close(timer);
}

static pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_all(void *unused) {
  pthread_mutex_lock(&waiting);
  pthread_mutex_unlock(&waiting);
  return unused;
}

// All at once, as many as there are in a run before its first worker: the tasks' runtime waits for ever for a thread.
static void try_threads(void) {
  enum { beside_processors = 6, most = 64 };
  cpu_set_t processors;
  int count = sched_getaffinity(0, sizeof processors, &processors) ? most : CPU_COUNT(&processors), error = 0, made = 0;
  pthread_t threads[most];
  pthread_mutex_lock(&waiting);
  for (; !error && made < most && made < count + beside_processors; made += !error)
    error = pthread_create(&threads[made], NULL, wait_for_all, NULL);
  pthread_mutex_unlock(&waiting);
  for (int i = 0; i < made; i++) pthread_join(threads[i], NULL);
  char problem[64];
  snprintf(problem, sizeof problem, "only %d of %d threads can be started", made, count + beside_processors);
  if (error == EAGAIN)
    stop(problem, error, more_threads);
  if (error) stop(problem, error, "let the container's filter of system calls allow clone3, or answer it with ENOSYS");
}

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// In this function of the C library libdispatch waits for a thread that the system does not give it, for ever and without
// a word. Exit code 5 says that a later run may succeed.
unsigned sleep(unsigned seconds) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static double first, last, work_at_first;
  static const double patience = 10;
  pthread_mutex_lock(&lock);
  double moment = seconds_of(CLOCK_MONOTONIC), work = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  // It got its thread, or the program goes on without.
  if (moment - last > 2 || work - work_at_first > 0.1) first = moment, work_at_first = work;
  last = moment;
  if (moment - first > patience) {
    fprintf(stderr, "preheat: error: nothing goes on without another thread; %s, and run again to resume\n", more_threads);
    _exit(5);
  }
  pthread_mutex_unlock(&lock);
  struct timespec time = {seconds, 0};
  return nanosleep(&time, &time) ? (unsigned)time.tv_sec : 0;
}

void cstart_check(void) {
  // Of /proc Swift has its arguments, and its tasks' runtime the states of threads, without which it ends.
  if (access("/proc/self/stat", R_OK))
    stop("/proc shows nothing of this process", errno, "mount it: mount -t proc none /proc");
  try_events();
  try_threads();
}

void cstart(void) {}
