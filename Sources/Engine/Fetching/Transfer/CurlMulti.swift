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

  /// How many connections are kept for reuse.
  func keep(_ connections: Int) { pcurl_multi_keep(multi, connections) }

  /// Whether a body waits for room.
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

/// One exchange as it is to be made: everything about its hop that the configuration decides.
struct Exchange {
  /// As it goes to libcurl.
  var url: String
  var isHTTPS: Bool
  /// The fields this hop may see.
  var headers: [HTTPHeader]
  /// User and password, if this hop may see them: for HTTP Basic, or for the signature.
  var credentials: (user: String, password: String)?
  /// How the request is signed, in libcurl's words.
  var signature: String?
  /// The proxy's URL.
  var proxy: String?
  /// Whether private addresses are refused.
  var isGuarded: Bool
  /// Whether the certificate is looked at.
  var isVerified: Bool
  /// Largest body, in bytes.
  var maxBodyBytes: Int
  /// Whether the file of passwords may be asked.
  var mayUseNetrc = true
}
