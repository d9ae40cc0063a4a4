import ClientKit
import Pictures
import Settings
import Syntax
import Text

/// What follows the source in a job line: chains and options, in any order.
struct LineTail {
  package var chains: [ChainSyntax] = []
  package var options = RequestOptions()
  /// Where the value of `expires=` stands: not every client has it.
  var expiryOffset: Int?

  /// Where the options appear; some are allowed only in certain places.
  package enum Place {
    case line
    /// One line for many sources.
    case include
    /// Only chains.
    case chainList(String)
  }

  /// Reads `scanner` to its end. What is merely wrong goes to `mistakes`; what makes the rest
  /// unreadable is thrown.
  init(
    _ scanner: inout LineScanner, for place: Place, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    var seen: Set<LineOptionName> = []
    while true {
      scanner.skipBlank()
      if scanner.atEnd { return }
      let start = scanner.position
      let word = scanner.name()
      if !word.isEmpty, scanner.take("=") {
        try option(word, start, &scanner, place, &seen, &mistakes)
      } else if let option = LineOptionName(bytes: word), scanner.next != UInt8(ascii: "(") {
        if option.isFlag {
          if allow(option, start, place, &seen, &mistakes) { set(option, start, &mistakes) }
        } else {
          mistakes.append(Mistake(start, "'\(option.rawValue)' needs a value", help: option.example))
        }
      } else {
        scanner.move(to: start)
        chains.append(try scanner.chain())
      }
      try scanner.expectBreak()
    }
  }

  private mutating func option(
    _ word: ArraySlice<UInt8>, _ start: Int, _ scanner: inout LineScanner, _ place: Place,
    _ seen: inout Set<LineOptionName>, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    guard let option = LineOptionName(bytes: word) else {
      let name = String(decoding: word, as: UTF8.self)
      let known = LineOptionName.allCases.filter { !$0.isFlag }.map { $0.rawValue + "=" }
      mistakes.append(
        Mistake(
          start, "no option is called \(Mistake.quote(name + "="))",
          help: Mistake.suggestion(
            WordDistance.nearest(name + "=", in: known),
            otherwise: "options are " + known.joined(separator: ", "))))
      try scanner.skipOptionValue()
      return
    }
    if option.isFlag {
      mistakes.append(
        Mistake(start, "'\(option.rawValue)' takes no value", help: "write \(option.rawValue) alone"))
      try scanner.skipOptionValue()
      return
    }
    guard allow(option, start, place, &seen, &mistakes) else { return try scanner.skipOptionValue() }
    try read(option, &scanner, &mistakes)
  }

  /// Whether the option may stand here, and for the first time.
  private func allow(
    _ option: LineOptionName, _ start: Int, _ place: Place, _ seen: inout Set<LineOptionName>,
    _ mistakes: inout [Mistake]
  ) -> Bool {
    switch place {
    case .chainList(let what):
      mistakes.append(
        Mistake(start, "\(what) takes chains, and '\(option.rawValue)' is an option of job lines"))
      return false
    case .include where option == .id || option == .sha256:
      mistakes.append(
        Mistake(start, "'\(option.rawValue)=' is for one source, and a list has many", help: "take it out"))
      return false
    default: break
    }
    if seen.insert(option).inserted { return true }
    mistakes.append(Mistake(start, "'\(option.rawValue)' is given twice"))
    return false
  }
}

extension LineTail {
  package static let priorities: [(word: String, value: RequestPriority)] = [
    ("veryLow", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("veryHigh", .veryHigh),
  ]

  package mutating func set(_ flag: LineOptionName, _ start: Int, _ mistakes: inout [Mistake]) {
    switch flag {
    case .reload: options.reload = true
    case .offline: options.offline = true
    case .noDiskRead: options.noDiskRead = true
    case .noDiskWrite: options.noDiskWrite = true
    case .id, .priority, .sha256, .expires, .encode, .embedded: break
    }
    if options.reload, options.offline, flag == .reload || flag == .offline {
      mistakes.append(
        Mistake(
          start, "'reload' and 'offline' exclude each other", help: "one fetches always, the other never"))
    }
  }

  /// The value behind `option=`.
  package mutating func read(
    _ option: LineOptionName, _ scanner: inout LineScanner, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    let start = scanner.position
    if option == .encode || option == .expires {
      do throws(Mistake) {
        if option == .encode {
          options.encoding = try EncodingText.encoding(&scanner)
        } else {
          expiryOffset = start
          options.expiry = try EntryExpiry.read(&scanner)
        }
      } catch {
        mistakes.append(error)
        scanner.move(to: start)
        try scanner.skipOptionValue()
      }
      return
    }
    let isQuoted = scanner.next == UInt8(ascii: "\"")
    let value = isQuoted ? try scanner.quoted() : String(decoding: scanner.word(), as: UTF8.self)
    if value.isEmpty, !isQuoted {
      mistakes.append(Mistake(start, "a value is missing behind '\(option.rawValue)='", help: option.example))
      return
    }
    switch option {
    case .id: options.imageID = value
    case .priority:
      if let known = Self.priorities.first(where: { $0.word == value }) {
        options.priority = known.value
      } else {
        let words = Self.priorities.map(\.word)
        mistakes.append(
          Mistake(
            start, "no priority is called \(Mistake.quote(value))",
            help: Mistake.suggestion(
              WordDistance.nearest(value, in: words), otherwise: words.joined(separator: ", "))))
      }
    case .sha256:
      let isDigest =
        value.utf8.count == 64 && value.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      if isDigest {
        options.sha256 = value.lowercased()
      } else {
        mistakes.append(Mistake(start, "a SHA-256 digest has 64 hexadecimal digits"))
      }
    case .embedded:
      if let known = EmbeddedUse(rawValue: value) {
        options.embedded = known
      } else {
        let words = EmbeddedUse.allCases.map(\.rawValue)
        mistakes.append(.noSuch("use of embedded thumbnails", value, known: words, at: start))
      }
    case .encode, .expires, .reload, .offline, .noDiskRead, .noDiskWrite: break
    }
  }
}

extension LineScanner {
  /// A value that was not understood: a word, text in quotes, maybe with parentheses.
  mutating func skipOptionValue() throws(Mistake) {
    if next == UInt8(ascii: "\"") { _ = try quoted() }
    _ = take { !Self.isSpace($0) && $0 != UInt8(ascii: "(") }
    if next == UInt8(ascii: "(") { _ = try arguments(depth: 1) }
  }
}
