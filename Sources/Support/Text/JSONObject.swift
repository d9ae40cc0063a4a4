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

  /// The value, or null for nil.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  package static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
}

/// One JSON object with its members in the order in which they were given: a line of NDJSON.
///
/// Written by hand because people read these lines too: members keep their order, and characters that
/// a terminal would act on are written as `\u` escapes, which JSON allows for any of them.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  fileprivate private(set) var members: [Member] = []

  fileprivate struct Member: Sendable, Equatable {
    var name: String
    var value: JSONValue
  }

  init() {}

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members.reserveCapacity(elements.count + 4)
    for (name, value) in elements { members.append(Member(name: name, value: value)) }
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
    var json = JSONBytes()
    json.object(self)
    return json.text
  }

  /// The object as one line of NDJSON, line end included.
  package var line: String { text + "\n" }

  /// Appends ``line`` to a longer text.
  package func appendLine(to bytes: inout [UInt8]) {
    var json = JSONBytes()
    swap(&json.bytes, &bytes)
    json.object(self)
    json.raw("\n")
    swap(&json.bytes, &bytes)
  }
}

extension JSONBytes {
  mutating func object(_ object: JSONObject) {
    raw("{")
    for (index, member) in object.members.enumerated() {
      if index > 0 { raw(",") }
      string(member.name)
      raw(":")
      value(member.value)
    }
    raw("}")
  }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): flag(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .object(let value): object(value)
    case .array(let values):
      raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { raw(",") }
        self.value(value)
      }
      raw("]")
    }
  }
}
