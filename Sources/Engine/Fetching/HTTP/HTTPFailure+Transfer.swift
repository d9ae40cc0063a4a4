import Text

extension HTTPFailure {
  /// The failure of an exchange that did not come to its end; `nil` when it did.
  init?(_ outcome: TransferOutcome, url: HTTPURL, configuration: HTTPConfiguration) {
    // The usual case, before any text is made for the others.
    if outcome.result == .complete { return nil }
    if outcome.result == .noDescriptor {
      self = .noDescriptor
      return
    }
    if outcome.result == .connect, let address = outcome.refusedAddress {
      self.init(refused: address, url: url)
      return
    }
    // Names in it are the host's; a certificate's text may hold anything.
    let detail = RedactedURL.escaped(outcome.detail)
    let (code, text, isRetryable): (Code, String, Bool) =
      switch outcome.result {
      case .url: (.url, "libcurl cannot read this URL", false)
      case .resolve:
        (
          .resolve, "the name \(url.host) could not be resolved; check its spelling and the name service",
          true
        )
      case .connect: (.connect, "no connection to \(url.authority): \(detail)", true)
      case .untrusted: (.tls, "the certificate of \(url.host) is not trusted: \(detail)", false)
      case .handshake: (.tls, "no TLS connection to \(url.authority): \(detail)", true)
      case .timeout where !outcome.wasConnected:
        (.timeout, "no connection to \(url.authority) within \(configuration.connectTimeout)", true)
      // libcurl has one result for both, and its timers fire a little early.
      case .timeout where outcome.seconds >= 0.95 * (configuration.totalTimeout / .seconds(1)):
        (.timeout, "not complete within \(configuration.totalTimeout)", true)
      case .timeout:
        (
          .stalled,
          "fewer than \(configuration.stallSpeed) bytes a second for \(configuration.stallTimeout)", true
        )
      case .partial:
        (
          .truncated,
          "the connection ended after \(outcome.receivedLength)"
            + "\(outcome.announcedLength.map { " of \($0)" } ?? "") bytes of the body", true
        )
      case .network: (.network, "the connection broke: \(detail)", true)
      case .notHTTP: (.network, "the answer is not HTTP", false)
      case .coding: (.network, "the body's content coding is broken or unknown", false)
      case .tooLarge:
        (
          .tooLarge, "larger than the limit of \(outcome.maxBodyBytes) bytes; raise the limit if it is meant",
          false
        )
      case .largeHeaders:
        (
          .headers, "the header fields of the answer are larger than \(configuration.maxHeaderBytes) bytes",
          false
        )
      case .complete, .noDescriptor, .internal: (.network, "the transfer failed: \(detail)", false)
      }
    self.init(
      code, "\(RedactedURL(url.text)): \(text)", status: outcome.status > 0 ? outcome.status : nil,
      isRetryable: isRetryable)
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
