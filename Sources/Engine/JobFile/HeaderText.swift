import Syntax

/// `HOST Name: value`, with `${NAME}` taken from the environment.
enum HeaderText {
  private static let example = "header img.example.com Accept: image/*"

  static func header(
    _ scanner: inout LineScanner, known: [HostHeader], variables: JobVariables
  ) throws(Mistake) -> HostHeader {
    let start = scanner.position
    let word = scanner.word()
    if word.last == UInt8(ascii: ":") {
      throw Mistake(start, "the host that gets the header is missing", help: example)
    }
    let host = try SettingText.host(word, at: start)
    scanner.skipBlank()
    let place = scanner.position
    let name = scanner.take(while: \.isToken)
    guard !name.isEmpty, scanner.take(":") else {
      throw Mistake(place, "a header's name and ':' are expected here", help: example)
    }
    scanner.skipSpaces()
    let isSecret = scanner.bytes[scanner.position...].firstRange(of: "${".utf8) != nil
    let value = try value(&scanner, variables)
    if value.isEmpty { throw Mistake(place, "the header has no value") }
    let field = String(decoding: name, as: UTF8.self)
    if known.contains(where: { $0.host == host && $0.name.lowercased() == field.lowercased() }) {
      throw Mistake(start, "this header is given twice for the host")
    }
    return HostHeader(host: host, name: field, value: value, isSecret: isSecret)
  }

  /// The rest of the line without its comment. No message may hold any of it.
  private static func value(
    _ scanner: inout LineScanner, _ variables: JobVariables
  ) throws(Mistake) -> String {
    var value: [UInt8] = []
    var quoted = false
    var depth = 0
    while let byte = scanner.next {
      if byte == UInt8(ascii: "#"), !quoted, depth == 0,
        LineScanner.isSpace(scanner.bytes[scanner.position - 1])
      {
        break
      }
      let start = scanner.position
      if scanner.take("$"), scanner.take("{") {
        value += try variable(&scanner, at: start, variables)
        continue
      }
      scanner.move(to: start + 1)
      value.append(byte)
      switch byte {
      case UInt8(ascii: "\""): quoted.toggle()
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth = max(0, depth - 1)
      default: break
      }
    }
    while let last = value.last, LineScanner.isSpace(last) { value.removeLast() }
    return String(decoding: value, as: UTF8.self)
  }

  private static func variable(
    _ scanner: inout LineScanner, at start: Int, _ variables: JobVariables
  ) throws(Mistake) -> [UInt8] {
    let name = scanner.take { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    guard let first = name.first, !first.isDigit, scanner.take("}") else {
      throw Mistake(start, "'${' begins the name of an environment variable", help: "${CATALOG_TOKEN}")
    }
    let text = String(decoding: name, as: UTF8.self)
    let found = try variables.value(of: text, at: start)
    guard let value = found, !value.isEmpty else {
      let what = found == nil ? "is not set" : "is empty"
      throw Mistake(start, "the environment variable \(text) \(what)", help: "export \(text)=...")
    }
    if value.utf8.contains(where: { ($0 < 0x20 && $0 != 9) || $0 == 0x7F }) {
      throw Mistake(
        start, "the environment variable \(text) holds a line break or a control character",
        help: "a header is one line; is there a line break at the end of the secret?")
    }
    return Array(value.utf8)
  }
}
