import Bodies
import Concurrency
import Text

/// Takes the content coding off bodies (RFC 9110, section 8.4), one at a time and on a thread of its own: a small body can
/// become a very large one, and neither memory nor the other transfers are to pay for it.
///
/// No server is asked for a coding. Those that send one all the same have stored their files so, with gzip, or brotli,
/// which URLSession takes over https alone; or their field has other words (`utf-8`, `aws-chunked`), which are ignored, as
/// URLSession and browsers do.
actor ContentDecoder {
  private nonisolated let executor = BlockingExecutor()
  /// Words of the field that are the names of codings.
  static let known: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The response with its body decoded.
  ///
  /// - Parameters:
  ///   - url: for messages.
  ///   - limit: the most bytes that a body may have.
  func decode(_ response: HTTPResponse, from url: HTTPURL, limit: Int) throws(HTTPFailure)
    -> HTTPResponse
  {
    var decoded = response
    let codings = response.fields.codings
    let isCertain = codings.allSatisfy(Self.known.contains)
    // In the order in which they were applied; servers apply one at most.
    for coding in codings.suffix(4).reversed() where Self.known.contains(coding) {
      // Beside a word that means nothing, and of one that URLSession does not know, the first bytes decide.
      if !isCertain || coding == "zstd", !Self.begins(decoded.body, coding) { continue }
      guard ["gzip", "x-gzip", "deflate"].contains(coding) || coding == "br" && response.isSecure else {
        let name = RedactedURL.escaped(coding.prefix(40))
        throw HTTPFailure(
          .network, at: url, "the body has a content coding that was not asked for: \(name)")
      }
      let unpacked =
        coding == "br"
        ? Brotli.unpacked(decoded.body, limit: limit, isPart: response.status == 206)
        : Self.inflated(decoded.body, coding, of: response, limit: limit)
      guard let body = unpacked else {
        throw HTTPFailure(
          response.hasOpenEnd ? .truncated : .network, at: url, "the body's content coding is broken")
      }
      guard body.count <= limit else {
        throw HTTPFailure(.tooLarge, at: url, HTTPFailure.isTooLarge(limit))
      }
      decoded.body = body
    }
    guard !decoded.body.isEmpty else { throw HTTPFailure(.empty, at: url, "the body is empty") }
    return decoded
  }

  private static func inflated(
    _ body: [UInt8], _ coding: String, of response: HTTPResponse, limit: Int
  ) -> [UInt8]? {
    let isWrapped = coding != "deflate" || hasHead(body)
    // A part is the beginning of a body, so it may end anywhere.
    let whole = inflate(body[...], isWrapped ? .wrapped : .bare, limit: limit, isPart: response.status == 206)
    // Where the answer is whole, so is what ends by itself.
    let bare = whole == nil && !response.hasOpenEnd ? withoutSum(body) : nil
    return whole ?? bare.flatMap { inflate($0, .bare, limit: limit, mostBehind: 7) }
  }

  private static func begins(_ body: [UInt8], _ coding: String) -> Bool {
    switch coding {
    case "gzip", "x-gzip": body.starts(with: [0x1f, 0x8b])
    case "deflate": hasHead(body)
    case "zstd": body.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
    default: false
    }
  }

  /// Some servers leave out the check sum and the length, 8 bytes, or a part of them: what is behind the head of a file of
  /// gzip (RFC 1952, section 2.3).
  private static func withoutSum(_ body: [UInt8]) -> ArraySlice<UInt8>? {
    guard body.count > 12, begins(body, "gzip") else { return nil }
    let flags = body[3]
    var rest = body.dropFirst(10)
    if flags & 4 != 0 { rest = rest.dropFirst(2 + Int(body[10]) + Int(body[11]) << 8) }
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      rest = rest.drop { $0 != 0 }.dropFirst()
    }
    return flags & 2 != 0 ? rest.dropFirst(2) : rest
  }

  /// Of zlib's own format, which `deflate` means; some servers leave it out.
  private static func hasHead(_ body: [UInt8]) -> Bool {
    body.count > 1 && body[0] & 15 == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
  }

  /// Nil where the coding is broken or more bytes than `mostBehind` follow its end; more than `limit` bytes where it is
  /// larger.
  private static func inflate(
    _ body: ArraySlice<UInt8>, _ format: Inflater.Format, limit: Int, isPart: Bool = false,
    mostBehind: Int = .max
  ) -> [UInt8]? {
    guard let inflater = Inflater(format) else { return nil }
    // Ignores Content-Length: the array grows with what comes out.
    var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], body)
    while inflater.canUnpack(rest) {
      guard inflater.unpack(&rest, into: &decoded) else { return nil }
      if inflater.isAtEnd, rest.count > mostBehind { return nil }
      if decoded.count > limit { return decoded }
    }
    return inflater.isAtEnd || isPart ? decoded : nil
  }
}

extension [HTTPHeader] {
  /// The words of `Content-Encoding` in lower case: what has been done to the body, the first coding first.
  var codings: [String] {
    (list("Content-Encoding") ?? "").lowercased().split { ", ;\t".contains($0) }.map(String.init)
      .filter { $0 != "identity" }
  }
}
