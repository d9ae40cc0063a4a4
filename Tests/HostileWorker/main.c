#define _GNU_SOURCE
#include <csandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A decoder that has been taken over: goes where workers go and tries what none of them may. Prints a line for each
 * attempt, "name number", the number being an errno, or 0 where it succeeded. Ends with 3 where nothing confines it. */

static pid_t victim;
static char scratch[256];

static void tried(const char *name, long result) {
  char line[128];
  int count = snprintf(line, sizeof line, "%s %d\n", name, result < 0 ? errno : 0);
  if (write(STDOUT_FILENO, line, (size_t)count) < 0) _exit(4);
}

#define TRY(name, call) (errno = 0, tried(name, (long)(call)))

static void files(void) {
  struct stat status;
  struct timespec now[2] = {{1, 0}, {1, 0}};
  TRY("open-read", syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY));
  TRY("open-write", syscall(SYS_openat, AT_FDCWD, scratch, O_WRONLY));
  TRY("open-create", syscall(SYS_openat, AT_FDCWD, "new", O_CREAT | O_WRONLY, 0600));
  TRY("openat2", syscall(437, AT_FDCWD, "/etc/passwd", NULL, 0));
  TRY("open-folder", syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY));
  TRY("stat", syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, 0));
  TRY("statx", syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, 0x7ff, scratch));
  TRY("access", syscall(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK));
  TRY("readlink", syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", scratch, 10));
  TRY("unlink", syscall(SYS_unlinkat, AT_FDCWD, scratch, 0));
  TRY("rename", syscall(SYS_renameat2, AT_FDCWD, scratch, AT_FDCWD, "other", 0));
  TRY("link", syscall(SYS_linkat, AT_FDCWD, scratch, AT_FDCWD, "other", 0));
  TRY("symlink", syscall(SYS_symlinkat, "/etc/passwd", AT_FDCWD, "other"));
  TRY("mkdir", syscall(SYS_mkdirat, AT_FDCWD, "folder", 0700));
  TRY("mknod", syscall(SYS_mknodat, AT_FDCWD, "pipe", S_IFIFO | 0600, 0));
  TRY("truncate", syscall(SYS_truncate, scratch, 0));
  TRY("chmod", syscall(SYS_fchmodat, AT_FDCWD, scratch, 0777));
  TRY("fchmodat2", syscall(452, AT_FDCWD, scratch, 0777, 0));
  TRY("chown", syscall(SYS_fchownat, AT_FDCWD, scratch, 0, 0, 0));
  TRY("utimensat", syscall(SYS_utimensat, AT_FDCWD, scratch, now, 0));
  TRY("setxattr", syscall(SYS_setxattr, scratch, "user.a", "b", 1, 0));
  TRY("getxattr", syscall(SYS_getxattr, "/etc/passwd", "user.a", scratch, 10));
  TRY("listxattr", syscall(SYS_listxattr, "/etc/passwd", scratch, 10));
  TRY("inotify", syscall(SYS_inotify_init1, 0));
  TRY("fanotify", syscall(SYS_fanotify_init, 0, 0));
  TRY("chdir", syscall(SYS_chdir, "/"));
  TRY("getcwd", syscall(SYS_getcwd, scratch, sizeof scratch));
  TRY("statfs", syscall(SYS_statfs, "/", scratch));
  TRY("memfd", syscall(SYS_memfd_create, "code", 0));
  TRY("open-by-handle", syscall(SYS_open_by_handle_at, 0, scratch, 0));
}

