import Compression
import Scheduling
import Text

/// Takes the content coding off bodies (RFC 9110, section 8.4), one at a time and on a thread of its own: a small body can
/// become a very large one, and neither memory nor the other transfers are to pay for it.
///
/// No server is asked for a coding. Those that send one all the same have stored their files so, with gzip.
actor ContentDecoder {
  private nonisolated let executor = BlockingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  enum Failure: Error {
    case unknown(String)
    case broken
    case tooLarge
  }

  /// - Parameters:
  ///   - limit: the most bytes that a body may have.
  ///   - isPart: the body is the beginning of one, so it may end anywhere.
  func decode(_ body: [UInt8], codings: [String], limit: Int, isPart: Bool) throws(Failure) -> [UInt8] {
    var body = body
    // In the order in which they were applied; servers apply one at most.
    for coding in codings.suffix(4).reversed() {
      guard ["gzip", "x-gzip", "deflate"].contains(coding) else { throw .unknown(coding) }
      let isWrapped = coding != "deflate" || Self.hasHead(body)
      body = try Self.inflate(body, isWrapped ? .wrapped : .bare, limit: limit, isPart: isPart)
    }
    return body
  }

  /// Of zlib's own format, which `deflate` means; some servers leave it out.
  private static func hasHead(_ body: [UInt8]) -> Bool {
    body.count > 1 && body[0] & 15 == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
  }

  private static func inflate(
    _ body: [UInt8], _ format: Inflater.Format, limit: Int, isPart: Bool
  ) throws(Failure) -> [UInt8] {
    guard let inflater = Inflater(format) else { throw .broken }
    // Ignores Content-Length: the array grows with what comes out.
    var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], body[...])
    while inflater.canUnpack(rest) {
      guard inflater.unpack(&rest, into: &decoded) else { throw .broken }
      guard decoded.count <= limit else { throw .tooLarge }
    }
    guard inflater.isAtEnd || isPart else { throw .broken }
    return decoded
  }
}

extension HTTPResponse {
  /// What has been done to the body, in lower case, the first coding first.
  var codings: [String] {
    (fields.list("Content-Encoding") ?? "").lowercased().split { ", \t".contains($0) }.map(String.init)
      .filter { $0 != "identity" }
  }
}

extension HTTPFailure {
  init(_ failure: ContentDecoder.Failure, place: RedactedURL, limit: Int) {
    switch failure {
    case .unknown(let coding):
      self.init(
        .network,
        "\(place): the body has a content coding that was not asked for: \(RedactedURL.escaped(coding.prefix(40)))"
      )
    case .broken: self.init(.network, "\(place): the body's content coding is broken")
    case .tooLarge: self.init(.tooLarge, "\(place): \(Self.isTooLarge(limit))")
    }
  }
}
