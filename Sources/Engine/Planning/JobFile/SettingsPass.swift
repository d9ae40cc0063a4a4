import Fetching
import Pictures
import Text

/// The first reading of a job: settings and chains hold for all of it, wherever they stand.
struct SettingsPass {
  package var diagnostics = Diagnostics()
  var resolver = ChainResolver()
  /// The client that the job names, with its place.
  package var client: CacheClient?
  /// The first word behind `client`, also where the version is wrong.
  var clientName: String?
  package var cache: String?
  package var policy: StoragePolicy?
  package var scales: [Double]?
  package var encoding: JobEncoding?
  package var embedded: EmbeddedUse?
  package var stripQuery: [QueryPattern] = []
  package var headers: [JobSettings.HostHeader] = []
  package var allowPrivate: [String] = []
  package var rateLimits: [HTTPRateLimit] = []
  var connectionsPerHost: Int?
  var signatures: [JobSettings.HostSignature] = []
  package var sizeLimit: Int?
  package var sources = SourceSettings()
  package var limits = LimitSettings()
  package var kingfisher = KingfisherSettings()
  /// Settings that only one client has: which one it is may stand further down.
  private(set) var ownedSettings: [Keyword: (place: Int, line: TextLine)] = [:]
  package var defaults: (chains: [ChainSyntax], line: TextLine)?
  /// Lines that name a source or a list of them, right or wrong.
  var sourceLines = 0
  /// Where each setting was first.
  private(set) var firstLines: [Keyword: Int] = [:]

  package let file: String
  package let environment: [String: String]

  init(file: String, environment: [String: String]) {
    self.file = file
    self.environment = environment
  }

  /// Whether the job says it, if only wrongly: then it is not reported as missing.
  package func mentions(_ keyword: Keyword) -> Bool { firstLines[keyword] != nil }

  package mutating func read(_ line: LineReader.Line, number: Int) {
    guard case .text(let bytes) = line else {
      let mistake = Mistake(0, "this line is longer than 1 MiB", help: "is this a job file?")
      return diagnostics.add(.error, mistake, in: TextLine(file: file, number: number, bytes: []))
    }
    var line = TextLine(file: file, number: number, bytes: bytes)
    if let fault = LineFault.first(in: bytes) {
      line.hiddenFrom = Self.secretStart(bytes)
      return diagnostics.add(.error, fault, in: line)
    }
    switch LineKind(bytes) {
    case .empty: break
    case .entry: sourceLines += 1
    case .setting(let keyword, let scanner):
      if keyword == .header { line.hiddenFrom = HeaderText.secretStart(scanner) }
      read(keyword, scanner, line)
    case .unknown(let word):
      line.hiddenFrom = Self.secretStart(bytes)
      diagnostics.add(.error, Self.unknown(word, in: bytes), in: line)
    }
  }

  private mutating func read(_ keyword: Keyword, _ scanner: LineScanner, _ line: TextLine) {
    var scanner = scanner
    let start = scanner.position - keyword.rawValue.utf8.count
    if keyword.isSingle, let first = firstLines[keyword] {
      let mistake = Mistake(
        start, "'\(keyword.rawValue)' is given twice", help: "it is in line \(first) already")
      return diagnostics.add(.error, mistake, in: line)
    }
    if firstLines[keyword] == nil { firstLines[keyword] = line.number }
    if keyword.owner != nil || keyword == .scale { ownedSettings[keyword] = (start, line.copied()) }
    scanner.skipBlank()
    var mistakes: [Mistake] = []
    do throws(Mistake) {
      if scanner.atEnd {
        throw Mistake(start, "'\(keyword.rawValue)' needs a value", help: keyword.example)
      }
      try read(keyword, &scanner, line, &mistakes)
    } catch {
      mistakes.append(error)
    }
    diagnostics.add(mistakes, in: line)
  }