static void processes(void) {
  char *arguments[] = {"/bin/true", NULL};
  struct rlimit limit = {1, 1};
  TRY("execve", syscall(SYS_execve, "/bin/true", arguments, NULL));
  TRY("execveat", syscall(SYS_execveat, AT_FDCWD, "/bin/true", arguments, NULL, 0));
  TRY("clone-process", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  TRY("clone3", syscall(435, NULL, 0));
  TRY("kill", syscall(SYS_kill, victim, SIGKILL));
  TRY("kill-parent", syscall(SYS_kill, getppid(), SIGKILL));
  TRY("tkill", syscall(SYS_tkill, victim, SIGKILL));
  TRY("tgkill", syscall(SYS_tgkill, victim, victim, SIGKILL));
  TRY("sigqueue", syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, scratch));
  TRY("pidfd-open", syscall(434, victim, 0));
  TRY("ptrace", syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, victim, 0, 0));
  TRY("process-vm-read", syscall(SYS_process_vm_readv, victim, NULL, 0, NULL, 0, 0));
  TRY("limit-of-others", syscall(SYS_prlimit64, victim, RLIMIT_NOFILE, &limit, NULL));
  TRY("set-limit", syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL));
  TRY("priority", syscall(SYS_setpriority, PRIO_PROCESS, victim, 19));
  TRY("affinity", syscall(SYS_sched_setaffinity, victim, 8, scratch));
  TRY("setuid", syscall(SYS_setuid, 0));
  TRY("dumpable", syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0));
  TRY("new-code", mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  TRY("shared-memory", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  TRY("stack-memory", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) == MAP_FAILED ? -1 : 0);
  TRY("kept-memory", mprotect(page, 4096, PROT_READ));
  TRY("data-as-code", mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static void system_wide(void) {
  struct timeval time = {1, 0};
  int pair[2];
  TRY("socket-inet", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
  TRY("socket-unix", syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
  TRY("socket-netlink", syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0));
  TRY("socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair));
  TRY("ipc-queue", syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
  TRY("ipc-semaphore", syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600));
  TRY("ipc-memory", syscall(SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  TRY("posix-queue", syscall(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0600, NULL));
  TRY("mount", syscall(SYS_mount, "none", "/", "tmpfs", 0, NULL));
  TRY("fsopen", syscall(430, "tmpfs", 0));
  TRY("unshare", syscall(SYS_unshare, CLONE_NEWUSER));
  TRY("setns", syscall(SYS_setns, 0, 0));
  TRY("chroot", syscall(SYS_chroot, "/"));
  TRY("settimeofday", syscall(SYS_settimeofday, &time, NULL));
  TRY("clock-settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &time));
  TRY("hostname", syscall(SYS_sethostname, "a", 1));
  TRY("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
  TRY("bpf", syscall(SYS_bpf, 0, NULL, 0));
  TRY("perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
  TRY("io-uring", syscall(425, 1, scratch));
  TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
  TRY("keyring", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
  TRY("syslog", syscall(SYS_syslog, 3, scratch, 10));
  TRY("quota", syscall(SYS_quotactl, 0, NULL, 0, NULL));
  TRY("ioctl", syscall(SYS_ioctl, 0, 0x5401, scratch));
}

enum { most_stacks = 30000, stack_size = 8192 };

static char *stacks;
static atomic_int next_stack, started, refusal;

static int wants_more(void *unused) {
  const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  (void)unused;
  for (int tries = 0; tries < 1000; tries++) {
    int number = atomic_fetch_add(&next_stack, 1);
    if (number >= most_stacks) break;
    int thread = clone(wants_more, stacks + (size_t)(number + 1) * stack_size, flags, NULL);
    if (thread > 0)
      atomic_fetch_add(&started, 1);
    else
      atomic_store(&refusal, errno);
  }
  struct timespec long_time = {1000, 0};
  if (unused) return 0;
  for (;;) nanosleep(&long_time, NULL);
}

/* All that start ask for more at the same time. */
static void threads(void) {
  char line[64];
  struct timespec moment = {0, 300000000};
  stacks = mmap(NULL, (size_t)most_stacks * stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stacks == MAP_FAILED) _exit(4);
  wants_more(line);
  nanosleep(&moment, NULL);
  int count = snprintf(line, sizeof line, "threads %d\nthread-refusal %d\n", started, refusal);
  if (write(STDOUT_FILENO, line, (size_t)count) < 0) _exit(4);
}

static int become_nobody(void) {
  return setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534);
}

/* With a second argument it is nobody that tries. */
int main(int count, char **arguments) {
  if (count != 2 && count != 3) return 2;
  if (count == 3 && become_nobody()) return 2;
  snprintf(scratch, sizeof scratch, "%s", arguments[1]);
  victim = fork();
  if (victim < 0) return 2;
  if (victim == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  ps_limit_process((size_t)512 << 20, 64);
  int spaces = ps_enter_namespaces();
  int worker = ps_fork();
  if (worker < 0) return 2;
  if (worker == 0) {
    int layers = ps_confine();
    if (!(layers & PS_FILTER)) _exit(3);
    printf("counted %d\n", layers & PS_THREADS ? 1 : 0);
    fflush(stdout);
    files();
    processes();
    system_wide();
    threads();
    _exit(0);
  }
  int status = ps_wait(worker);
  int lives = waitpid(victim, NULL, WNOHANG) == 0;
  kill(victim, SIGKILL);
  printf("victim-lives %d\nnamespaces %d\n", !lives, spaces);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
