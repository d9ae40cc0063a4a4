#ifndef PREHEAT_CSANDBOX_H
#define PREHEAT_CSANDBOX_H

#include <stddef.h>

/* Dies with its parent, leaves no core file, may hold `data_bytes` of memory and `files` open files,
 * and gains no rights by running another program. Returns 0, or an errno. */
int ps_limit_process(size_t data_bytes, int files);

/* With this status a worker ends for which the system has no more processes or threads. */
enum { PS_NO_PROCESSES = 72 };

/* Whether the system, and not the limit of memory, refuses this process a thread. `is_said`: a library has said that it
 * got none. */
int ps_lacks_threads(int is_said);

/* User, process and IPC namespaces of its own, for a process of one thread that has copies made of it: they see no other
 * process. Returns 0, or an errno where the system does not allow it. Ends the process where there is no room for the first
 * one of the namespace, without which it is of no use. */
int ps_enter_namespaces(void);

enum ps_layer {
  /* System calls by an allow list: no files, network, programs or signals to others. */
  PS_FILTER = 1,
  /* The kernel keeps files and TCP away a second time. */
  PS_LANDLOCK = 2,
  /* No program that is started gives rights. */
  PS_NO_NEW_PRIVILEGES = 4,
  /* 8 is the namespaces. Each thread is asked for, and few are let through. */
  PS_THREADS = 16,
};

/* Takes everything away, for good, that drawing pictures does not need: such calls fail with EPERM. What is open stays open,
 * memory and a few threads stay available. For a copy made by ps_fork, of one thread so far. Returns the layers that
 * hold, of ps_layer. */
int ps_confine(void);

/* A copy of this process that dies with it: 0 in the copy, its id in the original, -1 where there can be
 * none. For a process of one thread, and one copy at a time. */
int ps_fork(void);
/* Waits for the end of the copy and answers for its threads meanwhile. SIGTERM ends the copy, then this process. Returns the
 * wait status of the copy, or -1. */
int ps_wait(int child);
/* Ends this process as that status says another one ended. */
void ps_end_like(int status) __attribute__((noreturn));
/* A number that copies share with their original; NULL where there is no memory. */
int *ps_shared_number(void);

#endif
