/// Plain text for terminals of 80 columns.
package enum TextLayout {
  static let width = 80

  /// Breaks a paragraph at spaces. A word that is longer than a line gets a line of its own.
  package static func wrap(_ text: String, width: Int = width, indent: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }

  /// Two columns; a left text that is too wide has its line to itself.
  package static func columns(_ rows: [(String, String)], left: Int, width: Int = width) -> [String] {
    rows.flatMap { name, text -> [String] in
      let lines = wrap(text, width: width, indent: left)
      let start = "  " + name
      guard start.count + 2 <= left, let first = lines.first else { return [start] + lines }
      return [start.padded(to: left) + first.dropFirst(left)] + lines.dropFirst()
    }
  }
}

extension String {
  /// Spaces behind it up to a width in characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
