import Text

/// Text from strangers in HTML and XML.
enum MarkupText {
  /// Escaped for content and for attributes in either quotes. Characters that XML has no way to write, and
  /// those that reorder or hide text, are shown as escapes of our own.
  package static func escape(_ text: String) -> String {
    let safe = SafeText.escape(text)
    guard safe.utf8.contains(where: isMarkup) else { return safe }
    // All of them are ASCII, which is never part of another character.
    var result: [UInt8] = []
    result.reserveCapacity(safe.utf8.count + 16)
    for byte in safe.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&#39;".utf8
      case UInt8(ascii: "`"): result += "&#96;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "`"):
      true
    default: false
    }
  }

  /// A source, as a link where a browser may be sent to it.
  package static func source(_ url: String) -> String {
    let text = escape(ReportText.shortened(url))
    // An address is short enough to be shown whole.
    guard ReportText.isAddress(url) else { return text }
    return "<a class=\"source\" href=\"\(text)\" rel=\"noreferrer\">\(text)</a>"
  }

  /// Escaped so that Markdown makes nothing of it: entities of punctuation are never structure (CommonMark
  /// 0.31, section 2.5), nor do they become links or mentions.
  package static func markdown(_ text: String) -> String {
    var result = ""
    for scalar in SafeText.escape(text).unicodeScalars {
      let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      if isPlain || " ,()/-=".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "&#\(scalar.value);"
      }
    }
    return result
  }
}
