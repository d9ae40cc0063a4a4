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
    let escaped = MarkupText.replacing(json.bytes) { byte in
      switch byte {
      case UInt8(ascii: "<"): "\\u003c"
      case UInt8(ascii: ">"): "\\u003e"
      default: nil
      }
    }
    return escaped ?? json.bytes
  }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
