#define _GNU_SOURCE
#include "cstart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
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

static timer_t deadline;

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// No task ran for a while. Where nothing else did either, and the system has no more processes, libdispatch waits for a
// thread that it does not get, for ever and without a word. Exit code 5 says that a later run may succeed.
static void look(int signal) {
  static double earlier;
  int error = errno;
  double work = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  if (work - earlier < 0.1) {
    pid_t child = vfork();
    if (child == 0) _exit(0);
    if (child < 0 && errno == EAGAIN) {
      dprintf(2, "preheat: error: nothing goes on without another thread; %s, and run again to resume\n", more_threads);
      _exit(5);
    }
    if (child > 0) waitpid(child, NULL, 0);
  }
  earlier = work;
  cstart_extend();
  errno = error;
  (void)signal;
}

void cstart_extend(void) {
  struct itimerspec patience = {.it_value.tv_sec = 10};
  if (deadline) timer_settime(deadline, 0, &patience, NULL);
}

static void set_deadline(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
  struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
  if (sigaction(event.sigev_signo, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &deadline)) return;
  cstart_extend();
}

// Of /proc Swift has its arguments, and its tasks' runtime the states of threads, without which it ends.
void cstart_check_proc(void) {
  if (access("/proc/self/stat", R_OK))
    stop("/proc shows nothing of this process", errno, "mount it: mount -t proc none /proc");
}

void cstart_check(void) {
  try_events();
  try_threads();
  set_deadline();
}

void cstart(void) {}
