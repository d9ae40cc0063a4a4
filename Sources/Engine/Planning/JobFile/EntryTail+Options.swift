import Fetching
import Text

extension EntryTail {
  package static let priorities: [(word: String, value: HTTPRequest.Priority)] = [
    ("veryLow", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("veryHigh", .veryHigh),
  ]

  package mutating func set(_ flag: EntryOptionName, _ start: Int, _ mistakes: inout [Mistake]) {
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
    _ option: EntryOptionName, _ scanner: inout LineScanner, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    let start = scanner.position
    if option == .encode || option == .expires {
      do throws(Mistake) {
        if option == .encode {
          options.encoding = try SettingText.encoding(&scanner)
        } else {
          expiryOffset = start
          options.expiry = try SettingText.expiry(&scanner)
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
      do throws(Mistake) {
        options.embedded = try SettingText.embedded(value, at: start)
      } catch {
        mistakes.append(error)
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
