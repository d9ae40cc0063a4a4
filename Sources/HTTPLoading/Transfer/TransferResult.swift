import CCurl

/// How an exchange ended for libcurl, in few words.
enum TransferResult: Sendable, Hashable, CaseIterable {
  case complete, url, resolve, connect, untrusted, handshake, timeout, partial, network, notHTTP, coding
  case tooLarge, largeHeaders, noDescriptor, `internal`

  init(_ result: pcurl_result) {
    switch result {
    case PCURL_OK: self = .complete
    case PCURL_URL: self = .url
    case PCURL_RESOLVE: self = .resolve
    case PCURL_CONNECT: self = .connect
    case PCURL_TLS_UNTRUSTED: self = .untrusted
    case PCURL_TLS: self = .handshake
    case PCURL_TIMEOUT: self = .timeout
    case PCURL_PARTIAL: self = .partial
    case PCURL_NETWORK: self = .network
    case PCURL_PROTOCOL: self = .notHTTP
    case PCURL_CODING: self = .coding
    case PCURL_TOO_LARGE: self = .tooLarge
    case PCURL_HEADERS: self = .largeHeaders
    case PCURL_DESCRIPTORS: self = .noDescriptor
    default: self = .internal
    }
  }
}