  private mutating func read(
    _ keyword: Keyword, _ scanner: inout LineScanner, _ line: TextLine, _ mistakes: inout [Mistake]
  ) throws(Mistake) {
    let start = scanner.position
    switch keyword {
    case .client:
      clientName = scanner.peekedWord
      let value = try SettingText.client(&scanner)
      try scanner.expectEnd(help: keyword.example)
      client = value
    case .cache:
      let path = try scanner.wordOrQuoted()
      try scanner.expectEnd(help: "put a path with white space in double quotes")
      if path.isEmpty { throw Mistake(start, "the cache's path is empty", help: keyword.example) }
      cache = path
    case .policy:
      policy = try SettingText.policy(&scanner)
      try scanner.expectEnd()
    case .scale: scales = try SettingText.scales(&scanner)
    case .encode:
      let wanted = try SettingText.encoding(&scanner)
      try scanner.expectEnd()
      encoding = wanted
      if let lint = wanted.lint(at: start) { diagnostics.add(.warning, lint, in: line) }
    case .embedded:
      embedded = try SettingText.embedded(&scanner)
      try scanner.expectEnd()
    case .stripQuery:
      while !scanner.atEnd {
        let place = scanner.position
        let pattern = try SettingText.queryPattern(scanner.word(), at: place)
        if !stripQuery.contains(pattern) { stripQuery.append(pattern) }
        scanner.skipBlank()
      }
    case .chain: try readChain(&scanner, line)
    case .header: try readHeader(&scanner, start)
    case .allowPrivate:
      while !scanner.atEnd {
        let place = scanner.position
        let host = try SettingText.host(scanner.word(), at: place, allowsWildcard: true)
        if !allowPrivate.contains(host) { allowPrivate.append(host) }
        scanner.skipBlank()
      }
    case .rateLimit: rateLimits.append(try SettingText.rateLimit(&scanner))
    case .perHost:
      connectionsPerHost = try SettingText.connectionsPerHost(&scanner)
      try scanner.expectEnd()
    case .awsSignature: signatures.append(try SettingText.signature(&scanner, environment: environment))
    case .sizeLimit:
      sizeLimit = try SettingText.sizeLimit(&scanner)
      try scanner.expectEnd()
    case .httpCache:
      sources.httpCache = try SettingText.httpCache(&scanner)
      try scanner.expectEnd()
    case .staleIfError:
      sources.staleIfError = try SettingText.staleIfError(&scanner)
      try scanner.expectEnd()
    case .check:
      sources.check = try SettingText.check(&scanner)
      try scanner.expectEnd()
    case .maxPixels, .maxSide, .maxAnimationPixels, .maxBytes, .maxMemory, .timeout:
      guard let name = LimitSettings.Name(rawValue: keyword.rawValue) else { return }
      limits[name] = try LimitSettings.read(name, &scanner)
      try scanner.expectEnd()
    case .default:
      let tail = try EntryTail(&scanner, for: .chainList("'default'"), &mistakes)
      defaults = (tail.chains, line.copied())
    case .include: sourceLines += 1
    case .style, .pathExtension, .autoExtension, .forcedExtension, .expires:
      try kingfisher.read(keyword, &scanner)
      try scanner.expectEnd(help: keyword.example)
    }
  }

  private mutating func readChain(_ scanner: inout LineScanner, _ line: TextLine) throws(Mistake) {
    let start = scanner.position
    let name = String(decoding: scanner.name(), as: UTF8.self)
    let first = name.utf8.first ?? 0
    guard !name.isEmpty, !(48...57).contains(first), !"-.".utf8.contains(first) else {
      throw Mistake(start, "a chain's name is expected here", help: Keyword.chain.example)
    }
    if Keyword.reserved.contains(name) {
      throw Mistake(start, "\(Mistake.quote(name)) cannot name a chain: it is a word of the job file")
    }
    if let line = resolver.line(of: name) {
      throw Mistake(
        start, "the chain \(Mistake.quote(name)) is given twice", help: "it is in line \(line) already")
    }
    scanner.skipBlank()
    guard scanner.take("=") else {
      throw Mistake(scanner.position, "'=' is expected behind the chain's name", help: Keyword.chain.example)
    }
    scanner.skipBlank()
    if scanner.atEnd {
      throw Mistake(start, "the chain \(Mistake.quote(name)) is empty", help: "original, for none")
    }
    var syntax = try scanner.chain()
    try scanner.expectBreak()
    scanner.skipBlank()
    let place = scanner.position
    syntax.encoding = try SettingText.chainEncoding(&scanner)
    try scanner.expectEnd(help: "processors are joined with '|'")
    if let lint = syntax.encoding?.lint(at: place) { diagnostics.add(.warning, lint, in: line) }
    resolver.define(name, at: start, as: syntax, in: line)
  }

  private mutating func readHeader(_ scanner: inout LineScanner, _ start: Int) throws(Mistake) {
    let header = try HeaderText.header(&scanner, environment: environment)
    let name = header.header.name.lowercased()
    if headers.contains(where: { $0.host == header.host && $0.header.name.lowercased() == name }) {
      throw Mistake(start, "this header is given twice for the host")
    }
    headers.append(header)
  }
}
