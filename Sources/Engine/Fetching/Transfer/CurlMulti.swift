import CCurl

/// libcurl's multi handle.
///
/// `@unchecked Sendable` holds because only ``wake()`` is called off the loader's thread, which libcurl
/// allows from any thread, and the handle is freed only when the last holder lets go.
final class CurlMulti: @unchecked Sendable {
  private let multi: OpaquePointer

  /// `nil` when libcurl finds no memory or no file descriptors.
  init?(maxConnections: Int) {
    guard let multi = pcurl_multi_new(maxConnections) else { return nil }
    self.multi = multi
  }

  deinit { pcurl_multi_free(multi) }

  func wake() { pcurl_multi_wake(multi) }

  func add(_ transfer: CurlTransfer) -> Bool { pcurl_multi_add(multi, transfer.pointer) != 0 }

  func remove(_ transfer: CurlTransfer) { pcurl_multi_remove(multi, transfer.pointer) }

  func keep(_ connections: Int) { pcurl_multi_keep(multi, connections) }

  var hasPaused: Bool { pcurl_multi_has_paused(multi) != 0 }

  func perform() { pcurl_multi_perform(multi) }

  /// The key of a finished transfer, which is out of the multi handle from then on.
  func nextFinished() -> (key: OpaquePointer, result: TransferResult)? {
    var result = PCURL_OK
    guard let key = pcurl_multi_next_finished(multi, &result) else { return nil }
    return (key, TransferResult(result))
  }

  /// Sleeps until a socket is ready, a timer of libcurl's is due, ``wake()`` is called or the time is over.
  func poll(_ timeout: Duration) {
    let milliseconds = timeout / .milliseconds(1)
    pcurl_multi_poll(multi, Int32(min(max(milliseconds.rounded(.up), 0), 60_000)))
  }
}
