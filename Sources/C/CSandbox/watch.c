#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process and its copy: the copy draws, the process waits for its end, answers for its threads and takes it along when
 * it is asked to end. */

/* The ends of one socket: over it the copy hands its listener to the process. One copy at a time. */
static int line = -1;
static volatile sig_atomic_t is_asked_to_end;

static void note(int number) {
  if (number == SIGTERM) is_asked_to_end = 1;
}

static void end_watch(const sigset_t *before) {
  signal(SIGTERM, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_SETMASK, before, NULL);
}

static sigset_t signals_before;

int ps_fork(void) {
  int ends[2];
  sigset_t ours;
  pid_t parent = getpid();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -1;
  /* Both are heard while the process waits, and at no other moment. */
  sigemptyset(&ours);
  sigaddset(&ours, SIGTERM);
  sigaddset(&ours, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ours, &signals_before);
  signal(SIGTERM, note);
  signal(SIGCHLD, note);
  pid_t child = fork();
  if (child > 0) {
    close(ends[1]);
    line = ends[0];
    return child;
  }
  int error = errno;
  end_watch(&signals_before);
  close(ends[0]);
  errno = error;
  if (child < 0) {
    close(ends[1]);
    return -1;
  }
  line = ends[1];
  if (ps_first_process >= 0) close(ps_first_process);
  /* Not inherited. The parent may have died before it was set; one outside of this namespace shows as 0. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pid_t now = getppid();
  if (now != parent && now != 0) _exit(1);
  return 0;
}

/* Room for one descriptor beside a byte. */
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

void ps_send_listener(int listener) {
  char byte = 0;
  union control control = {{0}};
  struct iovec text = {&byte, 1};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
  if (listener >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
    while (sendmsg(line, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
    close(listener);
  }
  if (line >= 0) close(line);
  line = -1;
}

/* -1 where none comes. */
static int receive_listener(void) {
  char byte;
  int listener = -1;
  union control control;
  struct iovec text = {&byte, 1};
  struct msghdr message = {
    .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count;
  while ((count = recvmsg(line, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&listener, CMSG_DATA(header), sizeof listener);
  close(line);
  line = -1;
  return listener;
}

/* By the kernel's word, field 20 of proc(5); -1 where it says none. */
static int threads_of(pid_t process) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (count <= 0) return -1;
  text[count] = 0;
  /* The name before it may hold anything. */
  char *field = strrchr(text, ')');
  for (int number = 2; field && number < 20; number++) field = strchr(field + 1, ' ');
  return field ? atoi(field) : -1;
}

/* One thread that wants to start. Those that were let through and have not started yet are not counted, and are no more
 * than those that asked: so twice the number is the most. */
static void answer(int listener, pid_t child, int *granted) {
  struct seccomp_notif *request = NULL;
  struct seccomp_notif_resp *response = NULL;
  if (seccomp_notify_alloc(&request, &response)) return;
  /* It may have died meanwhile. */
  if (!seccomp_notify_receive(listener, request)) {
    int count = threads_of(child);
    int may = (count < 0 ? *granted : count) < PS_MOST_THREADS;
    response->id = request->id;
    response->flags = may ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    response->error = may ? 0 : -EAGAIN;
    if (may) ++*granted;
    seccomp_notify_respond(listener, response);
  }
  seccomp_notify_free(request, response);
}

int ps_wait(int child) {
  int status = -1, listener = -1, granted = 0;
  sigset_t waiting = signals_before;
  sigdelset(&waiting, SIGTERM);
  sigdelset(&waiting, SIGCHLD);
  for (;;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (is_asked_to_end) kill(child, SIGKILL);
    struct pollfd files[] = {{line, POLLIN, 0}, {listener, POLLIN, 0}};
    if (ppoll(files, 2, NULL, &waiting) <= 0) continue;
    if (files[1].revents & POLLIN) {
      answer(listener, child, &granted);
    } else if (files[1].revents) {
      close(listener);
      listener = -1;
    }
    if (files[0].revents) listener = receive_listener();
  }
  if (line >= 0) close(line);
  line = -1;
  if (listener >= 0) close(listener);
  end_watch(&signals_before);
  /* Now that its time is counted with that of this process. */
  if (is_asked_to_end) {
    sigprocmask(SIG_SETMASK, &waiting, NULL);
    raise(SIGTERM);
  }
  return status;
}
