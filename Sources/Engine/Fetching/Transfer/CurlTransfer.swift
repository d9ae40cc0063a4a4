import CCurl
import Signposts

/// One exchange with libcurl: set up here, read here, freed with the value. Used on the loader's thread only.
final class CurlTransfer {
  /// Tells transfers apart; never looked into.
  let pointer: OpaquePointer
  let maxBodyBytes: Int

  /// The next exchange of a load, with what its hop may see and get.
  ///
  /// - Throws: `fetch.private-address` where a proxy would be asked for an address that is refused here, or that memory
  ///   is short.
  init(_ load: Load, _ rules: HostRules) throws(HTTPFailure) {
    let (url, configuration) = (load.hop, rules.configuration)
    let proxy = configuration.proxies.proxy(for: url)
    let isAllowed = rules.allowed[url] != nil
    if proxy != nil, !isAllowed { try rules.check(url) }
    guard let pointer = pcurl_transfer_new() else { throw .noHandle }
    self.pointer = pointer
    maxBodyBytes = load.submission.request.maxBodyBytes ?? configuration.maxBodyBytes
    // A redirect from elsewhere must not use our credentials to fetch something that its author may not see.
    let signing = load.isAtItsOrigin ? rules.signings[url] : nil
    pcurl_transfer_set_url(
      pointer, signing == nil ? url.text : CanonicalURL(url.text).text)
    pcurl_transfer_set_way(pointer, load.way.curl, load.lane?.number ?? 0)
    pcurl_transfer_set_user_agent(pointer, configuration.userAgent)
    let headers = load.headers + (signing?.headers ?? [])
    for header in headers where !header.isCookie { pcurl_transfer_add_header(pointer, header.curlLine) }
    let cookies = headers.filter(\.isCookie).map(\.value).joined(separator: "; ")
    pcurl_transfer_set_cookies(pointer, cookies.isEmpty ? nil : cookies, load.hopBefore?.pointer)
    if let signing {
      pcurl_transfer_set_credentials(pointer, signing.credentials.accessKey, signing.credentials.secretKey)
      pcurl_transfer_set_signature(pointer, signing.scope)
    } else if let credentials = load.credentials {
      pcurl_transfer_set_credentials(pointer, credentials.user, credentials.password)
    }
    if let proxy { pcurl_transfer_set_proxy(pointer, proxy) }
    if let caFile = configuration.caFile ?? CertificateFile.ofProcess {
      pcurl_transfer_set_ca_file(pointer, caFile)
    }
    if rules.insecure[url] != nil { pcurl_transfer_set_unverified(pointer) }
    for entry in configuration.resolve { pcurl_transfer_add_resolve(pointer, entry) }
    pcurl_transfer_set_timeouts(
      pointer, Self.milliseconds(configuration.connectTimeout),
      Self.milliseconds(configuration.totalTimeout))
    pcurl_transfer_set_stall(
      pointer, configuration.stallSpeed, Self.seconds(configuration.answerTimeout),
      Self.seconds(configuration.stallTimeout))
    pcurl_transfer_set_max_body(pointer, Int64(maxBodyBytes))
    pcurl_transfer_set_max_headers(pointer, max(0, configuration.maxHeaderBytes))
    if configuration.bodyRoom != nil { allow(configuration.bodyAllowance) }
    // The address of the socket that is about to be opened decides, for every hop: neither the spelling of the host,
    // nor what a name resolves to on a second look, can get around it. A proxy was named by the user.
    if !isAllowed, proxy == nil {
      pcurl_transfer_set_check(pointer) { bytes, count in
        let address = IPAddress(bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        return AddressPurpose.of(address) == nil ? 0 : 1
      }
    }
  }

  var isHTTP1: Bool { pcurl_transfer_is_http1(pointer) != 0 }

  /// Whether its request went out.
  var isSent: Bool { pcurl_transfer_is_sent(pointer) != 0 }

  /// The connection that its request went over, and how many requests had by then, itself included; 0 for none.
  var connection: (number: UInt64, place: Int) {
    var place = 0
    let number = pcurl_transfer_connection(pointer, &place)
    return (number, place)
  }

  /// Whether no other request can be the one that is answered.
  var isFirst: Bool { connection.place < 2 }

  /// From the request to the first byte of its answer, and from the request to the end.
  var answeredAfter: Duration { .microseconds(max(0, moments[3] - moments[5])) }
  var sentBefore: Duration { .microseconds(moments[4] - moments[5]) }

  /// As libcurl tells them (curl_easy_getinfo(3), "TIMES").
  private var moments: [Int64] {
    var moments = [Int64](repeating: 0, count: Int(PCURL_MOMENTS))
    pcurl_transfer_moments(pointer, &moments)
    return moments
  }

  /// Lets the body grow to a number of bytes, and resumes it if it paused for them.
  func allow(_ bytes: Int) { pcurl_transfer_allow(pointer, Int64(bytes)) }

  /// Bytes that a paused body needs in all; 0 while it is not paused.
  var wantedBytes: Int { Int(pcurl_transfer_wanted(pointer)) }

  /// Bytes that came so far, header fields included.
  var seenBytes: Int64 { pcurl_transfer_seen_bytes(pointer) }

  deinit { pcurl_transfer_free(pointer) }

  /// At least one: libcurl takes 0 for "for ever".
  private static func milliseconds(_ duration: Duration) -> Int {
    max(1, Int(min(duration / .milliseconds(1), Double(Int32.max))))
  }

  private static func seconds(_ duration: Duration) -> Int { max(1, milliseconds(duration) / 1000) }

  /// Moves the body out, so that it is not there twice.
  func takeBody() -> [UInt8] {
    let count = bodyCount
    return Array(unsafeUninitializedCapacity: count) { bytes, initialized in
      pcurl_transfer_take_body(pointer, bytes.baseAddress)
      initialized = count
    }
  }

  var announcedLength: Int64? {
    let announced = pcurl_transfer_announced_length(pointer)
    return announced < 0 ? nil : announced
  }

  var bodyCount: Int {
    var count = 0
    pcurl_transfer_body(pointer, &count)
    return count
  }

  var fields: [HTTPHeader] {
    var fields: [HTTPHeader] = []
    var cursor: UnsafeMutableRawPointer?
    var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    while pcurl_transfer_next_header(pointer, &cursor, &name, &value) != 0 {
      if let name = text(name), let value = text(value) {
        if let field = HTTPHeader(received: name, value) { fields.append(field) }
      }
    }
    return fields
  }

  /// Of a body that ended early; nil where the download cannot be resumed.
  var cutBody: CutBody? {
    CutBody(
      status: pcurl_transfer_status(pointer), count: bodyCount, announcedLength: announcedLength,
      fields: fields)
  }

  var wireBytes: Int64 { pcurl_transfer_wire_bytes(pointer) }
  var newConnections: Int { pcurl_transfer_new_connections(pointer) }

  func chunk(from start: Int) -> HTTPBodyChunk {
    var count = 0
    let body = UnsafeBufferPointer(start: pcurl_transfer_body(pointer, &count), count: count)
    return HTTPBodyChunk(
      status: pcurl_transfer_status(pointer), fields: fields, announcedLength: announcedLength, offset: start,
      bytes: Array(body.dropFirst(start)))
  }

  /// Everything about the finished exchange that decides what becomes of it.
  func outcome(_ result: TransferResult) -> TransferOutcome {
    var outcome = TransferOutcome(result: result, status: pcurl_transfer_status(pointer))
    outcome.maxBodyBytes = maxBodyBytes
    outcome.fields = fields
    outcome.isChunked = outcome.fields.value("Transfer-Encoding")?.lowercased().contains("chunked") ?? false
    outcome.redirect = text(pcurl_transfer_redirect(pointer))
    outcome.isHTTP1 = isHTTP1
    outcome.isCut = pcurl_transfer_is_cut(pointer) != 0
    outcome.announcedLength = announcedLength
    outcome.receivedLength = pcurl_transfer_received_length(pointer)
    outcome.bodyCount = bodyCount
    let moments = moments
    outcome.seconds = Double(moments[4]) / 1e6
    outcome.wasConnected = moments[5] > 0
    if result == .complete { return outcome }
    outcome.lacksCertificate = pcurl_transfer_lacks_certificate(pointer) != 0
    outcome.detail = text(pcurl_transfer_error(pointer)) ?? ""
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pcurl_transfer_refused_address(pointer, &bytes)
    outcome.refusedAddress = count > 0 ? IPAddress(bytes: Array(bytes.prefix(Int(count)))) : nil
    return outcome
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

  /// The phases of an exchange, in nanoseconds since its beginning.
  ///
  /// libcurl tells when each phase was over, with 0 for one that did not happen. The last one that began has the rest of
  /// the time.
  func phases(isHTTPS: Bool) -> [(name: SignpostName, begin: Int64, end: Int64)] {
    let moments = moments
    let isReused = newConnections == 0 && moments[5] > 0
    // For the wait to use a connection that is there is no phase.
    var begin = isReused ? 1000 * moments[5] : 0
    var steps: [(name: SignpostName, end: Int64)] = []
    if !isReused { steps += [(.resolveHost, moments[0]), (.connectHost, moments[1])] }
    if !isReused, isHTTPS { steps.append((.handshakeTLS, moments[2])) }
    if isSent { steps += [(.waitForAnswer, moments[3]), (.receiveBody, moments[4])] }
    var phases: [(name: SignpostName, begin: Int64, end: Int64)] = []
    for (index, step) in steps.enumerated() {
      let isLast = steps[index...].dropLast().allSatisfy { $0.end == 0 }
      let end = 1000 * (isLast ? moments[4] : step.end)
      if end > begin { phases.append((step.name, begin, end)) }
      if isLast { break }
      begin = max(begin, end)
    }
    return phases
  }
}

extension HostWay {
  fileprivate var curl: pcurl_way {
    switch self {
    case .shared: PCURL_SHARED
    case .kept: PCURL_KEPT
    case .alone: PCURL_ALONE
    }
  }
}

/// libcurl's multi handle.
///
/// `@unchecked Sendable` holds because only ``wake()`` is called off the loader's thread, which writes to a
/// descriptor and no more, and the handle is freed only with its last holder.
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

  func look(_ connection: UInt64) -> pcurl_rest { pcurl_multi_look(multi, connection) }

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
