/// A JSON value to be written.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Becomes null where JSON has no number for it (infinite, not a number).
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The string, or null for nil.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

/// One JSON object with its members in the order in which they were given: a line of NDJSON.
///
/// Written by hand because people read these lines too: members keep their order, and characters that
/// a terminal would act on are written as `\u` escapes, which JSON allows for any of them.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  private var members: [Member] = []

  private struct Member: Sendable, Equatable {
    var name: String
    var value: JSONValue
  }

  init() {}

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a member. Setting a new one appends it; setting nil removes it.
  package subscript(name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].value = newValue
      } else {
        members.append(Member(name: name, value: newValue))
      }
    }
  }

  /// The object as JSON text without any line end.
  var text: String {
    var text = ""
    JSONText.append(self, to: &text)
    return text
  }

  /// The object as one line of NDJSON, line end included.
  package var line: String { text + "\n" }

  fileprivate func forEachMember(_ body: (String, JSONValue) -> Void) {
    for member in members { body(member.name, member.value) }
  }
}

/// How JSON is spelled (RFC 8259).
enum JSONText {
  static func append(_ object: JSONObject, to text: inout String) {
    text += "{"
    var isFirst = true
    object.forEachMember { name, value in
      if !isFirst { text += "," }
      isFirst = false
      append(name, to: &text)
      text += ":"
      append(value, to: &text)
    }
    text += "}"
  }

  static func append(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    // Swift prints `1e-05` and `5e+16`: valid JSON as they are.
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): append(value, to: &text)
    case .object(let value): append(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        append(value, to: &text)
      }
      text += "]"
    }
  }

  static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where SafeText.isDangerous(scalar):
        for unit in String(scalar).utf16 { text += escape(unit) }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
