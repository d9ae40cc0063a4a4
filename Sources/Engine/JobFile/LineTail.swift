import ClientKit
import Syntax
import Text

/// What follows the source in a job line: chains and options, in any order.
struct LineTail {
  var chains: [ChainSyntax] = []
  var options = RequestOptions()
  /// Where the value of `expires=` stands: not every client has it.
  var expiryOffset: Int?
  /// Settings of a client's requests, and where they stand: only its own jobs have them.
  private(set) var settings: [(row: Setting, offset: Int)] = []
  /// What stands in fields of a catalogue.
  private(set) var feed: [FeedOption: FeedText] = [:]

  private let place: Place
  private let table: SettingTable
  private var seen: Set<String> = []

  /// Where the options appear; some are allowed only in certain places.
  enum Place {
    case line
    case include
    case feed
    case chainList(String)
  }

  /// Reads `scanner` to its end. Mistakes go to `mistakes`; one that makes the rest unreadable is thrown.
  init(
    _ scanner: inout LineScanner, for place: Place, _ table: SettingTable, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    self.place = place
    self.table = table
    while true {
      scanner.skipBlank()
      if scanner.atEnd { return }
      let start = scanner.position
      let word = scanner.name()
      if !word.isEmpty, scanner.take("=") {
        try readValue(of: word, start, &scanner, &mistakes)
      } else if let option = LineOption.named(word), scanner.next != UInt8(ascii: "(") {
        if !option.isFlag {
          mistakes.append(Mistake(start, "'\(option.name)' needs a value", help: option.row.example))
        } else if allows(option, start, &mistakes) {
          try option.read(&scanner, &options)
          if options.reload, options.offline, ["reload", "offline"].contains(option.name) {
            mistakes.append(
              Mistake(
                start, "'reload' and 'offline' exclude each other",
                help: "one fetches always, the other never"))
          }
        }
      } else {
        scanner.move(to: start)
        chains.append(try scanner.chain())
      }
      try scanner.expectBreak()
    }
  }

  private mutating func readValue(
    of word: ArraySlice<UInt8>, _ start: Int, _ scanner: inout LineScanner, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    let name = String(decoding: word, as: UTF8.self)
    let field = if case .feed = self.place { FeedOption(rawValue: name) } else { FeedOption?.none }
    let known = table.lineOption(word).flatMap { $0.isFlag ? nil : $0 }
    guard let example = field?.example ?? known?.row.example else {
      mistakes.append(noValue(name, start))
      return try scanner.skipOptionValue()
    }
    let place = scanner.position
    if scanner.next.map(LineScanner.isSpace) ?? true {
      return mistakes.append(Mistake(place, "a value is missing behind '\(name)='", help: example))
    }
    if let field, try readField(field, start, &scanner, &mistakes) { return }
    guard let option = known, allows(option, start, &mistakes) else { return try scanner.skipOptionValue() }
    if option.name == "expires" { expiryOffset = place }
    if option.row.owner != nil { settings.append((option.row, start)) }
    do throws(Mistake) { try option.read(&scanner, &options) } catch {
      scanner.move(to: place)
      try scanner.skipOptionValue()
      mistakes.append(error)
    }
  }

  /// - Returns: false for the value of an option itself, which names no field.
  private mutating func readField(
    _ option: FeedOption, _ start: Int, _ scanner: inout LineScanner, _ mistakes: inout [Mistake]
  ) throws(Mistake) -> Bool {
    let place = scanner.position
    let text = try scanner.wordOrQuoted()
    if option.isConstant(text) {
      scanner.move(to: place)
      return false
    }
    if !seen.insert(option.rawValue).inserted {
      mistakes.append(Mistake(start, "'\(option.rawValue)' is given twice"))
    }
    if option == .expires { expiryOffset = place }
    feed[option] = FeedText(text: text, offset: place)
    return true
  }

  /// What is wrong with `name=`, which is an option without a value or none.
  private func noValue(_ name: String, _ start: Int) -> Mistake {
    if LineOption.names.contains(name) {
      return Mistake(start, "'\(name)' takes no value", help: "write \(name) alone")
    }
    let known = (LineOption.all + table.ofRequests).filter { !$0.isFlag }
    return Mistake(
      start, "no option is called \(Mistake.quote(name + "="))",
      help: Mistake.suggestion(
        WordDistance.nearest(name + "=", in: known.map { $0.name + "=" }),
        otherwise: "options are "
          + known.map { "\($0.name)=\($0.row.owner.map { " (\($0))" } ?? "")" }.joined(separator: ", ")
      ))
  }

  /// Whether the option may stand here, and for the first time.
  private mutating func allows(_ option: LineOption, _ start: Int, _ mistakes: inout [Mistake]) -> Bool {
    switch place {
    case .chainList(let what):
      mistakes.append(
        Mistake(start, "\(what) takes chains, and '\(option.name)' is an option of job lines"))
      return false
    case .include where option.isForOneSource, .feed where option.isForOneSource:
      mistakes.append(
        Mistake(start, "'\(option.name)=' is for one source, and a list has many", help: "take it out"))
      return false
    default: break
    }
    if seen.insert(option.name).inserted { return true }
    mistakes.append(Mistake(start, "'\(option.name)' is given twice"))
    return false
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

/// What stands behind the sources of a job is nearly always one of a few texts: each is parsed once.
struct TailCache {
  struct Tail {
    package var chains: [Int]
    package var options: RequestOptions
    var feed: [FeedOption: FeedText] = [:]
  }

  /// With an `id=` in every line there is nothing to gain, and memory must not grow with the job.
  private static let most = 4096

  private var byText: [ByteText: Tail] = [:]

  subscript(text: ArraySlice<UInt8>) -> Tail? {
    get { byText[ByteText(String(decoding: text, as: UTF8.self))] }
    set {
      guard byText.count < Self.most, text.count < 4096 else { return }
      byText[ByteText(String(decoding: text, as: UTF8.self))] = newValue
    }
  }
}
