#ifndef PREHEAT_CCURL_INTERNAL_H
#define PREHEAT_CCURL_INTERNAL_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>

#include "ccurl.h"

// libcurl 7.88 (Debian 12; 8.14 of Debian 13 no longer) keeps in mind for each host whether its connections take several
// requests at once, and sends them so over those of HTTP/1.1 too, where others of the host speak HTTP/2: answers reach
// other transfers. So requests that may share a connection have a handle of their own, in which none goes over a
// connection of HTTP/1.1 (request.c).
enum { pcurl_shared_side, pcurl_single_side, pcurl_sides };

struct pcurl_side {
  CURLM *multi;
  pcurl_multi *owner;
  int64_t due;  // when libcurl wants to look at its clock, by the monotonic one in milliseconds; -1 for never
};

struct pcurl_socket {
  curl_socket_t descriptor;
  int port;  // its own, 0 before anybody has asked for it
  long lane;  // of the transfer that opened it
  uint64_t number;
  long requests;  // that went over it
  SSL *tls;  // of the last of them; libcurl frees it only where it closes the socket, too
  uint32_t wanted;      // events that libcurl waits for
  uint32_t registered;  // events that epoll waits for
  uint64_t taken;  // bytes that were read from it until the watchdog's last look
  int calls;       // for it since its last answer
  int is_slow;     // one of them took long, or there were many: the next ones are measured
  int64_t spent;   // nanoseconds of the processor since it last brought an answer, as far as they were measured
};

// What a connection costs of the processor's time, and a thread of its own that looks whether libcurl comes back from
// what it was called for (watchdog.c).
struct pcurl_watchdog {
  pthread_t thread;
  clockid_t clock;  // of the thread that calls libcurl
  int is_running;
  int is_ending;
  pthread_mutex_t lock;  // of all this, and of the list of sockets where the loader's thread changes it
  pthread_cond_t change;
  int transfers;      // in the multi handle
  atomic_uint calls;  // odd while libcurl is at work
  int dropped[64];    // own ports of the connections that were ended last
  unsigned dropped_count;
};

// Number of sockets served between two looks at what is new; the others come next.
#define PCURL_EVENTS 64

struct pcurl_multi {
  struct pcurl_side sides[pcurl_sides];
  int epoll;
  int wake;     // an eventfd that ends a wait
  struct epoll_event events[PCURL_EVENTS];
  int event_count;  // that are not served yet
  int paused;  // transfers in it that wait for room, or for their next turn
  int64_t turn;  // when libcurl was last called, by the monotonic clock in microseconds
  curl_socket_t served;  // the socket for which it was, or CURL_SOCKET_BAD
  int64_t measured;      // time of the processor at that call, -1 where it is not measured
  int64_t body_bytes;    // of all transfers, since that call
  // The sockets of its connections: libcurl tells of a connection that is used again by its port alone.
  struct pcurl_socket *sockets;
  size_t socket_count;
  size_t socket_room;
  uint64_t connections;  // the number of the last one
  uint64_t left[16];  // the last ones that held bytes when they were closed
  unsigned left_count;
  struct pcurl_watchdog watchdog;
};

struct pcurl_transfer {
  CURL *easy;
  pcurl_multi *multi;  // that it is in
  enum pcurl_way way;
  long lane;
  uint64_t connection;
  long place;  // of its request among those of the connection
  struct curl_slist *headers;
  struct curl_slist *resolve;
  pcurl_address_check check;

  uint8_t *body;
  size_t count;
  size_t capacity;
  int64_t max_body;
  int64_t allowance;  // decoded bytes that may be held without asking; the transfer pauses at them
  int64_t wanted;     // what it paused for, 0 while it goes on
  int64_t raw_bytes;  // body bytes before decoding and before the cut at the announced length
  size_t header_bytes;
  size_t max_header_bytes;
  size_t discarded;  // body bytes of an answer that is not a success; only its status is of interest
  int is_cut;        // ended by us because of them
  char *redirect;    // read from a field where libcurl does not tell it
  long stall_seconds;
  int is_too_large;
  int has_large_headers;
  int requests;     // that were about to go out
  int speaks_http2;  // the connection that it was about to go out on
  int lacks_certificate;  // its server asked for one of the client's
  int is_unshared;   // that connection may not be shared
  int is_repeated;   // libcurl was about to send it again
  int is_spoiled;   // the connection that was kept holds bytes without a request
  int has_no_descriptor;  // no socket could be opened, for want of file descriptors

  int opened;
  int refused;
  uint8_t refused_bytes[16];
  int refused_count;

  char error[CURL_ERROR_SIZE];
};

// Readies epoll for a multi handle; 0 where the system has no descriptor left.
int pcurl_events_open(pcurl_multi *multi);
void pcurl_events_close(pcurl_multi *multi);
// Keeps a socket in mind until it is closed; where memory is short it is only not looked at.
void pcurl_multi_note(pcurl_multi *multi, curl_socket_t descriptor, long lane);
// The socket of this lane with this local port, or NULL.
struct pcurl_socket *pcurl_multi_find(const pcurl_multi *multi, long lane, int port);
// Whether it has bytes that no request asked for. `tls` is the same as of its last request, unless that is freed.
int pcurl_socket_has_left(const struct pcurl_socket *found, const SSL *tls);
// Around each call that reads, for a socket or CURL_SOCKET_BAD: the time that a transfer may take from the others.
void pcurl_multi_begin_turn(pcurl_multi *multi, curl_socket_t descriptor);
void pcurl_multi_end_turn(pcurl_multi *multi);
int pcurl_multi_is_turn_over(const pcurl_multi *multi);
int pcurl_multi_own_port(curl_socket_t descriptor);
struct pcurl_socket *pcurl_multi_socket(pcurl_multi *multi, curl_socket_t descriptor);
// More or fewer transfers; the first one starts the watchdog.
void pcurl_watchdog_count(pcurl_multi *multi, int change);
// The thread that calls this is the one that calls libcurl from now on.
void pcurl_watchdog_move(pcurl_multi *multi);
void pcurl_watchdog_end(pcurl_multi *multi);
int64_t pcurl_watchdog_now(void);
// Adds to what a connection has cost, and ends it where that is too much.
void pcurl_watchdog_charge(pcurl_multi *multi, struct pcurl_socket *found, int64_t nanoseconds);
// An answer came over the connection from this port.
void pcurl_watchdog_answer(pcurl_multi *multi, long lane, int port);
// Whether the connection from this port was ended by it.
int pcurl_watchdog_has_dropped(pcurl_multi *multi, int port);
// Whether no further file could be opened at this moment.
int pcurl_descriptors_are_short(void);
// Loads libcurl's own tables once in the process.
void pcurl_prepare(void);
enum pcurl_result pcurl_result_of(const pcurl_transfer *transfer, CURLcode code);

#endif
