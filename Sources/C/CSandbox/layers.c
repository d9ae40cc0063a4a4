#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* linux/landlock.h of older systems lacks some of it, so its few numbers stand here (Linux 6.12). */
struct landlock_rules {
  uint64_t files, network, scopes;
};

static long landlock(const struct landlock_rules *rules, size_t size, uint32_t flags) {
  return syscall(444 /* landlock_create_ruleset */, rules, size, flags);
}

/* All that a version of Landlock can take away, without exception. */
int ps_landlock(void) {
  struct landlock_rules rules = {.files = 0x1fff};
  long version = landlock(NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  size_t size = sizeof rules.files;
  if (version < 1) return errno ? errno : ENOSYS;
  if (version >= 2) rules.files |= 1 << 13; /* links across folders */
  if (version >= 3) rules.files |= 1 << 14; /* truncating */
  if (version >= 5) rules.files |= 1 << 15; /* ioctl of devices */
  if (version >= 4) {
    rules.network = 3; /* binding and connecting TCP */
    size += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scopes = 3; /* abstract sockets and signals of others */
    size += sizeof rules.scopes;
  }
  int set = (int)landlock(&rules, size, 0);
  if (set < 0) return errno;
  int error = syscall(446 /* landlock_restrict_self */, set, 0) ? errno : 0;
  close(set);
  return error;
}

/* Without any right of root, which an own user namespace gives at first. */
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capset, &header, none) ? errno : 0;
}

/* Of its own namespace alone, behind the count of threads. Root is not bound by it, and before Linux 5.14 all processes of
 * a user count. */
static void limit_tasks(void) {
  struct utsname system;
  struct rlimit limit = {2 * PS_MOST_THREADS + 8, 2 * PS_MOST_THREADS + 8};
  int major = 0, minor = 0;
  if (uname(&system) || sscanf(system.release, "%d.%d", &major, &minor) != 2) return;
  if (major > 5 || (major == 5 && minor >= 14)) setrlimit(RLIMIT_NPROC, &limit);
}

int ps_first_process = -1;

/* Process 1 of a namespace takes no signal that it did not ask for, and ends all others with it. So a process that
 * does nothing takes that place, and workers are ordinary ones beside it. */
static int start_first_process(void) {
  int ends[2];
  char byte = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return errno;
  pid_t child = fork();
  if (child < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  if (child > 0) {
    close(ends[1]);
    ps_first_process = ends[0];
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {}
    return 0;
  }
  prctl(PR_SET_NAME, "preheat-first");
  /* No other descriptor may stay open: a pipe's end would never come. */
  if (dup2(ends[1], 0) < 0) _exit(1);
  if (syscall(SYS_close_range, 1, ~0u, 0))
    for (int file = 1; file < 1024; file++) close(file);
  if (send(0, "", 1, MSG_NOSIGNAL) != 1) _exit(1);
  /* Ends with the parent, however that ends and whatever a filter says to signals about it. */
  while (read(0, &byte, 1) < 0 && errno == EINTR) {}
  _exit(0);
}

int ps_enter_namespaces(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC)) return errno;
  int error = drop_capabilities();
  int missing = start_first_process();
  if (missing == EAGAIN || missing == ENOMEM) _exit(PS_NO_PROCESSES);
  limit_tasks();
  /* A change of rights takes it away. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return errno;
  return error ? error : missing;
}

int ps_confine(void) {
  int layers = 0;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) layers |= PS_NO_NEW_PRIVILEGES;
  /* Where Landlock is missing the filter alone keeps files away. */
  if (!ps_landlock()) layers |= PS_LANDLOCK;
  int listener = -1;
  if (!ps_filter(&listener)) layers |= PS_FILTER;
  if (listener >= 0) layers |= PS_THREADS;
  ps_send_listener(listener);
  return layers;
}
