import CZlib
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
    // In the order in which they were applied; nobody applies more than one.
    for coding in codings.suffix(4).reversed() {
      let isWrapped = coding != "deflate" || Self.hasHead(body)
      guard ["gzip", "x-gzip", "deflate"].contains(coding) else { throw .unknown(coding) }
      body = try Self.inflate(body, window: isWrapped ? 15 + 32 : -15, limit: limit, isPart: isPart)
    }
    return body
  }

  /// Of zlib's own format, which `deflate` means; some servers leave it out.
  private static func hasHead(_ body: [UInt8]) -> Bool {
    body.count > 1 && body[0] & 15 == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
  }

  private static func inflate(
    _ body: [UInt8], window: Int32, limit: Int, isPart: Bool
  ) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    // Of a lying Content-Length nothing is believed: room grows with what comes out.
    var (decoded, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 64 << 10))
    // fits: a structure's size.
    guard inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .broken
    }
    defer { inflateEnd(&stream) }
    // zlib keeps both pointers between its calls.
    let failure = body.withUnsafeBufferPointer { body in
      piece.withUnsafeMutableBufferPointer { piece -> Failure? in
        stream.next_in = UnsafeMutablePointer(mutating: body.baseAddress)
        // fits: a body's limit is far below.
        stream.avail_in = UInt32(clamping: body.count)
        while true {
          stream.next_out = piece.baseAddress
          // fits: 64 KiB.
          stream.avail_out = UInt32(piece.count)
          let code = CZlib.inflate(&stream, Z_NO_FLUSH)
          guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return .broken }
          let count = piece.count - Int(stream.avail_out)
          guard decoded.count + count <= limit else { return .tooLarge }
          decoded += piece[..<count]
          if code == Z_STREAM_END {
            // Files of gzip may follow one another (RFC 1952, section 2.2).
            let rest = body.suffix(Int(stream.avail_in))
            guard rest.starts(with: [0x1F, 0x8B]), inflateReset(&stream) == Z_OK else { return nil }
          } else if stream.avail_in == 0, stream.avail_out > 0 {
            return isPart ? nil : .broken
          }
        }
      }
    }
    if let failure { throw failure }
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
