#ifndef PREHEAT_CCURL_H
#define PREHEAT_CCURL_H

// libcurl behind opaque handles: its variadic calls and its callbacks stay in C. Nothing here is
// safe to call from two threads at once, except pcurl_multi_wake. libcurl's own functions for URLs are called as they are.

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// What a finished transfer came to. Bounded on purpose: callers decide by these, never by text.
enum pcurl_result {
  PCURL_OK = 0,
  PCURL_URL,
  PCURL_RESOLVE,
  PCURL_CONNECT,
  PCURL_TLS_UNTRUSTED,  // the certificate does not prove the host
  PCURL_TLS,            // the handshake broke for another reason
  PCURL_TIMEOUT,
  PCURL_PARTIAL,   // the connection ended before the announced end of the body
  PCURL_NETWORK,   // reset, refused stream, nothing received
  PCURL_PROTOCOL,  // the answer is not HTTP as it should be
  PCURL_TOO_LARGE,
  PCURL_HEADERS,      // the header fields are larger than allowed
  PCURL_DESCRIPTORS,  // no file descriptor was left for a socket
  PCURL_STREAM,       // one stream of an HTTP/2 connection was reset
  PCURL_FLOODED,      // bytes without end, and nothing of a body in them
  PCURL_AGAIN,        // nothing of it is to be used: libcurl would have sent the request again by itself
  PCURL_NOT_SHARED,   // the same, since the connection does not speak HTTP/2
  PCURL_SPOILED,      // the same, since the connection held bytes before the request went out
  PCURL_INTERNAL,
};

// MARK: Transfer

typedef struct pcurl_transfer pcurl_transfer;

// Answers non-zero to forbid a connection to the address (4 or 16 bytes, network order).
typedef int (*pcurl_address_check)(const uint8_t *bytes, int count);

pcurl_transfer *pcurl_transfer_new(void);
void pcurl_transfer_free(pcurl_transfer *transfer);

void pcurl_transfer_set_url(pcurl_transfer *transfer, const char *url);
// Which connections a request may go over.
enum pcurl_way {
  PCURL_SHARED,  // over HTTP/2 alone, beside others
  PCURL_KEPT,    // over HTTP/1.1 alone, one after the other
  PCURL_ALONE,   // over one of its own, that ends with it
};
// To be called once, before it is added. `lane` tells connections that are kept apart: a request takes the one of its own
// lane, or makes it.
void pcurl_transfer_set_way(pcurl_transfer *transfer, enum pcurl_way way, long lane);
void pcurl_transfer_set_credentials(pcurl_transfer *transfer, const char *user, const char *password);
void pcurl_transfer_set_user_agent(pcurl_transfer *transfer, const char *text);
void pcurl_transfer_set_ca_file(pcurl_transfer *transfer, const char *path);
// The certificate of this server is not looked at.
void pcurl_transfer_set_unverified(pcurl_transfer *transfer);
// A proxy's URL, user info included.
void pcurl_transfer_set_proxy(pcurl_transfer *transfer, const char *url);
// Signs the request with the credentials, as AWS Signature Version 4: "aws:amz:REGION:SERVICE".
void pcurl_transfer_set_signature(pcurl_transfer *transfer, const char *provider);
void pcurl_transfer_set_timeouts(pcurl_transfer *transfer, long connect_ms, long total_ms);
// The first seconds are those until the answer, the second those of its body.
void pcurl_transfer_set_stall(
    pcurl_transfer *transfer, long bytes_per_second, long answer_seconds, long seconds);
void pcurl_transfer_set_max_body(pcurl_transfer *transfer, int64_t bytes);
void pcurl_transfer_set_max_headers(pcurl_transfer *transfer, size_t bytes);
// Decoded bytes that the body may grow to. Beyond them the transfer pauses, until more is allowed. It pauses before where
// it has kept the others waiting, and goes on when as much is allowed again.
void pcurl_transfer_allow(pcurl_transfer *transfer, int64_t bytes);
// What a paused transfer needs in all to go on, 0 while it is not paused.
int64_t pcurl_transfer_wanted(const pcurl_transfer *transfer);
void pcurl_transfer_set_check(pcurl_transfer *transfer, pcurl_address_check check);
// `line` in curl's form: "Name: value", or "Name;" for an empty value.
void pcurl_transfer_add_header(pcurl_transfer *transfer, const char *line);
// The value of a `Cookie` field, or NULL, and the exchange, or NULL, whose cookies are sent as far as they are for the URL.
void pcurl_transfer_set_cookies(
    pcurl_transfer *transfer, const char *value, const pcurl_transfer *before);
// "host:port:address", in place of a name look-up.
void pcurl_transfer_add_resolve(pcurl_transfer *transfer, const char *entry);

