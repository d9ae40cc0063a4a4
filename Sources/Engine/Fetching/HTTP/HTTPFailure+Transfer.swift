import Text

extension HTTPFailure {
  /// The failure of an exchange that did not come to its end; `nil` when it did.
  init?(_ outcome: TransferOutcome, url: HTTPURL, configuration: HTTPConfiguration) {
    // The usual case, before any text is made for the others.
    if outcome.result == .complete { return nil }
    let status = outcome.status > 0 ? outcome.status : nil
    func failure(_ code: Code, _ text: String, isRetryable: Bool = false) -> HTTPFailure {
      HTTPFailure(code, "\(RedactedURL(url.text)): \(text)", status: status, isRetryable: isRetryable)
    }
    // Names in it are the host's; a certificate's text may hold anything.
    let detail = RedactedURL.escaped(outcome.detail)

    switch outcome.result {
    case .complete:
      return nil
    case .url:
      self = failure(.url, "libcurl cannot read this URL")
    case .resolve:
      self = failure(
        .resolve, "the name \(url.host) could not be resolved; check its spelling and the name service",
        isRetryable: true)
    case .connect:
      self =
        outcome.refusedAddress.map { HTTPFailure(refused: $0, url: url) }
        ?? failure(.connect, "no connection to \(url.authority): \(detail)", isRetryable: true)
    case .untrusted:
      self = failure(.tls, "the certificate of \(url.host) is not trusted: \(detail)")
    case .handshake:
      self = failure(.tls, "no TLS connection to \(url.authority): \(detail)", isRetryable: true)
    case .timeout where !outcome.wasConnected:
      self = failure(
        .timeout, "no connection to \(url.authority) within \(configuration.connectTimeout)",
        isRetryable: true)
    // libcurl has one result for both, and its timers fire a little early.
    case .timeout where outcome.seconds >= 0.95 * (configuration.totalTimeout / .seconds(1)):
      self = failure(.timeout, "not complete within \(configuration.totalTimeout)", isRetryable: true)
    case .timeout:
      self = failure(
        .stalled,
        "fewer than \(configuration.stallSpeed) bytes a second for \(configuration.stallTimeout)",
        isRetryable: true)
    case .partial:
      let announced = outcome.announcedLength.map { " of \($0)" } ?? ""
      self = failure(
        .truncated, "the connection ended after \(outcome.receivedLength)\(announced) bytes of the body",
        isRetryable: true)
    case .network:
      self = failure(.network, "the connection broke: \(detail)", isRetryable: true)
    case .notHTTP:
      self = failure(.network, "the answer is not HTTP")
    case .coding:
      self = failure(.network, "the body's content coding is broken or unknown")
    case .tooLarge:
      self = failure(
        .tooLarge,
        "larger than the limit of \(outcome.maxBodyBytes) bytes; raise the limit if it is meant")
    case .largeHeaders:
      self = failure(
        .headers, "the header fields of the answer are larger than \(configuration.maxHeaderBytes) bytes")
    case .noDescriptor:
      self = .noDescriptor
    case .internal:
      self = failure(.network, "the transfer failed: \(detail)")
    }
  }

  init(refused address: IPAddress, url: HTTPURL) {
    let kind = AddressClass(address).rawValue
    self.init(
      .privateAddress,
      """
      \(RedactedURL(url.text)): \(url.host) is at \(address) (\(kind)), which is blocked by default; \
      to allow it, add allow-private \(url.host) to the job, or pass --allow-private \(url.host)
      """)
  }
}
