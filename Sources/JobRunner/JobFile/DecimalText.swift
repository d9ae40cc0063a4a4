/// Numbers as a job spells them: decimal, with `.` and an exponent; no `inf`, `nan`, hexadecimal.
enum DecimalText {
  static func double(_ text: String) -> Double? {
    var rest = text.utf8[...]
    func digits() -> Bool {
      let start = rest.startIndex
      rest = rest.drop { (48...57).contains($0) }
      return rest.startIndex > start
    }
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    guard digits() else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard digits() else { return nil }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
      guard digits() else { return nil }
    }
    guard rest.isEmpty, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  static func whole(_ text: String) -> Int? { Int(text) }
}
