#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "internal.h"

// Which connection a request goes over, and whether it may.

int pcurl_multi_own_port(curl_socket_t descriptor) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                             : ((struct sockaddr_in *)&address)->sin_port);
}

struct pcurl_socket *pcurl_multi_find(const pcurl_multi *multi, long lane, int port) {
  for (size_t index = 0; index < multi->socket_count; index++) {
    struct pcurl_socket *found = &multi->sockets[index];
    if (found->lane != lane) continue;
    // A socket that is not connected has none yet, and one that is keeps it.
    if (found->port == 0) found->port = pcurl_multi_own_port(found->descriptor);
    if (found->port == port) return found;
  }
  return NULL;
}

int pcurl_socket_has_left(const struct pcurl_socket *found, const SSL *tls) {
  if (tls && SSL_pending(tls) > 0) return 1;
  // Of a record of TLS: kind, version and length.
  unsigned char bytes[32];
  ssize_t count = recv(found->descriptor, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
  if (count <= 0 || !found->tls) return count > 0;
  // Handshakes and alerts come of themselves. TLS 1.3 hides the kind, but not that this one is as long as an alert.
  int length = count < 5 ? 0 : bytes[3] << 8 | bytes[4];
  return bytes[0] == SSL3_RT_APPLICATION_DATA && !(length == 19 && count <= 5 + 19);
}

enum pcurl_rest pcurl_multi_look(const pcurl_multi *multi, uint64_t connection) {
  if (connection == 0) return PCURL_CLOSED;
  for (size_t index = 0; index < multi->socket_count; index++) {
    const struct pcurl_socket *found = &multi->sockets[index];
    if (found->number != connection) continue;
    return pcurl_socket_has_left(found, found->tls) ? PCURL_LEFT : PCURL_EMPTY;
  }
  for (size_t index = 0; index < sizeof multi->left / sizeof *multi->left; index++)
    if (multi->left[index] == connection) return PCURL_LEFT;
  return PCURL_CLOSED;
}

static SSL *tls_of(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
  return session && session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

// What the connection agreed on, and not what libcurl or an answer makes of it.
static int speaks_http2(const SSL *tls) {
  const unsigned char *name = NULL;
  unsigned length = 0;
  if (tls) SSL_get0_alpn_selected(tls, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0;
}

// Called before a request goes out, also one that libcurl sends again by itself: that may be over any connection, so it
// is ended here and asked again from outside, by another transfer.
static int on_request(void *context, char *address, char *own_address, int port, int own_port) {
  (void)address, (void)own_address, (void)port;
  pcurl_transfer *transfer = context;
  SSL *tls = tls_of(transfer->easy);
  // From here on a read comes back after each message that TLS keeps to itself.
  if (tls) SSL_clear_mode(tls, SSL_MODE_AUTO_RETRY);
  transfer->speaks_http2 = speaks_http2(tls);
  // There is none. Whether one is needed shows only behind the request, so that goes out.
  transfer->lacks_certificate = tls && SSL_get_sigalgs(tls, -1, NULL, NULL, NULL, NULL, NULL) > 0;
  transfer->is_unshared = transfer->way == PCURL_SHARED && !transfer->speaks_http2;
  if (transfer->is_unshared && transfer->lacks_certificate) {
    transfer->is_unshared = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, 1L);
  }
  transfer->is_repeated = transfer->requests++ > 0;
  if (transfer->is_unshared || transfer->is_repeated) return CURL_PREREQFUNC_ABORT;
  if (transfer->way != PCURL_KEPT || !transfer->multi) return CURL_PREREQFUNC_OK;
  struct pcurl_socket *found = pcurl_multi_find(transfer->multi, transfer->lane, own_port);
  if (!found) {
    transfer->is_repeated = 1;
    return CURL_PREREQFUNC_ABORT;
  }
  found->tls = tls;
  transfer->connection = found->number;
  transfer->place = ++found->requests;
  // What a server sent past the end of its last answer would be read as the next one.
  transfer->is_spoiled = transfer->place > 1 && pcurl_socket_has_left(found, tls);
  return transfer->is_spoiled ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

void pcurl_transfer_set_way(pcurl_transfer *transfer, enum pcurl_way way, long lane) {
  transfer->way = way;
  transfer->lane = lane;
  curl_easy_setopt(transfer->easy, CURLOPT_PREREQFUNCTION, on_request);
  curl_easy_setopt(transfer->easy, CURLOPT_PREREQDATA, transfer);
  long version = way == PCURL_KEPT ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS;
  curl_easy_setopt(transfer->easy, CURLOPT_HTTP_VERSION, version);
  // Elsewhere, waiting for a connection to share starves transfers (curl#13227, curl#15838).
  curl_easy_setopt(transfer->easy, CURLOPT_PIPEWAIT, way == PCURL_SHARED ? 1L : 0L);
  // A part of what libcurl tells connections apart by. It has another meaning for link-local addresses alone.
  curl_easy_setopt(transfer->easy, CURLOPT_ADDRESS_SCOPE, lane);
  curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, way == PCURL_ALONE ? 1L : 0L);
  curl_easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, way == PCURL_ALONE ? 1L : 0L);
}