long pcurl_transfer_status(pcurl_transfer *transfer);
// Steps through the fields of the last answer; 0 after the last. `*cursor` is NULL to begin with. The
// texts are valid until the next call.
int pcurl_transfer_next_header(
    pcurl_transfer *transfer, void **cursor, const char **name, const char **value);
// Where a redirect leads, made absolute, or NULL.
const char *pcurl_transfer_redirect(pcurl_transfer *transfer);
const char *pcurl_transfer_error(pcurl_transfer *transfer);
const uint8_t *pcurl_transfer_body(pcurl_transfer *transfer, size_t *count);
// Moves all of the body, `into` has to have room for it; afterwards it is empty.
void pcurl_transfer_take_body(pcurl_transfer *transfer, uint8_t *into);
// -1 when unknown.
int64_t pcurl_transfer_announced_length(pcurl_transfer *transfer);
// Body bytes as they came over the wire, past the announced length too.
int64_t pcurl_transfer_received_length(pcurl_transfer *transfer);
// Bytes that came so far, header fields included.
int64_t pcurl_transfer_seen_bytes(const pcurl_transfer *transfer);
int64_t pcurl_transfer_wire_bytes(pcurl_transfer *transfer);
// Whether its connection is not one of HTTP/2, whatever its answer says.
int pcurl_transfer_is_http1(const pcurl_transfer *transfer);
// Whether its server asked for a certificate of the client's.
int pcurl_transfer_lacks_certificate(const pcurl_transfer *transfer);
// Whether its request went out.
int pcurl_transfer_is_sent(const pcurl_transfer *transfer);
// The connection that its request went over, by a number of its own, and how many requests had by then, itself included.
uint64_t pcurl_transfer_connection(const pcurl_transfer *transfer, long *place);
// Whether its answer was not read to its end because nothing of it is of interest.
int pcurl_transfer_is_cut(const pcurl_transfer *transfer);
long pcurl_transfer_new_connections(pcurl_transfer *transfer);

// Microseconds from the start until: the name was known, the host was connected, TLS was up, the first byte
// came, all was there; and until the request could be sent, TLS included. 0 for what did not happen.
#define PCURL_MOMENTS 6
void pcurl_transfer_moments(pcurl_transfer *transfer, int64_t moments[PCURL_MOMENTS]);
// Count of bytes (0, 4 or 16) of the refused address when every address was refused.
int pcurl_transfer_refused_address(pcurl_transfer *transfer, uint8_t bytes[16]);

// MARK: Multi

typedef struct pcurl_multi pcurl_multi;

pcurl_multi *pcurl_multi_new(long max_connections);
void pcurl_multi_free(pcurl_multi *multi);
// How many connections are kept for reuse.
void pcurl_multi_keep(pcurl_multi *multi, long max_connections);
int pcurl_multi_add(pcurl_multi *multi, pcurl_transfer *transfer);
void pcurl_multi_remove(pcurl_multi *multi, pcurl_transfer *transfer);
// Whether a transfer in it waits for leave to let its body grow.
int pcurl_multi_has_paused(const pcurl_multi *multi);
void pcurl_multi_perform(pcurl_multi *multi);
// Whether a connection that no request is under way on holds bytes, or held some when it was closed.
enum pcurl_rest { PCURL_EMPTY, PCURL_LEFT, PCURL_CLOSED };
enum pcurl_rest pcurl_multi_look(const pcurl_multi *multi, uint64_t connection);
// Takes one finished transfer out of the multi; NULL when there is none.
pcurl_transfer *pcurl_multi_next_finished(pcurl_multi *multi, enum pcurl_result *result);
void pcurl_multi_poll(pcurl_multi *multi, int timeout_ms);
// May be called from any thread.
void pcurl_multi_wake(pcurl_multi *multi);

// MARK: Odds

// Count of bytes (4 or 16) written, 0 when `text` is not an IP address.
int pcurl_address_parse(const char *text, uint8_t bytes[16]);
void pcurl_address_print(const uint8_t *bytes, int count, char text[46]);
// Seconds since 1970 of an HTTP date, -1 for other text.
int64_t pcurl_date_parse(const char *text);
int64_t pcurl_date_now(void);

// Starts a thread with every signal blocked: SIGPIPE never ends the process because a peer went
// away, and SIGINT goes to a thread that handles it. Returns 0 when it could not start.
int pcurl_thread_start(void (*run)(void *), void *context, uintptr_t *thread);
void pcurl_thread_join(uintptr_t thread);

// What libcurl is and can do, as its own one-line text.
const char *pcurl_version_text(void);
// The file of CA certificates that libcurl was built with, or NULL.
const char *pcurl_certificates(void);

#endif
