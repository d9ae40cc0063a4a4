import Text

/// JSON that may stand in a script file or between `<script>` tags: it is also JavaScript, and nothing in it ends the
/// element or begins a comment.
enum ScriptText {
  /// Characters that hide or reorder text, and the line ends that only JavaScript knows, are escapes already in all JSON
  /// that we write.
  static func bytes(_ value: JSONValue) -> [UInt8] {
    var json = JSONBytes()
    json.value(value)
    // The syntax of JSON has neither `<` nor `>`: they stand in strings.
    guard json.bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) else {
      return json.bytes
    }
    var result: [UInt8] = []
    result.reserveCapacity(json.bytes.count + 64)
    for byte in json.bytes {
      switch byte {
      case UInt8(ascii: "<"): result += "\\u003c".utf8
      case UInt8(ascii: ">"): result += "\\u003e".utf8
      default: result.append(byte)
      }
    }
    return result
  }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
