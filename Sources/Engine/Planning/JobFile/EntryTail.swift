import Text

/// What follows the source in an entry: chains and options, in any order.
struct EntryTail {
  package var chains: [ChainSyntax] = []
  package var options = EntryOptions()
  /// Where the value of `expires=` stands: not every client has it.
  var expiryOffset: Int?

  /// Who asks, for options that only one of them may have.
  package enum Place {
    case entry
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
    var seen: Set<EntryOptionName> = []
    while true {
      scanner.skipBlank()
      if scanner.atEnd { return }
      let start = scanner.position
      let word = scanner.name()
      if !word.isEmpty, scanner.take("=") {
        try option(word, start, &scanner, place, &seen, &mistakes)
      } else if let option = EntryOptionName(bytes: word), scanner.next != UInt8(ascii: "(") {
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
    _ seen: inout Set<EntryOptionName>, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    guard let option = EntryOptionName(bytes: word) else {
      let name = String(decoding: word, as: UTF8.self)
      let known = EntryOptionName.allCases.filter { !$0.isFlag }.map { $0.rawValue + "=" }
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
    _ option: EntryOptionName, _ start: Int, _ place: Place, _ seen: inout Set<EntryOptionName>,
    _ mistakes: inout [Mistake]
  ) -> Bool {
    switch place {
    case .chainList(let what):
      mistakes.append(
        Mistake(start, "\(what) takes chains, and '\(option.rawValue)' is an option of entries"))
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
