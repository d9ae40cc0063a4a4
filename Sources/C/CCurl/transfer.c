#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

// An error page or the body of a redirect is read up to here, so that the connection can be reused.
static const size_t max_discarded_bytes = 256 * 1024;
// So much memory is taken on a server's word that it will be filled.
static const int64_t max_announced_bytes = 256 * 1024;
static const size_t stalling_bytes = 4 * 1024;
// What is taken from a socket at once. A hundred reads may go by before a limit is looked at again, so a larger
// buffer would let more of a hostile body through for the sake of one system call.
static const long read_bytes = 16 * 1024;

// Room for a body that has come so far: all that is announced, in steps where that is much or nothing.
static size_t room_for(pcurl_transfer *transfer, size_t needed) {
  int64_t announced = pcurl_transfer_announced_length(transfer);
  if (announced >= (int64_t)needed && announced <= max_announced_bytes) return (size_t)announced;
  size_t capacity = transfer->capacity ? transfer->capacity : 64 * 1024;
  while (capacity < needed) capacity *= 2;
  // No more than was counted for it, nor than it may have at all.
  int64_t most = transfer->allowance < transfer->max_body ? transfer->allowance : transfer->max_body;
  if ((int64_t)capacity > most) capacity = most > (int64_t)needed ? (size_t)most : needed;
  return capacity;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  pcurl_transfer *transfer = context;
  size_t added = size * count;
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status < 200 || status > 299) {
    transfer->discarded += added;
    transfer->is_cut = transfer->discarded > max_discarded_bytes;
    return transfer->is_cut ? 0 : added;
  }
  // A server's announcement counts where it is too much.
  int64_t announced = transfer->count == 0 ? pcurl_transfer_announced_length(transfer) : 0;
  if (announced > transfer->max_body
      || (int64_t)added > transfer->max_body - (int64_t)transfer->count) {
    transfer->is_too_large = 1;
    return 0;
  }
  size_t needed = transfer->count + added;
  if ((int64_t)needed > transfer->allowance || pcurl_multi_is_turn_over(transfer->multi)) {
    if (transfer->wanted == 0) transfer->multi->paused++;
    transfer->wanted = (int64_t)needed;
    return CURL_WRITEFUNC_PAUSE;
  }
  if (needed > transfer->capacity) {
    size_t capacity = room_for(transfer, needed);
    uint8_t *body = realloc(transfer->body, capacity);
    if (!body) return 0;
    transfer->body = body;
    transfer->capacity = capacity;
  }
  // From here on it stalls sooner. libcurl counts from when it was slow first: so much of a body ends that.
  if (transfer->count < stalling_bytes && needed >= stalling_bytes) {
    curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, transfer->stall_seconds);
  }
  memcpy(transfer->body + transfer->count, bytes, added);
  transfer->count = needed;
  transfer->multi->body_bytes += (int64_t)added;
  return added;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
  pcurl_transfer *transfer = context;
  // Bodies alone are to be seen by `on_debug`: what libcurl writes for it before them costs time.
  if (size * count == 2 && bytes[0] == '\r') curl_easy_setopt(transfer->easy, CURLOPT_VERBOSE, 1L);
  transfer->header_bytes += size * count;
  // libcurl 7.88 bounds one header line but not their sum.
  if (transfer->header_bytes > transfer->max_header_bytes) {
    transfer->has_large_headers = 1;
    return 0;
  }
  return size * count;
}

// libcurl cuts a body at the announced length without a word; only here is the rest seen.
static int on_debug(CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context) {
  (void)easy, (void)bytes;
  if (kind == CURLINFO_DATA_IN) ((pcurl_transfer *)context)->raw_bytes += (int64_t)count;
  return 0;
}

// The last few are for files, and for libdispatch: once a second it looks at its threads in /proc, and ends the
// process where it cannot. The lowest free number is what a new descriptor gets.
static bool is_last_descriptors(int descriptor) {
  static const rlim_t reserve = 6;
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
      && (rlim_t)descriptor + reserve >= limit.rlim_cur;
}

static curl_socket_t on_open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  pcurl_transfer *transfer = context;
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
  const uint8_t *bytes;
  int count;
  if (address->family == AF_INET) {
    bytes = (const uint8_t *)&((struct sockaddr_in *)&address->addr)->sin_addr;
    count = 4;
  } else if (address->family == AF_INET6) {
    bytes = (const uint8_t *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr;
    count = 16;
  } else {
    return CURL_SOCKET_BAD;
  }
  if (transfer->check && transfer->check(bytes, count)) {
    transfer->refused++;
    transfer->refused_count = count;
    memcpy(transfer->refused_bytes, bytes, (size_t)count);
    return CURL_SOCKET_BAD;
  }
  // A worker process started meanwhile must not hold the connection open.
  int type = address->socktype | SOCK_CLOEXEC;
  int descriptor = socket(address->family, type, address->protocol);
  if (descriptor < 0 && (errno == EMFILE || errno == ENFILE)) transfer->has_no_descriptor = 1;
  if (descriptor < 0) return CURL_SOCKET_BAD;
  if (is_last_descriptors(descriptor)) {
    close(descriptor);
    transfer->has_no_descriptor = 1;
    return CURL_SOCKET_BAD;
  }
  transfer->opened++;
  if (transfer->multi) pcurl_multi_note(transfer->multi, descriptor, transfer->lane);
  return descriptor;
}

