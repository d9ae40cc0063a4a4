import Planning
import Text

extension RenditionRecord {
  /// Appends the line of a record. It has the members that `Codable` reads, sorted by their names, the type last; written here
  /// because there are as many as renditions, and a `JSONEncoder` takes longer for one than a second run does.
  func appendLine(to json: inout JSONBytes) {
    json.raw("{")
    json.member("bytes", bytes)
    json.member("cache", cache)
    json.member("chain", chain)
    if let failure {
      json.name("failure")
      json.raw("{")
      json.member("advice", failure.advice)
      json.member("cause", failure.cause)
      json.member("code", failure.code)
      json.name("isRetryable")
      json.flag(failure.isRetryable)
      json.member("message", failure.message)
      json.member("step", failure.step.rawValue)
      json.raw("}")
    }
    json.member("file", file)
    json.member("fileName", fileName)
    json.member("found", found?.rawValue)
    json.member("job", job)
    json.member("key", key)
    json.member("line", line)
    json.member("note", note)
    if let scale {
      json.name("scale")
      json.number(scale)
    }
    json.member("size", size)
    json.member("source", source)
    json.member("sourceBytes", sourceBytes)
    json.member("status", status.rawValue)
    json.member("type", "rendition")
    json.raw("}\n")
  }
}

/// Members one after the other; what is nil is left out.
extension JSONBytes {
  fileprivate mutating func name(_ name: StaticString) {
    if bytes.last != UInt8(ascii: "{") { raw(",") }
    raw("\"")
    raw(name)
    raw("\":")
  }

  fileprivate mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  fileprivate mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }
}
