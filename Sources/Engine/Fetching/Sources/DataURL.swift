import Foundation
import Text

/// `data:` URLs, RFC 2397.
enum DataURL {
  /// The bytes that the URL carries.
  static func decode(_ url: String, maxBytes: Int) throws(SourceFailure) -> [UInt8] {
    // Before its text is looked at: three characters may stand for one byte.
    guard url.utf8.count / 3 <= maxBytes + 256 else { throw tooLarge(maxBytes) }
    let bytes = try decode(url)
    guard bytes.count <= maxBytes else { throw tooLarge(maxBytes) }
    return bytes
  }

  private static func tooLarge(_ maxBytes: Int) -> SourceFailure {
    failure("it is larger than the limit of \(maxBytes) bytes; raise max-bytes if it is meant")
  }

  private static func decode(_ url: String) throws(SourceFailure) -> [UInt8] {
    guard let comma = url.firstIndex(of: ",") else { throw failure("it has no comma before its data") }
    let header = url[..<comma].lowercased()
    let text = String(url[url.index(after: comma)...])
    if header.hasSuffix(";base64") {
      guard let encoded = text.removingPercentEncoding,
        let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
      else { throw failure("its base64 text is damaged") }
      return [UInt8](data)
    }
    guard let bytes = PercentText.bytes(text.utf8) else { throw failure("its percent encoding is damaged") }
    return bytes
  }

  private static func failure(_ reason: String) -> SourceFailure {
    SourceFailure(
      code: "data.url", message: "the data URL cannot be read: \(reason)",
      advice: "write it as data:image/png;base64,...")
  }
}
