import Text

/// JSON that may stand in a script file or between `<script>` tags: it is also JavaScript, and nothing in it ends the
/// element or begins a comment.
///
/// Characters that hide or reorder text, and the line ends that only JavaScript knows, are escapes already in all JSON
/// that we write.
struct ScriptText: Sendable {
  private var json = JSONBytes()
  private var needsComma = false

  package init() {}

  package var bytes: [UInt8] { json.bytes }
  package var text: String { String(decoding: json.bytes, as: UTF8.self) }
  package var count: Int { json.bytes.count }

  package mutating func open(_ bracket: StaticString) {
    separate()
    json.raw(bracket)
    needsComma = false
  }

  package mutating func close(_ bracket: StaticString) {
    json.raw(bracket)
    needsComma = true
  }

  package mutating func name(_ text: StaticString) {
    separate()
    json.raw("\"")
    json.raw(text)
    json.raw("\":")
    needsComma = false
  }

  package mutating func string(_ text: String) {
    separate()
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
    guard !isPlain else { return json.string(text) }
    var escaped = JSONBytes()
    escaped.string(text)
    for byte in escaped.bytes {
      switch byte {
      case UInt8(ascii: "<"): json.raw("\\u003c")
      case UInt8(ascii: ">"): json.raw("\\u003e")
      default: json.bytes.append(byte)
      }
    }
  }

  package mutating func strings(_ texts: [String]) {
    open("[")
    for text in texts { string(text) }
    close("]")
  }

  package mutating func integer(_ number: Int) {
    separate()
    json.integer(number)
  }

  /// JSON of another text of this kind.
  package mutating func value(_ other: ScriptText) {
    separate()
    json.bytes += other.json.bytes
  }

  private mutating func separate() {
    if needsComma { json.raw(",") }
    needsComma = true
  }
}
