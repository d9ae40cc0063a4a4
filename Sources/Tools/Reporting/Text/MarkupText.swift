import Syntax
import Text

/// Text from strangers in HTML, XML and scripts.
enum MarkupText {
  /// Escaped for content and for attributes in either quotes. Characters that XML has no way to write, and
  /// those that reorder or hide text, are shown as escapes of our own.
  package static func escape(_ text: String) -> String {
    let safe = SafeText.escape(text)
    let escaped = replacing(safe.utf8) { byte in
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case UInt8(ascii: "'"): "&#39;"
      case UInt8(ascii: "`"): "&#96;"
      default: nil
      }
    }
    return escaped.map { String(decoding: $0, as: UTF8.self) } ?? safe
  }

  /// Puts texts in the place of ASCII characters, which are never part of another character. Nil where there are none.
  static func replacing(_ bytes: some Collection<UInt8>, _ text: (UInt8) -> String?) -> [UInt8]? {
    guard bytes.contains(where: { text($0) != nil }) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    for byte in bytes {
      if let text = text(byte) { result += text.utf8 } else { result.append(byte) }
    }
    return result
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

  /// JSON that may stand in a script file or between `<script>` tags: it is also JavaScript, and nothing in it ends the
  /// element or begins a comment. Characters that hide or reorder text, and the line ends that only JavaScript knows, are escapes already in all JSON
  /// that we write.
  static func script(_ value: some JSONWritable) -> [UInt8] {
    var json = JSONBytes()
    value.write(to: &json)
    // The syntax of JSON has neither `<` nor `>`: they stand in strings.
    let escaped = replacing(json.bytes) { byte in
      switch byte {
      case UInt8(ascii: "<"): "\\u003c"
      case UInt8(ascii: ">"): "\\u003e"
      default: nil
      }
    }
    return escaped ?? json.bytes
  }
}

/// A cell of the list's data.
package enum JSONCell: JSONWritable {
  case integer(Int)
  case string(String)

  package static var schema: String { #"{"type": ["integer", "string"]}"# }

  package func write(to json: inout JSONBytes) {
    switch self {
    case .integer(let number): json.integer(number)
    case .string(let text): json.string(text)
    }
  }
}
