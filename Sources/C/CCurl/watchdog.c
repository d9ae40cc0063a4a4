#define _GNU_SOURCE  // for pthread_cond_clockwait

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "internal.h"

// libcurl reads on for one transfer while its connection has something. Empty frames of HTTP/2 and messages of TLS have
// nothing for a transfer, and come faster than they are read: no other transfer has a turn then, no clock is looked at, and
// nothing of ours is called. So what each connection costs of the processor's time is counted from one answer to the next,
// less what bodies cost. Calls that come back are charged when they do (events.c); another thread looks for one that
// does not, and ends the connection that it reads. Neither a loaded machine nor a stopped process adds to this time.

static const long look_nanoseconds = 10 * 1000 * 1000;
// A handshake with a long chain of certificates costs a third of the first. Where one was ended others may have the same
// in mind, and get less: all together they hold the rest up.
static const int64_t most_spent = 100 * 1000 * 1000;
static const int64_t least_spent = 40 * 1000 * 1000;

static int64_t nanoseconds(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t pcurl_watchdog_now(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

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

static int64_t allowance(const struct pcurl_watchdog *dog) {
  int64_t share = most_spent / (1 + dog->dropped_count);
  return share > least_spent ? share : least_spent;
}

static void end(struct pcurl_watchdog *dog, struct pcurl_socket *found) {
  static const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  dog->dropped[dog->dropped_count++ % 64] = pcurl_multi_own_port(found->descriptor);
  found->spent = 0;
  // Unlike a shutdown this also drops what has come and waits to be read.
  connect(found->descriptor, &nowhere, sizeof nowhere);
}

void pcurl_watchdog_charge(pcurl_multi *multi, struct pcurl_socket *found, int64_t nanoseconds) {
  pthread_mutex_lock(&multi->watchdog.lock);
  found->spent += nanoseconds;
  if (found->spent < 0) found->spent = 0;
  if (found->spent > allowance(&multi->watchdog)) end(&multi->watchdog, found);
  pthread_mutex_unlock(&multi->watchdog.lock);
}

void pcurl_watchdog_answer(pcurl_multi *multi, long lane, int port) {
  struct pcurl_socket *found = pcurl_multi_find(multi, lane, port);
  if (!found) return;
  found->calls = 0;
  if (!found->is_slow) return;
  found->is_slow = 0;
  pcurl_watchdog_charge(multi, found, -found->spent);
}

// The connection from which most was read since the last look, or else the one for which libcurl was called.
static struct pcurl_socket *look(pcurl_multi *multi) {
  struct pcurl_socket *busiest = NULL;
  uint64_t most = 0;
  for (size_t index = 0; index < multi->socket_count; index++) {
    struct pcurl_socket *found = &multi->sockets[index];
    uint64_t taken = bytes_taken(found->descriptor);
    if (taken > found->taken && taken - found->taken > most) {
      busiest = found;
      most = taken - found->taken;
    }
    found->taken = taken;
  }
  return busiest ? busiest : pcurl_multi_socket(multi, multi->served);
}

static void *watch(void *context) {
  pcurl_multi *multi = context;
  struct pcurl_watchdog *dog = &multi->watchdog;
  unsigned last = 0;
  int looks = 0;
  int64_t began = 0;
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
    if (calls % 2 == 0 || calls != last) {
      looks = 0;
      began = nanoseconds(dog->clock);
    } else {
      // What the first look at a call finds was read before.
      struct pcurl_socket *found = look(multi);
      int64_t now = nanoseconds(dog->clock);
      if (looks++ > 0 && found && now - began + found->spent > allowance(dog)) {
        end(dog, found);
        began = now;
      }
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
  pcurl_watchdog_move(multi);
  // The thread that calls this has every signal blocked, and so has the new one.
  dog->is_running = pthread_create(&dog->thread, NULL, watch, multi) == 0;
}

void pcurl_watchdog_move(pcurl_multi *multi) {
  pthread_mutex_lock(&multi->watchdog.lock);
  pthread_getcpuclockid(pthread_self(), &multi->watchdog.clock);
  pthread_mutex_unlock(&multi->watchdog.lock);
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
  for (int index = 0; index < 64; index++) found |= port != 0 && dog->dropped[index] == port;
  pthread_mutex_unlock(&dog->lock);
  return found;
}
