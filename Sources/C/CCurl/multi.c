#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

void pcurl_prepare(void) { pthread_once(&once, prepare); }

pcurl_multi *pcurl_multi_new(long max_connections) {
  pcurl_prepare();
  pcurl_multi *multi = calloc(1, sizeof *multi);
  if (!multi) return NULL;
  pthread_mutex_init(&multi->watchdog.lock, NULL);
  pthread_cond_init(&multi->watchdog.change, NULL);
  multi->epoll = multi->wake = -1;
  int is_made = 1;
  for (int index = 0; index < pcurl_sides; index++)
    is_made = (multi->sides[index].multi = curl_multi_init()) && is_made;
  if (!is_made || !pcurl_events_open(multi)) {
    pcurl_multi_free(multi);
    return NULL;
  }
  curl_multi_setopt(
      multi->sides[pcurl_single_side].multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
  pcurl_multi_keep(multi, max_connections);
  return multi;
}

void pcurl_multi_keep(pcurl_multi *multi, long max_connections) {
  for (int index = 0; index < pcurl_sides; index++)
    curl_multi_setopt(multi->sides[index].multi, CURLMOPT_MAXCONNECTS, max_connections);
}

void pcurl_multi_free(pcurl_multi *multi) {
  if (!multi) return;
  // Connections are read once more before they are closed.
  if (multi->watchdog.is_running) {
    pcurl_watchdog_move(multi);
    pcurl_watchdog_count(multi, 1);
  }
  pcurl_multi_begin_turn(multi, CURL_SOCKET_BAD);
  for (int index = 0; index < pcurl_sides; index++) curl_multi_cleanup(multi->sides[index].multi);
  pcurl_multi_end_turn(multi);
  pcurl_watchdog_end(multi);
  pcurl_events_close(multi);
  free(multi->sockets);
  free(multi);
}

static void note(pcurl_multi *multi, curl_socket_t descriptor, long lane) {
  if (multi->socket_count == multi->socket_room) {
    size_t room = multi->socket_room ? 2 * multi->socket_room : 64;
    struct pcurl_socket *sockets = realloc(multi->sockets, room * sizeof *sockets);
    if (!sockets) return;
    multi->sockets = sockets;
    multi->socket_room = room;
  }
  multi->sockets[multi->socket_count++] = (struct pcurl_socket){
      .descriptor = descriptor, .lane = lane, .number = ++multi->connections};
}

struct pcurl_socket *pcurl_multi_socket(pcurl_multi *multi, curl_socket_t descriptor) {
  for (size_t index = 0; index < multi->socket_count; index++)
    if (multi->sockets[index].descriptor == descriptor) return &multi->sockets[index];
  return NULL;
}

void pcurl_multi_note(pcurl_multi *multi, curl_socket_t descriptor, long lane) {
  pthread_mutex_lock(&multi->watchdog.lock);
  note(multi, descriptor, lane);
  pthread_mutex_unlock(&multi->watchdog.lock);
}

static int on_close_socket(void *context, curl_socket_t descriptor) {
  pcurl_multi *multi = context;
  pthread_mutex_lock(&multi->watchdog.lock);
  for (size_t index = 0; index < multi->socket_count; index++) {
    struct pcurl_socket *found = &multi->sockets[index];
    if (found->descriptor != descriptor) continue;
    if (found->requests > 1 && pcurl_socket_has_left(found, NULL))
      multi->left[multi->left_count++ % (sizeof multi->left / sizeof *multi->left)] = found->number;
    *found = multi->sockets[--multi->socket_count];
    break;
  }
  pthread_mutex_unlock(&multi->watchdog.lock);
  return close(descriptor);
}

static CURLM *handle_of(pcurl_multi *multi, const pcurl_transfer *transfer) {
  return multi->sides[transfer->way == PCURL_SHARED ? pcurl_shared_side : pcurl_single_side].multi;
}

int pcurl_multi_add(pcurl_multi *multi, pcurl_transfer *transfer) {
  // A connection outlives the transfer that made it.
  curl_easy_setopt(transfer->easy, CURLOPT_CLOSESOCKETFUNCTION, on_close_socket);
  curl_easy_setopt(transfer->easy, CURLOPT_CLOSESOCKETDATA, multi);
  if (curl_multi_add_handle(handle_of(multi, transfer), transfer->easy) != CURLM_OK) return 0;
  transfer->multi = multi;
  pcurl_watchdog_count(multi, 1);
  return 1;
}

static void take_out(pcurl_multi *multi, CURLM *handle, CURL *easy) {
  pcurl_multi_begin_turn(multi, CURL_SOCKET_BAD);
  curl_multi_remove_handle(handle, easy);
  pcurl_multi_end_turn(multi);
}

static void leave(pcurl_multi *multi, pcurl_transfer *transfer) {
  if (transfer->wanted != 0) multi->paused--;
  transfer->wanted = 0;
  transfer->multi = NULL;
  pcurl_watchdog_count(multi, -1);
}

void pcurl_multi_remove(pcurl_multi *multi, pcurl_transfer *transfer) {
  take_out(multi, handle_of(multi, transfer), transfer->easy);
  leave(multi, transfer);
}

int pcurl_multi_has_paused(const pcurl_multi *multi) { return multi->paused > 0; }

pcurl_transfer *pcurl_multi_next_finished(pcurl_multi *multi, enum pcurl_result *result) {
  int left = 0, index = 0;
  while (index < pcurl_sides) {
    CURLM *handle = multi->sides[index].multi;
    CURLMsg *message = curl_multi_info_read(handle, &left);
    if (!message) {
      index++;
      continue;
    }
    if (message->msg != CURLMSG_DONE) continue;
    // The message does not outlive the handle's removal.
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result;
    pcurl_transfer *transfer = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
    take_out(multi, handle, easy);
    if (!transfer) continue;
    leave(multi, transfer);
    long port = 0;
    curl_easy_getinfo(easy, CURLINFO_LOCAL_PORT, &port);
    *result = pcurl_result_of(transfer, code);
    if (*result != PCURL_OK && pcurl_watchdog_has_dropped(multi, (int)port))
      *result = PCURL_FLOODED;
    else if (*result == PCURL_OK)
      pcurl_watchdog_answer(multi, transfer->lane, (int)port);
    return transfer;
  }
  return NULL;
}