pcurl_transfer *pcurl_transfer_new(void) {
  pcurl_prepare();
  pcurl_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  CURL *easy = curl_easy_init();
  if (!easy) {
    free(transfer);
    return NULL;
  }
  transfer->easy = easy;
  transfer->max_body = INT64_MAX;
  transfer->allowance = INT64_MAX;
  transfer->max_header_bytes = 256 * 1024;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Giving up on a slow name look-up must not block the one thread that serves every transfer.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  // Which proxy to use is decided outside, so that the guard knows of it; libcurl must not look for one.
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  // Takes in what servers set, in memory: a redirect may lead to where it is asked for.
  curl_easy_setopt(easy, CURLOPT_COOKIEFILE, "");
  // A group of 10,000 bits, which the server chooses, costs up to a second. No device of Apple's offers DHE.
  curl_easy_setopt(easy, CURLOPT_SSL_CIPHER_LIST, "DEFAULT:!DHE");
  curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
  // Pictures gain nothing from a content coding. One that comes all the same is left as it is: decoded here, a small
  // body could hold up all transfers.
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug);
  curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, read_bytes);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
  return transfer;
}

void pcurl_transfer_free(pcurl_transfer *transfer) {
  if (!transfer) return;
  curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  curl_slist_free_all(transfer->resolve);
  curl_free(transfer->redirect);
  free(transfer->body);
  free(transfer);
}

void pcurl_transfer_set_url(pcurl_transfer *transfer, const char *url) {
  curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
}

void pcurl_transfer_set_credentials(
    pcurl_transfer *transfer, const char *user, const char *password) {
  curl_easy_setopt(transfer->easy, CURLOPT_USERNAME, user);
  curl_easy_setopt(transfer->easy, CURLOPT_PASSWORD, password);
}

void pcurl_transfer_set_user_agent(pcurl_transfer *transfer, const char *text) {
  curl_easy_setopt(transfer->easy, CURLOPT_USERAGENT, text);
}

void pcurl_transfer_set_ca_file(pcurl_transfer *transfer, const char *path) {
  curl_easy_setopt(transfer->easy, CURLOPT_CAINFO, path);
}

void pcurl_transfer_set_unverified(pcurl_transfer *transfer) {
  curl_easy_setopt(transfer->easy, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(transfer->easy, CURLOPT_SSL_VERIFYHOST, 0L);
}

void pcurl_transfer_set_proxy(pcurl_transfer *transfer, const char *url) {
  curl_easy_setopt(transfer->easy, CURLOPT_PROXY, url);
  curl_easy_setopt(transfer->easy, CURLOPT_PROXYAUTH, (long)CURLAUTH_BASIC);
}

void pcurl_transfer_set_signature(pcurl_transfer *transfer, const char *provider) {
  curl_easy_setopt(transfer->easy, CURLOPT_AWS_SIGV4, provider);
}

void pcurl_transfer_set_timeouts(pcurl_transfer *transfer, long connect_ms, long total_ms) {
  curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
  curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, total_ms);
}

void pcurl_transfer_set_stall(
    pcurl_transfer *transfer, long bytes_per_second, long answer_seconds, long seconds) {
  transfer->stall_seconds = seconds;
  curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_LIMIT, bytes_per_second);
  curl_easy_setopt(transfer->easy, CURLOPT_LOW_SPEED_TIME, answer_seconds);
}

void pcurl_transfer_set_max_body(pcurl_transfer *transfer, int64_t bytes) {
  transfer->max_body = bytes;
}

void pcurl_transfer_set_max_headers(pcurl_transfer *transfer, size_t bytes) {
  transfer->max_header_bytes = bytes;
}

int64_t pcurl_transfer_wanted(const pcurl_transfer *transfer) { return transfer->wanted; }

void pcurl_transfer_allow(pcurl_transfer *transfer, int64_t bytes) {
  transfer->allowance = bytes;
  if (transfer->wanted == 0 || transfer->wanted > bytes) return;
  transfer->wanted = 0;
  transfer->multi->paused--;
  pcurl_multi_begin_turn(transfer->multi, CURL_SOCKET_BAD);
  curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
  pcurl_multi_end_turn(transfer->multi);
}

void pcurl_transfer_set_check(pcurl_transfer *transfer, pcurl_address_check check) {
  transfer->check = check;
}

void pcurl_transfer_add_header(pcurl_transfer *transfer, const char *line) {
  struct curl_slist *list = curl_slist_append(transfer->headers, line);
  if (!list) return;
  transfer->headers = list;
  curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, list);
}

void pcurl_transfer_set_cookies(
    pcurl_transfer *transfer, const char *value, const pcurl_transfer *before) {
  struct curl_slist *list = NULL;
  curl_easy_setopt(transfer->easy, CURLOPT_COOKIE, value);
  if (before) curl_easy_getinfo(before->easy, CURLINFO_COOKIELIST, &list);
  for (struct curl_slist *line = list; line; line = line->next)
    curl_easy_setopt(transfer->easy, CURLOPT_COOKIELIST, line->data);
  curl_slist_free_all(list);
}

void pcurl_transfer_add_resolve(pcurl_transfer *transfer, const char *entry) {
  struct curl_slist *list = curl_slist_append(transfer->resolve, entry);
  if (!list) return;
  transfer->resolve = list;
  curl_easy_setopt(transfer->easy, CURLOPT_RESOLVE, list);
}
