#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int limit(int resource, rlim_t value) {
  struct rlimit current;
  if (getrlimit(resource, &current)) return errno;
  if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
  current.rlim_cur = current.rlim_max = value;
  return setrlimit(resource, &current) ? errno : 0;
}

int ps_limit_process(size_t data_bytes, int files) {
  int error = 0;
  /* Large planes of pixels go back to the system when they are freed, instead of fraying the heap; those of
   * everyday pictures stay, since to map them anew for each picture costs a tenth of the time. */
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_ARENA_MAX, 2);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) error = errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) error = errno;
  int core = limit(RLIMIT_CORE, 0);
  int data = limit(RLIMIT_DATA, data_bytes);
  int open = limit(RLIMIT_NOFILE, (rlim_t)files);
  return error ? error : core ? core : data ? data : open;
}

/* What a picture's decoder has no business with. Sending is left alone: the answer goes out over the
 * one socket that is open. Names that an architecture lacks are skipped. */
static const int forbidden[] = {
  SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
  SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
  SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
  SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(open_by_handle_at), SCMP_SYS(creat),
  SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2),
  SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(mkdir),
  SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(truncate),
  SCMP_SYS(chmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(lchown), SCMP_SYS(fchownat),
  SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(unshare),
  SCMP_SYS(setns), SCMP_SYS(bpf), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(keyctl),
  SCMP_SYS(perf_event_open), SCMP_SYS(memfd_create), SCMP_SYS(kexec_load), SCMP_SYS(init_module),
};

static int add_rules(scmp_filter_ctx filter) {
  const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
    int error = seccomp_rule_add(filter, refuse, forbidden[i], 0);
    if (error && error != -EDOM) return error;
  }
  /* Threads are welcome, processes are not. The flags of clone3 cannot be seen by a filter; the C
   * library falls back to clone where it is missing. */
  int error = seccomp_rule_add(
    filter, refuse, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  return error ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

int ps_confine(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return ENOMEM;
  int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  if (!error) error = add_rules(filter);
  if (!error) error = seccomp_load(filter);
  seccomp_release(filter);
  return error < 0 ? -error : error;
}

int ps_fork(void) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child) return child;
  /* Not inherited. The parent may have died before it was set. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  return 0;
}

int ps_wait(int child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
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
