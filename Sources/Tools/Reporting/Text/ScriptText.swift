import Text

/// JSON that may stand in a script file or between `<script>` tags: it is also JavaScript, and nothing in it ends the
/// element or begins a comment.
enum ScriptText {
  /// Characters that hide or reorder text, and the line ends that only JavaScript knows, are escapes already in all JSON
  /// that we write.
  static func bytes(_ value: JSONValue) -> [UInt8] {
    var json = JSONBytes()
    json.value(value)
    // The syntax of JSON has neither: they stand in strings.
    let marks = [UInt8(ascii: "<"), UInt8(ascii: ">")]
    guard json.bytes.contains(where: marks.contains) else { return json.bytes }
    return json.bytes.flatMap { byte in
      marks.contains(byte) ? Array("\\u00\(String(byte, radix: 16))".utf8) : [byte]
    }
  }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
