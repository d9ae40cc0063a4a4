/// Text from strangers made safe for a terminal.
enum TerminalText {
  /// Control, bidirectional and other invisible characters written as `\u{1B}`; tabs stay.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 9 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar != "\t" && isUnsafe(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }

  /// Columns that a character takes on a terminal: two for East Asian wide ones and emoji.
  static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first?.value, scalar >= 0x1100 else { return 1 }
    switch scalar {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
