import Text

/// Text from strangers in HTML and XML.
enum MarkupText {
  /// Escaped for content and for attributes in either quotes. Characters that XML has no way to write, and
  /// those that reorder or hide text, are shown as escapes of our own.
  package static func escape(_ text: String) -> String {
    let safe = SafeText.escape(text)
    guard safe.utf8.contains(where: isMarkup) else { return safe }
    var result = ""
    result.reserveCapacity(safe.utf8.count + 16)
    for scalar in safe.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "`": result += "&#96;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
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
    guard ReportText.isAddress(url) else { return text }
    return "<a class=\"source\" href=\"\(escape(url))\" rel=\"noreferrer\">\(text)</a>"
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
