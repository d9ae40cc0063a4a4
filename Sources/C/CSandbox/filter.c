#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* All that libvips, its decoders and encoders, the allocator and Swift's runtime call once they have started, seen with
 * strace over pictures of all formats and all encoders, and what the C library may call in their place. Everything else
 * fails with EPERM: files, metadata, network, processes, signals to others, shared memory, the clock. */
static const int allowed[] = {
  /* The request and the answer, over what is open. */
  SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
  SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(close), SCMP_SYS(fstat),
  SCMP_SYS(lseek),
  /* Memory. */
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
  /* Threads. */
  SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
  SCMP_SYS(getcpu), SCMP_SYS(membarrier), SCMP_SYS(get_mempolicy), SCMP_SYS(gettid), SCMP_SYS(getpid),
  SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
  /* Its own signals. */
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  /* Clocks, to be read, and what else tells nothing of the system's files. */
  SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
  SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(uname),
  SCMP_SYS(getrusage), SCMP_SYS(getrlimit),
};

static int add(scmp_filter_ctx filter, int call, unsigned count, const struct scmp_arg_cmp *arguments) {
  int error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, count, arguments);
  /* An architecture may lack a name. */
  return error == -EDOM ? 0 : error;
}

/* Calls that are only harmless with some arguments. */
static int add_bounded(scmp_filter_ctx filter, uint32_t threads) {
  const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  /* The limit of a process' memory counts what is private, can be written and is not called a stack. */
  const struct scmp_arg_cmp own_data[] = {no_code, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0)};
  const struct scmp_arg_cmp kept_data = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_WRITE | PROT_EXEC, PROT_WRITE);
  /* A process is not a thread. The flags of clone3 cannot be seen by a filter; the C library falls back to clone where
   * it is missing. */
  const struct scmp_arg_cmp thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
  const struct scmp_arg_cmp own_signal = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid());
  const struct scmp_arg_cmp name = SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME);
  /* The C library asks for the size of the stack so. */
  const struct scmp_arg_cmp own_limit[] = {SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0)};
  /* libvips has ORC compile the loops of convolutions and of its resampler, in blocks of this very form; where that fails
   * ORC ends the process. */
  const struct scmp_arg_cmp loops[] = {
    SCMP_A1(SCMP_CMP_EQ, 65536), SCMP_A2(SCMP_CMP_EQ, PROT_READ | PROT_WRITE | PROT_EXEC),
    SCMP_A3(SCMP_CMP_EQ, MAP_PRIVATE | MAP_ANONYMOUS)};
  int error = add(filter, SCMP_SYS(mmap), 2, own_data);
  if (!error) error = add(filter, SCMP_SYS(mmap), 3, loops);
  if (!error) error = add(filter, SCMP_SYS(mprotect), 1, &kept_data);
  if (!error) error = seccomp_rule_add_array(filter, threads, SCMP_SYS(clone), 1, &thread);
  if (!error) error = add(filter, SCMP_SYS(tgkill), 1, &own_signal);
  if (!error) error = add(filter, SCMP_SYS(prctl), 1, &name);
  if (!error) error = add(filter, SCMP_SYS(prlimit64), 2, own_limit);
  return error ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

/* - Parameter threads: what the filter says to one that wants to start. */
static int load(uint32_t threads, int *listener) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -ENOMEM;
  int error = 0;
  for (size_t i = 0; !error && i < sizeof allowed / sizeof allowed[0]; i++)
    error = add(filter, allowed[i], 0, NULL);
  if (!error) error = add_bounded(filter, threads);
  if (!error) error = seccomp_load(filter);
  *listener = !error && threads == SCMP_ACT_NOTIFY ? seccomp_notify_fd(filter) : -1;
  seccomp_release(filter);
  return error;
}

int ps_filter(int *listener) {
  if (!load(SCMP_ACT_NOTIFY, listener)) return 0;
  /* Before Linux 5.5, and in a container that has such a listener already. */
  return -load(SCMP_ACT_ALLOW, listener);
}
