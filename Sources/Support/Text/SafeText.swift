/// Text from strangers (URLs, paths, headers, error messages), made fit for a terminal and a log.
package enum SafeText {
  /// Replaces whatever could move the cursor, change colours, begin a line, reorder or hide text, or be a command for a
  /// CI system that reads the log, by a visible escape such as `\n` or `\u{1b}`.
  ///
  /// Meant for reading: a backslash stays single, so the result cannot be turned back.
  package static func escape(_ text: String) -> String { escape(text, keepingTabs: false) }

  package static func escape(_ text: String, keepingTabs: Bool) -> String {
    // Nearly all texts are of these, and looking at bytes takes a tenth of the time.
    guard !isPlain(text) else { return text }
    guard text.unicodeScalars.contains(where: isDangerous) else { return withoutCommands(text) }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += keepingTabs ? "\t" : "\\t"
      case _ where isDangerous(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return withoutCommands(result)
  }

  /// Printable ASCII without the number sign: two of them may begin a command for a CI system.
  ///
  /// - Parameter isFine: what else has to hold of each byte.
  @inline(__always)
  package static func isPlain(_ text: String, _ isFine: (UInt8) -> Bool = { _ in true }) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      // Without a way out, so that many bytes are looked at in one step.
      var odd: UInt8 = 0
      for byte in bytes {
        odd |= byte &- 0x20 < 0x5f && byte != UInt8(ascii: "#") && isFine(byte) ? 0 : 1
      }
      return odd == 0
    } ?? false
  }

  /// Without `##[...]` and `##vso[...]`, which CI systems carry out wherever they stand in a line.
  package static func withoutCommands(_ text: String) -> String {
    guard holdsTwoSigns(text) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    for (place, scalar) in scalars.enumerated() {
      let isSecond = scalar == "#" && place > 0 && scalars[place - 1] == "#"
      if isSecond, beginsCommand(scalars[(place + 1)...]) {
        result += "\\u{23}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func beginsCommand(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    text.first == "[" || text.prefix(4).map(\.properties.lowercaseMapping).joined() == "vso["
  }

  /// Whether two number signs follow one another, which may begin a command.
  static func holdsTwoSigns(_ text: String) -> Bool {
    var last: UInt8 = 0
    return text.utf8.contains { byte in
      defer { last = byte }
      return byte == UInt8(ascii: "#") && last == byte
    }
  }

  /// Text that a line begins with: also without `::`, which begins a command there.
  package static func lineStart(_ text: String) -> String {
    let safe = withoutCommands(text)
    guard let first = safe.firstIndex(where: { !$0.isWhitespace }), safe[first...].hasPrefix("::") else {
      return safe
    }
    return safe[..<first] + "\\u{3a}" + safe[safe.index(after: first)...]
  }

  /// The same with the middle left out where the result would be longer than `limit` characters.
  package static func escape(_ text: String, limit: Int) -> String {
    // A data: URL may be megabytes long; only its ends are looked at. An escape is at most ten
    // characters long, so cutting before escaping leaves enough.
    let count = text.unicodeScalars.count
    let scalars = text.unicodeScalars
    let limit = max(limit, 3)
    guard count > limit || escape(text).count > limit else { return escape(text) }
    let head = escape(String(String.UnicodeScalarView(scalars.prefix(limit))))
    let tail = escape(String(String.UnicodeScalarView(scalars.suffix(limit))))
    let left = (limit - 1) / 2
    return head.prefix(limit - 1 - left) + "…" + tail.suffix(left)
  }

  /// Controls (C0, DEL, C1), format characters (bidirectional overrides, zero width, tags), line and
  /// paragraph separators, surrogates and code points that mean nothing.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return true
    default: return false
    }
  }
}

/// What a terminal makes of a text.
package enum TerminalText {
  /// Columns that a character takes on a terminal: two from the East Asian blocks on, where nearly all are wide.
  package static func width(_ character: Character) -> Int {
    character.unicodeScalars.first.map { $0.value >= 0x2E80 } == true ? 2 : 1
  }
}
