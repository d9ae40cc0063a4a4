import Text

/// How the text of one kind of value is read, and what help and completions say of it.
package struct SettingType<Value: Hashable & Sendable>: Sendable {
  /// What stands for the value in help: `N`, `BYTES`, `DIR`.
  package var name: String
  package var form: SettingForm
  /// Reads the value from where the scanner stands; the caller makes sure that nothing follows. The text is the
  /// setting's name, for messages.
  package var read: @Sendable (inout LineScanner, String) throws(Mistake) -> Value

  package init(
    _ name: String, _ form: SettingForm = .text,
    read: @escaping @Sendable (inout LineScanner, String) throws(Mistake) -> Value
  ) {
    self.name = name
    self.form = form
    self.read = read
  }

  /// For values that are one word.
  ///
  /// - Parameter word: gets the word, the setting's name and the word's place, for messages.
  package init(
    _ name: String, _ form: SettingForm = .text,
    word: @escaping @Sendable (String, String, Int) throws(Mistake) -> Value
  ) {
    self.init(name, form) { scanner, setting throws(Mistake) in
      let start = scanner.position
      return try word(String(decoding: scanner.word(), as: UTF8.self), setting, start)
    }
  }
}

/// What a value looks like, for help and completions.
package enum SettingForm: Sendable, Hashable {
  /// Nothing follows the flag's name; a job and a variable say `on` or `off`.
  case flag
  case text
  case file
  case folder
  case choices([String])
  /// Numbers between two bounds, in words.
  case range(String)
}

extension SettingType where Value == String {
  /// A word, or text in quotes where it holds white space; not empty.
  package static func text(_ name: String) -> Self {
    Self(name) { scanner, _ throws(Mistake) in
      let start = scanner.position
      let text = try scanner.wordOrQuoted()
      if text.isEmpty { throw Mistake(start, "a value is missing here") }
      return text
    }
  }
}

extension SettingType where Value == Int {
  package static func integer(_ name: String, _ range: ClosedRange<Int>) -> Self {
    let form = "\(range.lowerBound) to \(range.upperBound)"
    let bounds = range.upperBound == .max ? "\(range.lowerBound) on" : form
    return number(name, form, "a whole number from \(bounds)") { word in
      Int(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number of bytes; K, M and G stand for powers of 1024.
  package static func bytes(_ name: String, _ range: ClosedRange<Int>) -> Self {
    Self(name, .text) { word, setting, start throws(Mistake) in
      if let bytes = ByteCountText.value(word), range.contains(bytes) { return bytes }
      let (least, most) = (ByteCountText.text(range.lowerBound), ByteCountText.text(range.upperBound))
      let bounds = range.upperBound == .max ? "\(least) on" : "\(least) to \(most)"
      throw Mistake(
        start, "\(setting) is a number of bytes from \(bounds), not \(Mistake.quote(word))",
        help: "500K, 40M or 2G")
    }
  }

  /// A whole number with its unit: seconds.
  ///
  /// - Parameter off: whether none at all is said by `off`, and not by 0.
  package static func period(_ name: String, off: Bool) -> Self {
    Self(name) { word, _, start throws(Mistake) in
      if off, word == "off" { return 0 }
      let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
      guard let unit = word.last.flatMap({ units[$0] }), let number = UInt32(word.dropLast()),
        number > 0 || !off
      else {
        throw Mistake(
          start, "a time is a whole number with s, m, h or d behind it, not \(Mistake.quote(word))",
          help: off ? "1d, or off" : "30d, 12h, 90m or 45s")
      }
      return Int(number) * unit
    }
  }
}

extension SettingType where Value == Double {
  package static func seconds(_ name: String, _ range: ClosedRange<Double>) -> Self {
    let form = "\(NumberText.plain(range.lowerBound)) to \(NumberText.plain(range.upperBound))"
    return number(name, form, "a number of seconds from \(form)") { word in
      DecimalText.double(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A share in percent: `50%`.
  package static func share(_ name: String) -> Self {
    Self(name, .range("0% to 100%")) { word, setting, start throws(Mistake) in
      if word.hasSuffix("%"), let share = DecimalText.double(String(word.dropLast())),
        (0...100).contains(share)
      {
        return share
      }
      throw Mistake(start, "\(setting) is a share from 0% to 100%, not \(Mistake.quote(word))", help: "50%")
    }
  }
}

extension SettingType where Value == Bool {
  /// `on` or `off`; `true`, `yes`, `1` and `false`, `no`, `0` mean the same. On a command line the name alone means on.
  package static var flag: Self {
    Self("", .flag) { word, setting, start throws(Mistake) in
      switch word.lowercased() {
      case "on", "true", "yes", "1": return true
      case "off", "false", "no", "0": return false
      default: throw Mistake(start, "\(setting) is on or off, not \(Mistake.quote(word))")
      }
    }
  }
}

extension SettingType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  ///
  /// - Parameters:
  ///   - what: how a message calls it: "policy".
  ///   - earlier: words of earlier releases, with what they mean today.
  package static func choices(_ name: String, of what: String, earlier: [String: Value] = [:]) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(name, .choices(words)) { word, _, start throws(Mistake) in
      if let value = Value(rawValue: word) ?? earlier[word] { return value }
      throw Mistake.noSuch(what, word, known: words, at: start)
    }
  }
}

extension Mistake {
  /// An unknown word.
  ///
  /// - Parameter otherwise: the help where none of them is near; nil for their list.
  package static func noSuch(
    _ what: String, _ word: String, known: [String], otherwise: String? = nil, at start: Int
  ) -> Mistake {
    let article = what.first.map { "aeiou".contains($0) } == true ? "an" : "a"
    return Mistake(
      start, word.isEmpty ? "\(article) \(what) is missing" : "no \(what) is called \(quote(word))",
      help: suggestion(
        WordDistance.nearest(word, in: known) ?? known.first { word.hasPrefix("\($0)-") },
        otherwise: otherwise ?? known.joined(separator: ", ")))
  }
}

extension SettingType {
  /// - Parameters:
  ///   - form: the bounds.
  ///   - expected: what a message says of it.
  private static func number(
    _ name: String, _ form: String, _ expected: String, _ value: @escaping @Sendable (String) -> Value?
  ) -> Self {
    Self(name, .range(form)) { word, setting, start throws(Mistake) in
      if let number = value(word) { return number }
      throw Mistake(start, "\(setting) is \(expected), not \(Mistake.quote(word))")
    }
  }

  /// The same for a value that may be absent.
  package var optional: SettingType<Value?> { map(Optional.init) }

  /// The same for a value that is absent where a word says so.
  package func orNone(_ word: String) -> SettingType<Value?> {
    let read = read
    let named = if case .range(let range) = form { SettingForm.range("\(range), or \(word)") } else { form }
    return SettingType<Value?>("\(name)|\(word)", named) { scanner, setting throws(Mistake) in
      let start = scanner
      if scanner.word().elementsEqual(word.utf8) { return nil }
      scanner = start
      return try read(&scanner, "\(setting), if not \(word),")
    }
  }

  /// The same text for another value.
  package func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> SettingType<Other> {
    let read = read
    return SettingType<Other>(name, form) { scanner, setting throws(Mistake) in
      change(try read(&scanner, setting))
    }
  }
}
