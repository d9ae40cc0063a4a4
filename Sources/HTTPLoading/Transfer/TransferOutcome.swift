/// What is known of an exchange after its end, as plain values.
struct TransferOutcome: Sendable {
  var result: TransferResult
  /// 0 when no answer came.
  var status: Int
  var contentType: String?
  var etag: String?
  var lastModified: String?
  var retryAfter: String?
  var date: String?
  /// Where a redirect leads, absolute.
  var redirect: String?
  var isChunked = false
  var isHTTP1 = true
  /// `Content-Length`, if the answer had one.
  var announcedLength: Int64?
  /// Body bytes as they came, before decoding and before the cut at the announced length.
  var receivedLength: Int64 = 0
  /// Bytes of the decoded body.
  var bodyCount = 0
  var seconds: Double = 0
  /// TLS included, so a time-out after it is the server's silence.
  var wasConnected = false
  /// The last address that was refused, if no other was tried.
  var refusedAddress: IPAddress?
  /// libcurl's words. May hold host names, so it is used where they are wanted only.
  var detail = ""

  /// Nothing said where the body ends, or it went on past the end that was announced.
  ///
  /// A chunked body and an HTTP/2 stream have an end of their own.
  var isLengthUnverified: Bool {
    guard isHTTP1, !isChunked else { return false }
    guard let announcedLength else { return true }
    return receivedLength > announcedLength
  }

  /// What it shows about the host; `nil` when nothing.
  var health: HostHealth? {
    if status > 0, result != .timeout { return .reached }
    switch result {
    case .resolve, .handshake: return .unreachable
    case .connect: return refusedAddress == nil ? .unreachable : nil
    case .timeout: return wasConnected ? .slow : .unreachable
    case .network, .partial, .notHTTP, .coding, .complete: return .reached
    case .url, .untrusted, .tooLarge, .largeHeaders, .noDescriptor, .internal: return nil
    }
  }

  /// Seconds the server asked to be left alone. Its own clock counts for a date, so a wrong one of ours
  /// does not matter.
  func retryAfterSeconds(now: Int64) -> Int64? {
    let serverNow = date.flatMap { HTTPDate.seconds($0) } ?? now
    return retryAfter.flatMap { RetryAfter.seconds($0, now: serverNow) }
  }
}
