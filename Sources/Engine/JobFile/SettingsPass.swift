import ClientKit
import Syntax
import Text

/// Reads the head of a job: its settings and chains.
struct SettingsPass {
  let file: String
  let table: SettingTable
  let variables: JobVariables

  var diagnostics: Diagnostics
  var resolver = ChainResolver()
  var values = SettingValues()
  /// What the job's line says, and the line itself.
  private(set) var client: (text: ClientText, line: TextLine)?
  /// The first word behind `client`, also where the version is wrong.
  var clientName: String?
  var cache: String?
  var defaults: (chains: [ChainSyntax], line: TextLine)?
  /// Settings as they are written, for a job that is made of this one.
  private(set) var settingLines: [SettingLine] = []
  /// Where each setting was first.
  private(set) var places: [String: (offset: Int, line: TextLine)] = [:]
  /// Words that cannot name a chain. A job may have a chain in each line.
  private lazy var reservedWords = table.reservedWords

  init(file: String, _ given: GivenSettings) {
    diagnostics = Diagnostics(keeping: given.errorsKept)
    self.file = file
    table = given.table
    variables = given.jobVariables
  }

  /// Whether the job says it, if only wrongly: then it is not reported as missing.
  func mentions(_ row: JobRows.Structure) -> Bool { places[row.rawValue] != nil }

  /// A setting that stands in place of a line of the job.
  mutating func read(_ proposal: SettingProposal) {
    guard let row = table.row(ofJobWord: proposal.name) else { return }
    let text = "\(proposal.name) \(proposal.value)"
    let line = TextLine(file: file, number: 1, bytes: Array(text.utf8)[...])
    read(row, LineScanner(line.bytes, at: proposal.name.utf8.count), line)
  }

  /// - Returns: false for a line that names a source, right or wrong: the head ends above it.
  mutating func read(_ text: LineReader.Line, number: Int) -> Bool {
    guard case .text(let bytes) = text else { return false }
    var mistake = LineFault.first(in: bytes)
    let kind = LineKind(bytes, table)
    let line = TextLine(file: file, number: number, bytes: bytes, isShown: !kind.mayHoldSecret)
    switch kind {
    case .empty: break
    case .source: return false
    case .setting(let row, let scanner):
      if row.name == JobRows.Structure.include.rawValue { return false }
      if mistake == nil { read(row, scanner, line) }
    case .unknown(let word):
      let unknown = UnknownLine(word, of: bytes, table, client: clientName)
      guard unknown.isSetting else { return false }
      mistake = mistake ?? unknown.mistake
    }
    if let mistake { diagnostics.add(.error, mistake, in: line) }
    return true
  }

  private mutating func read(_ row: Setting, _ scanner: LineScanner, _ line: TextLine) {
    var scanner = scanner
    let start = line.wordStart(before: scanner.position)
    if row.repetition == .single, let first = places[row.name]?.line.number {
      let mistake = Mistake(
        start, "'\(row.name)' is given twice", help: "it is in line \(first) already")
      return diagnostics.add(.error, mistake, in: line)
    }
    if places[row.name] == nil { places[row.name] = (start, line.copied()) }
    settingLines.append(SettingLine(row: row.name, text: String(decoding: line.bytes, as: UTF8.self)))
    scanner.skipBlank()
    var mistakes: [Mistake] = []
    do throws(Mistake) {
      if scanner.atEnd { throw Mistake(start, "'\(row.name)' needs a value", help: row.example) }
      try read(row, &scanner, line, &mistakes)
    } catch {
      var mistake = error
      mistake.help = mistake.help ?? row.example
      mistakes.append(mistake)
    }
    diagnostics.add(mistakes, in: line)
  }

  private mutating func read(
    _ row: Setting, _ scanner: inout LineScanner, _ line: TextLine, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    let start = scanner.position
    switch JobRows.Structure(rawValue: row.name) {
    case .client:
      clientName = scanner.peekedWord
      client = (try ClientText(&scanner), line.copied())
    case .cache:
      let path = try scanner.wordOrQuoted()
      try scanner.expectEnd(help: "put a path with white space in double quotes")
      if path.isEmpty { throw Mistake(start, "the cache's path is empty", help: row.example) }
      if let mistake = Self.mistake(inPath: path, at: start) { throw mistake }
      cache = path
    case .chain: try readChain(&scanner, line, example: row.example)
    case .default:
      let tail = try LineTail(&scanner, for: .chainList("'default'"), table, &mistakes)
      defaults = (tail.chains, line.copied())
    case .include: break
    case nil:
      var read = values
      try row.read(&scanner, &read, variables)
      try scanner.expectEnd()
      values = read
      if row.name == JobKey.encode.name, let lint = values[JobKey.encode].lint(at: start) {
        diagnostics.add(.warning, lint, in: line)
      }
    }
  }

  /// A text that would become the name of a folder, and hardly is one.
  static func mistake(inPath path: String, at place: Int) -> Mistake? {
    if path.contains("${") || path.hasPrefix("$HOME") {
      return Mistake(
        place, "a path has no variables: \(Mistake.quote(path)) would be the name of a folder",
        help:
          "~/out is in the home folder; --cache says where the cache is, and a shell replaces variables there"
      )
    }
    return PathText.beginsAtHome(path) && PathText.home == nil ? Mistake(place, .homeless, help: nil) : nil
  }

  private mutating func readChain(
    _ scanner: inout LineScanner, _ line: TextLine, example: String
  ) throws(Mistake) {
    let start = scanner.position
    let name = String(decoding: scanner.name(), as: UTF8.self)
    let first = name.utf8.first ?? 0
    guard !name.isEmpty, !first.isDigit, !"-.".utf8.contains(first) else {
      throw Mistake(start, "a chain's name is expected here", help: example)
    }
    // A client's own processors are reported once that is known.
    if reservedWords.contains(name) { throw .reserved(name, at: start) }
    if let line = resolver.line(of: name) {
      throw Mistake(
        start, "the chain \(Mistake.quote(name)) is given twice", help: "it is in line \(line) already")
    }
    scanner.skipBlank()
    guard scanner.take("=") else {
      throw Mistake(scanner.position, "'=' is expected behind the chain's name", help: example)
    }
    scanner.skipBlank()
    if scanner.atEnd {
      throw Mistake(start, "the chain \(Mistake.quote(name)) is empty", help: "original, for none")
    }
    let syntax = try scanner.chain()
    try scanner.expectBreak()
    scanner.skipBlank()
    let place = scanner.position
    let encoding = try EncodingText.chainEncoding(&scanner)
    try scanner.expectEnd(help: "processors are joined with '|'")
    if let lint = encoding?.lint(at: place) { diagnostics.add(.warning, lint, in: line) }
    resolver.define(name, at: start, as: syntax, encoding: encoding, in: line)
  }
}

extension TextLine {
  /// Where the word begins that stands directly before a place.
  func wordStart(before place: Int) -> Int {
    var start = place
    while start > bytes.startIndex, !LineScanner.isSpace(bytes[start - 1]) { start -= 1 }
    return start
  }
}
