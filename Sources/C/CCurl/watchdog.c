#define _GNU_SOURCE  // for pthread_cond_clockwait

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "internal.h"

// libcurl reads on for one transfer while its connection has something. Empty frames of HTTP/2 have nothing for a transfer,
// and come faster than they are read: no other transfer has a turn then, no clock is looked at, and nothing of ours is
// called. So another thread looks whether libcurl stays in one call and reads from one socket all the time, and ends that
// connection. Bodies cannot take so long: a transfer pauses when its turn is over.

static const long look_nanoseconds = 50 * 1000 * 1000;
// Read between two looks: far more than the fields of an answer, far less than what makes a thread busy.
static const uint64_t least_taken = 64 * 1024;
static const int longest_streak = 2;

// Bytes that were read from a socket since it is connected.
static uint64_t bytes_taken(curl_socket_t descriptor) {
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  int waiting = 0;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0
      || ioctl(descriptor, FIONREAD, &waiting) != 0)
    return 0;
  return info.tcpi_bytes_received - (uint64_t)waiting;
}

static void look(pcurl_multi *multi, int is_first) {
  static const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  for (size_t index = 0; index < multi->socket_count; index++) {
    struct pcurl_socket *found = &multi->sockets[index];
    uint64_t taken = bytes_taken(found->descriptor);
    int is_busy = !is_first && taken >= found->taken + least_taken;
    found->streak = is_busy ? found->streak + 1 : 0;
    found->taken = taken;
    if (found->streak < longest_streak) continue;
    struct pcurl_watchdog *dog = &multi->watchdog;
    dog->dropped[dog->dropped_count++ % 8] = pcurl_multi_own_port(found->descriptor);
    // Unlike a shutdown this also drops what has come and waits to be read.
    connect(found->descriptor, &nowhere, sizeof nowhere);
  }
}

static void *watch(void *context) {
  pcurl_multi *multi = context;
  struct pcurl_watchdog *dog = &multi->watchdog;
  unsigned last = 0;
  int is_first = 1;
  pthread_mutex_lock(&dog->lock);
  while (!dog->is_ending) {
    if (dog->transfers == 0) {
      pthread_cond_wait(&dog->change, &dog->lock);
      continue;
    }
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    due.tv_nsec += look_nanoseconds;
    due.tv_sec += due.tv_nsec / 1000000000;
    due.tv_nsec %= 1000000000;
    if (pthread_cond_clockwait(&dog->change, &dog->lock, CLOCK_MONOTONIC, &due) == 0) continue;
    unsigned calls = atomic_load(&dog->calls);
    if (calls % 2 == 1 && calls == last) {
      look(multi, is_first);
      is_first = 0;
    } else {
      is_first = 1;
    }
    last = calls;
  }
  pthread_mutex_unlock(&dog->lock);
  return NULL;
}

void pcurl_watchdog_count(pcurl_multi *multi, int change) {
  struct pcurl_watchdog *dog = &multi->watchdog;
  pthread_mutex_lock(&dog->lock);
  dog->transfers += change;
  if (dog->transfers == 1 && change > 0) pthread_cond_signal(&dog->change);
  pthread_mutex_unlock(&dog->lock);
  if (dog->is_running) return;
  // The thread that calls this has every signal blocked, and so has the new one.
  dog->is_running = pthread_create(&dog->thread, NULL, watch, multi) == 0;
}

void pcurl_watchdog_end(pcurl_multi *multi) {
  struct pcurl_watchdog *dog = &multi->watchdog;
  pthread_mutex_lock(&dog->lock);
  dog->is_ending = 1;
  pthread_cond_signal(&dog->change);
  pthread_mutex_unlock(&dog->lock);
  if (dog->is_running) pthread_join(dog->thread, NULL);
  dog->is_running = 0;
}

int pcurl_watchdog_has_dropped(pcurl_multi *multi, int port) {
  struct pcurl_watchdog *dog = &multi->watchdog;
  int found = 0;
  pthread_mutex_lock(&dog->lock);
  for (int index = 0; index < 8; index++) found |= port != 0 && dog->dropped[index] == port;
  pthread_mutex_unlock(&dog->lock);
  return found;
}
