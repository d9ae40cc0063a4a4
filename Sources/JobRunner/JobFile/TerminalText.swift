import CacheCore

/// Text from strangers made safe for a terminal.
enum TerminalText {
  /// Control, bidirectional and other invisible characters as escapes; tabs stay, since a caret counts them.
  static func escaped(_ text: String) -> String {
    SafeText.escape(text) { scalar in
      scalar == "\t" ? nil : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
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
