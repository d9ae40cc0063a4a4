#include <stdlib.h>
#include <string.h>

#include "internal.h"

static long number(pcurl_transfer *transfer, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(transfer->easy, info, &value);
  return value;
}

static int64_t large(pcurl_transfer *transfer, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(transfer->easy, info, &value);
  return (int64_t)value;
}

long pcurl_transfer_status(pcurl_transfer *transfer) {
  return number(transfer, CURLINFO_RESPONSE_CODE);
}

int pcurl_transfer_next_header(
    pcurl_transfer *transfer, void **cursor, const char **name, const char **value) {
  struct curl_header *header = curl_easy_nextheader(transfer->easy, CURLH_HEADER, -1, *cursor);
  *cursor = header;
  if (!header) return 0;
  *name = header->name;
  *value = header->value;
  return 1;
}

const char *pcurl_transfer_redirect(pcurl_transfer *transfer) {
  char *url = NULL;
  curl_easy_getinfo(transfer->easy, CURLINFO_REDIRECT_URL, &url);
  if (url || !transfer->is_cut || transfer->redirect) return url ? url : transfer->redirect;
  // libcurl looks for it at the end of a body, and this one was not read so far.
  struct curl_header *location = NULL;
  if (curl_easy_header(transfer->easy, "Location", 0, CURLH_HEADER, -1, &location)) return NULL;
  curl_easy_getinfo(transfer->easy, CURLINFO_EFFECTIVE_URL, &url);
  CURLU *target = curl_url();
  if (!curl_url_set(target, CURLUPART_URL, url, CURLU_PATH_AS_IS)
      && !curl_url_set(target, CURLUPART_URL, location->value, CURLU_URLENCODE | CURLU_PATH_AS_IS)) {
    curl_url_get(target, CURLUPART_URL, &transfer->redirect, 0);
  }
  curl_url_cleanup(target);
  return transfer->redirect;
}

const char *pcurl_transfer_error(pcurl_transfer *transfer) { return transfer->error; }

const uint8_t *pcurl_transfer_body(pcurl_transfer *transfer, size_t *count) {
  *count = transfer->count;
  return transfer->body;
}

void pcurl_transfer_take_body(pcurl_transfer *transfer, uint8_t *into) {
  // From the end, and what is copied goes back to the system, so that a large body is never there twice.
  static const size_t step = 4 * 1024 * 1024;
  while (transfer->count > 0) {
    size_t start = transfer->count > step ? transfer->count - step : 0;
    memcpy(into + start, transfer->body + start, transfer->count - start);
    transfer->count = start;
    if (start == 0) break;
    uint8_t *smaller = realloc(transfer->body, start);
    if (smaller) {
      transfer->body = smaller;
      transfer->capacity = start;
    }
  }
  free(transfer->body);
  transfer->body = NULL;
  transfer->capacity = 0;
}

int64_t pcurl_transfer_announced_length(pcurl_transfer *transfer) {
  return large(transfer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
}

int64_t pcurl_transfer_received_length(pcurl_transfer *transfer) { return transfer->raw_bytes; }

int64_t pcurl_transfer_seen_bytes(const pcurl_transfer *transfer) {
  return transfer->raw_bytes + (int64_t)transfer->header_bytes;
}

int64_t pcurl_transfer_wire_bytes(pcurl_transfer *transfer) {
  return large(transfer, CURLINFO_SIZE_DOWNLOAD_T) + number(transfer, CURLINFO_HEADER_SIZE);
}

int pcurl_transfer_is_http1(const pcurl_transfer *transfer) { return !transfer->speaks_http2; }

int pcurl_transfer_lacks_certificate(const pcurl_transfer *transfer) {
  return transfer->lacks_certificate;
}

int pcurl_transfer_is_sent(const pcurl_transfer *transfer) {
  return transfer->requests > 0 && !transfer->is_unshared && !transfer->is_spoiled;
}

uint64_t pcurl_transfer_connection(const pcurl_transfer *transfer, long *place) {
  *place = transfer->place;
  return transfer->connection;
}

int pcurl_transfer_is_cut(const pcurl_transfer *transfer) { return transfer->is_cut; }

long pcurl_transfer_new_connections(pcurl_transfer *transfer) {
  return number(transfer, CURLINFO_NUM_CONNECTS);
}

void pcurl_transfer_moments(pcurl_transfer *transfer, int64_t moments[PCURL_MOMENTS]) {
  moments[0] = large(transfer, CURLINFO_NAMELOOKUP_TIME_T);
  moments[1] = large(transfer, CURLINFO_CONNECT_TIME_T);
  moments[2] = large(transfer, CURLINFO_APPCONNECT_TIME_T);
  moments[3] = large(transfer, CURLINFO_STARTTRANSFER_TIME_T);
  moments[4] = large(transfer, CURLINFO_TOTAL_TIME_T);
  moments[5] = large(transfer, CURLINFO_PRETRANSFER_TIME_T);
}

int pcurl_transfer_refused_address(pcurl_transfer *transfer, uint8_t bytes[16]) {
  if (transfer->refused == 0 || transfer->opened > 0) return 0;
  memcpy(bytes, transfer->refused_bytes, 16);
  return transfer->refused_count;
}

enum pcurl_result pcurl_result_of(const pcurl_transfer *transfer, CURLcode code) {
  if (transfer->is_unshared) return PCURL_NOT_SHARED;
  if (transfer->is_repeated) return PCURL_AGAIN;
  if (transfer->is_spoiled) return PCURL_SPOILED;
  if (transfer->has_large_headers) return PCURL_HEADERS;
  if (transfer->is_too_large) return PCURL_TOO_LARGE;
  if (code != CURLE_OK && transfer->has_no_descriptor) return PCURL_DESCRIPTORS;
  if (transfer->is_cut) return PCURL_OK;
  switch (code) {
    case CURLE_OK:
      return PCURL_OK;
    case CURLE_URL_MALFORMAT:
      return PCURL_URL;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return pcurl_descriptors_are_short() ? PCURL_DESCRIPTORS : PCURL_RESOLVE;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_SSL_CACERT_BADFILE:
      // A file or a pipe that libcurl wanted for itself counts as this for it.
      if (pcurl_descriptors_are_short()) return PCURL_DESCRIPTORS;
      return code == CURLE_OUT_OF_MEMORY ? PCURL_INTERNAL : PCURL_TLS_UNTRUSTED;
    case CURLE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
      return PCURL_CONNECT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return PCURL_TLS_UNTRUSTED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ENGINE_INITFAILED:
      return PCURL_TLS;
    case CURLE_OPERATION_TIMEDOUT:
      return PCURL_TIMEOUT;
    case CURLE_PARTIAL_FILE:
      return PCURL_PARTIAL;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
      return PCURL_NETWORK;
    case CURLE_HTTP2_STREAM:
      return PCURL_STREAM;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return PCURL_PROTOCOL;
    case CURLE_FILESIZE_EXCEEDED:
      return PCURL_TOO_LARGE;
    default:
      return PCURL_INTERNAL;
  }
}
