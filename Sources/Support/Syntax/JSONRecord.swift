import Text

/// What may stand in JSON, with the JSON Schema of its kind.
package protocol JSONWritable: SendableMetatype {
  /// JSON Schema (2020-12) as text.
  static var schema: String { get }
  /// The schema of what is not null.
  static var presentSchema: String { get }
  var isNull: Bool { get }
  func write(to json: inout JSONBytes)
}

/// A JSON object. Its writer and its schema follow from one list of members.
package protocol JSONRecord: JSONWritable {
  static var json: JSONMembers<Self> { get }
}

/// One word of a bounded set.
package protocol JSONWord: JSONWritable, RawRepresentable<String>, CaseIterable {}

/// The members of an object in their order: people read these lines too.
package struct JSONMembers<Value>: Sendable {
  private struct Member: Sendable {
    let name: String
    let isOptional: Bool
    let schema: String
    let write: @Sendable (Value, inout JSONBytes) -> Void
  }

  /// What begins each object: for a line of output its version and type.
  private let head: [UInt8]
  fileprivate let type: String?
  private var members: [Member] = []

  /// - Parameters:
  ///   - type: of a line of output; nil for a part of another object.
  ///   - members: Names and values; a member whose name ends with a question mark is left out where it is null. Values
  ///     are functions: reading through a key path takes half as long again.
  package init<each Content: JSONWritable>(
    type: String? = nil, _ members: repeat (String, @Sendable (Value) -> each Content)
  ) {
    self.type = type
    head = Array((type.map { "{\"v\":1,\"type\":\"\($0)\"" } ?? "{").utf8)
    for (name, value) in repeat each members { add(name, value) }
  }

  private mutating func add<Content: JSONWritable>(
    _ name: String, _ value: @escaping @Sendable (Value) -> Content
  ) {
    let isOptional = name.hasSuffix("?")
    let name = isOptional ? String(name.dropLast()) : name
    let key = Array(",\"\(name)\":".utf8)
    let schema = isOptional ? Content.presentSchema : Content.schema
    members.append(
      Member(name: name, isOptional: isOptional, schema: schema) { record, json in
        let content = value(record)
        if isOptional, content.isNull { return }
        json.bytes.append(contentsOf: json.bytes.last == UInt8(ascii: "{") ? key.dropFirst() : key[...])
        content.write(to: &json)
      })
  }

  fileprivate func write(_ value: Value, to json: inout JSONBytes) {
    json.bytes.append(contentsOf: head)
    for member in members { member.write(value, &json) }
    json.raw("}")
  }

  /// - Parameter separator: between the properties.
  fileprivate func schema(separator: String = ", ") -> String {
    let head = type.map { [("v", "{\"const\": 1}"), ("type", "{\"const\": \"\($0)\"}")] } ?? []
    let properties = (head + members.map { ($0.name, $0.schema) }).map { "\"\($0)\": \($1)" }
    let required = JSONSchema.list(head.map(\.0) + members.filter { !$0.isOptional }.map(\.name))
    return "{\"type\": \"object\", \"required\": \(required), \"properties\": {"
      + separator.drop { $0 != "\n" } + properties.joined(separator: separator)
      + "}, \"additionalProperties\": false}"
  }
}

extension JSONRecord {
  package static var schema: String { json.schema() }
  package static var type: String? { json.type }
  fileprivate static var definition: String { json.schema(separator: ",\n      ") }

  package func write(to json: inout JSONBytes) { Self.json.write(self, to: &json) }

  /// The object as one line of NDJSON, line end included.
  package var jsonLine: String {
    var bytes: [UInt8] = []
    appendLine(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  package func appendLine(to bytes: inout [UInt8]) {
    var json = JSONBytes()
    swap(&json.bytes, &bytes)
    write(to: &json)
    json.raw("\n")
    swap(&json.bytes, &bytes)
  }
}

/// JSON Schema (2020-12).
package enum JSONSchema {
  fileprivate static func list(_ texts: [String]) -> String {
    "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }

  /// The schema of lines of these kinds.
  package static func document(title: String, description: String, _ kinds: [any JSONRecord.Type]) -> String {
    let types = kinds.compactMap { $0.type }
    let rules = types.map {
      "    {\"if\": {\"properties\": {\"type\": {\"const\": \"\($0)\"}}}, \"then\": {\"$ref\": \"#/$defs/\($0)\"}}"
    }
    let definitions = zip(types, kinds).map { "    \"\($0)\": \($1.definition)" }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "\(title)",
        "description": "\(description)",
        "type": "object",
        "required": ["v", "type"],
        "properties": {
          "v": {"const": 1},
          "type": {"enum": \(list(types))}
        },
        "allOf": [
      \(rules.joined(separator: ",\n"))
        ],
        "$defs": {
      \(definitions.joined(separator: ",\n"))
        }
      }

      """
  }
}

extension JSONWritable {
  package static var presentSchema: String { schema }
  package var isNull: Bool { false }
}

extension JSONWord {
  package static var schema: String { "{\"enum\": \(JSONSchema.list(allCases.map(\.rawValue)))}" }
  package func write(to json: inout JSONBytes) { json.string(rawValue) }
}

extension String: JSONWritable {
  package static var schema: String { #"{"type": "string"}"# }
  package func write(to json: inout JSONBytes) { json.string(self) }
}

extension Int: JSONWritable {
  package static var schema: String { #"{"type": "integer"}"# }
  package func write(to json: inout JSONBytes) { json.integer(self) }
}

extension Int64: JSONWritable {
  package static var schema: String { #"{"type": "integer"}"# }
  package func write(to json: inout JSONBytes) { json.integer(self) }
}

extension Double: JSONWritable {
  package static var schema: String { #"{"type": "number"}"# }
  package func write(to json: inout JSONBytes) { json.number(self) }
}

extension Bool: JSONWritable {
  package static var schema: String { #"{"type": "boolean"}"# }
  package func write(to json: inout JSONBytes) { json.flag(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  package static var schema: String { "{\"anyOf\": [\(Wrapped.schema), {\"type\": \"null\"}]}" }
  package static var presentSchema: String { Wrapped.schema }
  package var isNull: Bool { self == nil }
  package func write(to json: inout JSONBytes) {
    if let self { self.write(to: &json) } else { json.raw("null") }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package static var schema: String { "{\"type\": \"array\", \"items\": \(Element.schema)}" }
  package func write(to json: inout JSONBytes) {
    json.raw("[")
    // By places: what makes pairs or optionals of elements looks their types up for each.
    for index in indices {
      if index > startIndex { json.raw(",") }
      self[index].write(to: &json)
    }
    json.raw("]")
  }
}
