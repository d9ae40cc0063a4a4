// Runs a program under what a systemd unit allows of system calls and namespaces, for the tests of the unit that we ship,
// or without some calls, as under a container's filter.
// Usage: unit-filter NAMESPACES CALL... -- PROGRAM ARGUMENT...   (NAMESPACES: user,pid,ipc)
//        unit-filter without CALL... -- PROGRAM ARGUMENT...
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct {
  const char *name;
  int flag;
} kinds[] = {
    {"cgroup", CLONE_NEWCGROUP}, {"ipc", CLONE_NEWIPC}, {"net", CLONE_NEWNET}, {"mnt", CLONE_NEWNS},
    {"pid", CLONE_NEWPID},       {"user", CLONE_NEWUSER}, {"uts", CLONE_NEWUTS},
};

static int load(scmp_filter_ctx filter) {
  int error = filter ? seccomp_load(filter) : -ENOMEM;
  if (error) fprintf(stderr, "unit-filter: %s\n", strerror(-error));
  return error;
}

// RestrictNamespaces=: all calls go, but for those with a flag of another namespace.
static int restrict_namespaces(const char *allowed) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  for (size_t i = 0; filter && i < sizeof kinds / sizeof *kinds; i++) {
    if (strstr(allowed, kinds[i].name)) continue;
    scmp_datum_t flag = (scmp_datum_t)kinds[i].flag;
    struct scmp_arg_cmp has = SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag);
    seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 1, &has);
    seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, &has);
  }
  return load(filter);
}

int main(int count, char **words) {
  if (count < 4) return 64;
  int without = !strcmp(words[1], "without");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || (!without && restrict_namespaces(words[1]))) return 70;
  // SystemCallFilter= with SystemCallErrorNumber=EPERM.
  uint32_t refusal = SCMP_ACT_ERRNO(EPERM);
  scmp_filter_ctx filter = seccomp_init(without ? SCMP_ACT_ALLOW : refusal);
  int next = 2;
  for (; filter && next < count && strcmp(words[next], "--"); next++) {
    int call = seccomp_syscall_resolve_name(words[next]);
    if (call != __NR_SCMP_ERROR) 
      seccomp_rule_add_array(filter, without ? refusal : SCMP_ACT_ALLOW, call, 0, NULL);
  }
  if (next + 1 >= count) return 64;
  if (load(filter)) return 70;
  execv(words[next + 1], words + next + 1);
  perror("unit-filter");
  return 127;
}
