#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

// What there is to do for libcurl: sockets that are ready, by epoll, and the moment at which it wants to look at its
// clock. Only transfers that have something to do are touched. With curl_multi_poll and curl_multi_perform every wake
// would cost a system call and a look for each transfer that is under way.

static int64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t milliseconds(void) { return microseconds() / 1000; }

// What a fast server may take of everybody's time before the others have their turn.
static const int64_t longest_turn = 10 * 1000;

// Calls for healthy sockets are shorter and fewer, and are not measured: the processor's clock costs a system call.
static const int64_t long_call = 1000;
static const int many_calls = 1000;
// What receiving a byte of a body may cost, and what a call that brings none costs around it.
static const int64_t nanoseconds_per_byte = 50;
static const int64_t nanoseconds_per_turn = 20 * 1000;

void pcurl_multi_begin_turn(pcurl_multi *multi, curl_socket_t descriptor) {
  struct pcurl_socket *found = pcurl_multi_socket(multi, descriptor);
  if (found && ++found->calls > many_calls) found->is_slow = 1;
  multi->turn = microseconds();
  multi->served = descriptor;
  multi->body_bytes = 0;
  multi->measured = found && found->is_slow ? pcurl_watchdog_now() : -1;
  atomic_fetch_add(&multi->watchdog.calls, 1);
}

void pcurl_multi_end_turn(pcurl_multi *multi) {
  atomic_fetch_add(&multi->watchdog.calls, 1);
  if (multi->measured < 0 && microseconds() - multi->turn < long_call) return;
  struct pcurl_socket *found = pcurl_multi_socket(multi, multi->served);
  if (!found) return;
  found->is_slow = 1;
  if (multi->measured < 0) return;
  int64_t paid = multi->body_bytes > 0 ? multi->body_bytes * nanoseconds_per_byte : -nanoseconds_per_turn;
  pcurl_watchdog_charge(multi, found, pcurl_watchdog_now() - multi->measured - paid);
}

int pcurl_multi_is_turn_over(const pcurl_multi *multi) {
  return microseconds() - multi->turn > longest_turn;
}

// The number of a side stands above that of the socket.
static int set_events(
    pcurl_multi *multi, int how, curl_socket_t descriptor, int64_t side, uint32_t events) {
  uint64_t data = (uint64_t)side << 32 | (uint32_t)descriptor;
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(multi->epoll, how, descriptor, &event);
}

static int on_socket(CURL *easy, curl_socket_t descriptor, int what, void *context, void *own) {
  (void)easy, (void)own;
  struct pcurl_side *side = context;
  pcurl_multi *multi = side->owner;
  int64_t number = side - multi->sides;
  uint32_t events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EPOLLOUT;
  struct pcurl_socket *known = pcurl_multi_socket(multi, descriptor);
  if (known) {
    known->wanted = events;
    // A connection between two transfers stays as it is: the next one wants the same.
    if (events == 0 || events == known->registered) return 0;
    known->registered = events;
  }
  // A descriptor that libcurl has closed by itself is gone from epoll, too.
  if (events == 0)
    set_events(multi, EPOLL_CTL_DEL, descriptor, number, 0);
  else if (set_events(multi, EPOLL_CTL_MOD, descriptor, number, events) != 0)
    set_events(multi, EPOLL_CTL_ADD, descriptor, number, events);
  return 0;
}

static int on_timer(CURLM *handle, long timeout_ms, void *context) {
  (void)handle;
  struct pcurl_side *side = context;
  side->due = timeout_ms < 0 ? -1 : milliseconds() + timeout_ms;
  return 0;
}

int pcurl_events_open(pcurl_multi *multi) {
  multi->epoll = epoll_create1(EPOLL_CLOEXEC);
  multi->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (multi->epoll < 0 || multi->wake < 0
      || set_events(multi, EPOLL_CTL_ADD, multi->wake, 0, EPOLLIN) != 0)
    return 0;
  for (struct pcurl_side *side = multi->sides; side < multi->sides + pcurl_sides; side++) {
    side->owner = multi;
    side->due = -1;
    curl_multi_setopt(side->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(side->multi, CURLMOPT_SOCKETDATA, side);
    curl_multi_setopt(side->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(side->multi, CURLMOPT_TIMERDATA, side);
  }
  return 1;
}

void pcurl_events_close(pcurl_multi *multi) {
  if (multi->epoll >= 0) close(multi->epoll);
  if (multi->wake >= 0) close(multi->wake);
}

static void await(pcurl_multi *multi, int timeout_ms) {
  int count = epoll_wait(multi->epoll, multi->events, PCURL_EVENTS, timeout_ms);
  multi->event_count = count > 0 ? count : 0;
}

static void act(pcurl_multi *multi, CURLM *handle, curl_socket_t descriptor, int mask) {
  int running = 0;
  pcurl_multi_begin_turn(multi, descriptor);
  curl_multi_socket_action(handle, descriptor, mask, &running);
  pcurl_multi_end_turn(multi);
}

static void serve(pcurl_multi *multi, const struct epoll_event *event) {
  curl_socket_t descriptor = (curl_socket_t)(uint32_t)event->data.u64;
  if (descriptor == multi->wake) {
    uint64_t count;
    (void)!read(multi->wake, &count, sizeof count);
    return;
  }
  struct pcurl_socket *known = pcurl_multi_socket(multi, descriptor);
  if (known && known->wanted == 0) {
    // The server has closed a connection that is kept, or said something without a request.
    known->registered = 0;
    set_events(multi, EPOLL_CTL_DEL, descriptor, 0, 0);
    return;
  }
  // As libcurl's own look at a socket has it: whatever is wrong shows when it is read.
  int mask = 0;
  if (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_IN;
  if (event->events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
  act(multi, multi->sides[event->data.u64 >> 32].multi, descriptor, mask);
}

void pcurl_multi_perform(pcurl_multi *multi) {
  if (multi->event_count == 0) await(multi, 0);
  for (int index = 0; index < multi->event_count; index++) serve(multi, &multi->events[index]);
  multi->event_count = 0;
  for (struct pcurl_side *side = multi->sides; side < multi->sides + pcurl_sides; side++) {
    if (side->due < 0 || milliseconds() < side->due) continue;
    side->due = -1;
    act(multi, side->multi, CURL_SOCKET_TIMEOUT, 0);
  }
}

void pcurl_multi_poll(pcurl_multi *multi, int timeout_ms) {
  for (struct pcurl_side *side = multi->sides; side < multi->sides + pcurl_sides; side++) {
    if (side->due < 0) continue;
    int64_t left = side->due - milliseconds();
    if (left < timeout_ms) timeout_ms = left > 0 ? (int)left : 0;
  }
  await(multi, timeout_ms);
}

void pcurl_multi_wake(pcurl_multi *multi) {
  uint64_t one = 1;
  // A wake that is lost would stop the loop for good. A full counter is one that is still to be heard.
  for (int tries = 0; tries < 3; tries++)
    if (write(multi->wake, &one, sizeof one) >= 0 || errno == EAGAIN) return;
}
