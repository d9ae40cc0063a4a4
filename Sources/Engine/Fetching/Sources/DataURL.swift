import Foundation

/// `data:` URLs, RFC 2397.
enum DataURL {
  /// The bytes that the URL carries.
  package static func decode(_ url: String, maxBytes: Int) throws(SourceFailure) -> [UInt8] {
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
    return try percentDecoded(Array(text.utf8))
  }

  /// Byte by byte: picture data is not text, so it need not be UTF-8.
  private static func percentDecoded(_ text: [UInt8]) throws(SourceFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "%") else {
        bytes.append(text[index])
        index += 1
        continue
      }
      guard index + 2 < text.count,
        let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      else { throw failure("its percent encoding is damaged") }
      bytes.append(byte)
      index += 3
    }
    return bytes
  }

  private static func failure(_ reason: String) -> SourceFailure {
    SourceFailure(
      code: "data.url", message: "the data URL cannot be read: \(reason)",
      advice: "write it as data:image/png;base64,...")
  }
}
