/// What makes a line no text at all.
package struct LineFault {
  /// Nil for a line that may be parsed.
  package static func first(in line: ArraySlice<UInt8>) -> Mistake? {
    var all: UInt8 = 0
    var controls: UInt8 = 0
    line.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        all |= byte
        controls |= (byte < 0x20 && byte != 9) || byte == 0x7F ? 1 : 0
      }
    }
    if controls != 0 { return control(in: line) }
    if all < 0x80 { return nil }
    return invalid(in: line) ?? marks(in: line)
  }

  private static func marks(in line: ArraySlice<UInt8>) -> Mistake? {
    let text = String(decoding: line, as: UTF8.self)
    return text.excessiveMark.map {
      Mistake(
        line.startIndex + text.utf8.distance(from: text.startIndex, to: $0),
        "a character with more than \(String.mostMarks) combining marks")
    }
  }

  private static func control(in line: ArraySlice<UInt8>) -> Mistake? {
    guard let offset = line.firstIndex(where: { ($0 < 0x20 && $0 != 9) || $0 == 0x7F }) else { return nil }
    if line[offset] == 0 {
      return Mistake(offset, "a NUL byte", help: "a job is UTF-8 text; was this saved as UTF-16?")
    }
    let hex = String(line[offset], radix: 16, uppercase: true)
    return Mistake(
      offset, "the control character U+00\(hex.count < 2 ? "0" : "")\(hex)",
      help: "take it out; in a URL write %\(hex.count < 2 ? "0" : "")\(hex)")
  }

  private static func invalid(in line: ArraySlice<UInt8>) -> Mistake? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = line.makeIterator()
    var offset = line.startIndex
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error:
        return Mistake(
          offset, "this is not valid UTF-8",
          help: "save the file as UTF-8; in a URL, percent-encode the byte")
      }
    }
  }
}
