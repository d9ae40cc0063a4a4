import ClientKit
import ContentDigests
import Foundation
import Settings
import Syntax
import Text

/// Whether lines that name their source wrongly are left out, and what is to be known for it.
struct Skipping: Sendable {
  var isOn = false
  /// The job has no setting of its own.
  var isPlainList = false
  /// The client as the job names it.
  var clientName: String?
}

/// The second reading of a job: its sources, one after the other.
struct LinePass {
  var diagnostics: Diagnostics
  var chains: ChainTable
  var resolver: ChainResolver
  /// For job lines that name no chain; without any they mean the original.
  let defaults: [Int]
  let stripQuery: QueryNames
  /// What relative paths begin at.
  let folder: String
  let given: GivenSettings
  var table: SettingTable { given.table }
  /// What dates of expiry are compared with.
  let now: Date
  /// The folders that lists and local sources have to lie in; nil for anywhere.
  var roots: TrustedRoots? { given.trust.roots }
  let skipping: Skipping
  /// The job's cache, beside which copies of catalogues lie.
  let cache: String?
  private var standardInputIsRead = false
  /// Lists that were told to look like catalogues.
  var tellsCatalogues: Set<String> = []
  private(set) var skipped = SkippedLines()

  private var sharded: ShardedLines?
  private var tails = TailCache()
  private var secrets = SecretNames()

  init(
    _ first: (diagnostics: Diagnostics, chains: ChainTable), resolver: ChainResolver, defaults: [Int],
    stripQuery: QueryNames, settings: (folder: String, cache: String?), _ given: GivenSettings,
    skipping: Skipping
  ) {
    sharded = given.shard.map(ShardedLines.init)
    (diagnostics, chains) = first
    self.resolver = resolver
    self.defaults = defaults
    self.stripQuery = stripQuery
    (folder, cache) = settings
    self.given = given
    now = RunDate(environment: given.environment).start
    self.skipping = skipping
  }

  /// What is wrong with a line that names a source. A line that is left out is told once, by its first mistake.
  mutating func refuse(_ mistakes: [Mistake], _ code: SkippedLine.Code, in line: TextLine) {
    guard skipping.isOn else { return diagnostics.add(mistakes, in: line) }
    guard let first = mistakes.min(by: { $0.offset < $1.offset }) else { return }
    skipped.add(code, first, in: line)
  }

  /// The same of a row of a catalogue.
  mutating func refuse(_ diagnostic: Diagnostic) {
    if skipping.isOn { skipped.add(.source, diagnostic) } else { diagnostics.add(diagnostic) }
  }

  /// - Returns: false where it has been read already.
  mutating func takesStandardInput(for line: TextLine) -> Bool {
    defer { standardInputIsRead = true }
    return !standardInputIsRead && line.file != StreamedLines.name
  }

  /// A line of the job, whose settings were read before, or of a stream: nothing else reports what is wrong with that.
  mutating func read(
    _ text: LineReader.Line, file: String, number: Int, isStreamed: Bool = false,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = text else {
      guard isStreamed || skipping.isOn else { return }
      return refuse([.longLine], .text, in: TextLine(file: file, number: number, bytes: []))
    }
    if skips(bytes) { return }
    let kind = LineKind(bytes, table)
    if let fault = LineFault.first(in: bytes) {
      // The first reading tells of lines that stop the job, but leaves those with URLs to the part that they are of.
      let isTold = skipping.isOn ? kind.isSetting : sharded == nil || !ShardedLines.isLeft(bytes, table)
      if isTold, !isStreamed { return }
      return refuse([fault], .text, in: TextLine(file: file, number: number, hiding: bytes, table))
    }
    switch kind {
    case .empty: break
    case .source(let scanner): readSource(scanner, file: file, number: number, body)
    case .unknown(let word):
      guard isStreamed || skipping.isOn else { return }
      let unknown = UnknownLine(word, of: bytes, table, client: skipping.clientName)
      // A job that has no setting at all means none by this word either.
      let isSource = unknown.meaning == .source || unknown.meaning == .doubtful && skipping.isPlainList
      guard isStreamed || isSource else { return }
      refuse([unknown.mistake], .source, in: TextLine(file: file, number: number, hiding: bytes, table))
    case .setting(let row, let scanner) where isStreamed:
      let line = TextLine(file: file, number: number, hiding: bytes, table)
      let mistake = Mistake(
        line.wordStart(before: scanner.position), "'\(row.name)' cannot stand in a stream of sources",
        help: "settings are given by flags or by --settings FILE")
      refuse([mistake], .source, in: line)
    case .setting(let row, let scanner):
      guard row.name == JobRows.Structure.include.rawValue else { return }
      readInclude(scanner, TextLine(file: file, number: number, bytes: bytes), body)
    }
  }

  mutating func finish() {
    secrets.report(&diagnostics)
    resolver.reportFindings(&diagnostics)
  }

  private mutating func readSource(
    _ scanner: LineScanner, file: String, number: Int, _ body: (JobLine, ChainTable) -> Void
  ) {
    var scanner = scanner
    let start = scanner.position
    var line = TextLine(file: file, number: number, bytes: scanner.bytes)
    let source: SourceURL
    do throws(Mistake) {
      // As the function of this name does it; to call that copies the whole pass, for each line of a job.
      source = try SourceURL(&scanner, folder: folder, table: given.table)
      if source.scheme == .file { try checkTrust(of: source, at: start) }
    } catch {
      var word = LineScanner(line.bytes, at: start)
      line.hiddenFrom = SettingsPass.headerName(word.word())
      return refuse([error], .source, in: line)
    }
    guard sharded?.holds(source) ?? true else { return }
    guard let tail = tail(&scanner, for: .line, line, source: start..<scanner.position) else { return }
    if let lint = resolver.dialect?.lint(ofSource: source, options: tail.options, at: start) {
      resolver.note([lint], in: line)
    }
    note(source, at: start, in: line, hasID: tail.options.imageID != nil)
    body(
      JobLine(
        text: line, url: source.key, scheme: source.scheme, chains: tail.chains, options: tail.options),
      chains)
  }

  /// Whether a line is of another part of the job, as its URL alone shows.
  func skips(_ bytes: ArraySlice<UInt8>) -> Bool { sharded?.skips(bytes) ?? false }

  /// Whether a source is of the part of the job that is read.
  func holds(_ source: SourceURL) -> Bool { sharded?.holds(source) ?? true }

  func readSource(_ scanner: inout LineScanner, folder: String) throws(Mistake) -> SourceURL {
    let start = scanner.position
    let source = try SourceURL(&scanner, folder: folder, table: table)
    if source.scheme == .file { try checkTrust(of: source, at: start) }
    return source
  }

  /// Whether a job may read a file.
  func checkTrust(of source: SourceURL, at place: Int) throws(Mistake) {
    guard let roots, !(PathText.path(ofFileURL: source.key).map(roots.holds) ?? false) else { return }
    throw Mistake(
      place, "this file is outside of the trusted folders", help: "--trusted-root DIR allows a folder")
  }

  /// Chains and options behind a source; nil when something is wrong with them.
  ///
  /// - Parameter source: where that stands; empty for a list of them.
  mutating func tail(
    _ scanner: inout LineScanner, for place: LineTail.Place, _ line: TextLine, source: Range<Int> = 0..<0
  ) -> TailCache.Tail? {
    let text = scanner.bytes[scanner.position...]
    if case .line = place, let known = tails[text] { return known }
    var mistakes: [Mistake] = []
    var tail = TailCache.Tail(chains: [], options: .none)
    do throws(Mistake) {
      let parsed = try LineTail(&scanner, for: place, &mistakes)
      if let offset = parsed.expiryOffset, let client = resolver.dialect?.client,
        client.folder.expiry == nil
      {
        mistakes.append(
          Mistake(
            offset, "'expires=' has no meaning here: entries of \(client.identity.name) do not expire",
            help: "take it out"))
      } else if let offset = parsed.expiryOffset,
        let mistake = parsed.options.expiry?.mistake(at: offset, now: now)
      {
        mistakes.append(mistake)
      }
      var isWhole = true
      var known: Set<Int> = []
      for syntax in parsed.chains {
        if let index = resolver.index(of: syntax, in: line, table: &chains, &mistakes) {
          if known.insert(index).inserted { tail.chains.append(index) }
        } else {
          isWhole = false
        }
      }
      if parsed.chains.isEmpty {
        tail.chains =
          defaults.isEmpty ? [chains.intern(.original, label: "original")] : defaults
      }
      tail.options = parsed.options
      tail.feed = parsed.feed
      guard isWhole, mistakes.isEmpty else {
        refuseTail(mistakes, in: line, source: source)
        return nil
      }
    } catch {
      refuseTail(mistakes + [error], in: line, source: source)
      return nil
    }
    if case .line = place { tails[text] = tail }
    return tail
  }

  private mutating func refuseTail(_ mistakes: [Mistake], in line: TextLine, source: Range<Int>) {
    // What is wrong with an include is wrong with the job.
    if source.isEmpty { return diagnostics.add(mistakes, in: line) }
    if let spaced = SpacedURL.mistake(in: line.bytes, source: source, mistakes: mistakes.map(\.offset)) {
      return refuse([spaced], .space, in: line)
    }
    refuse(mistakes, .chains, in: line)
  }

  /// - Parameter hasID: an ID stands in the key in place of the URL.
  mutating func note(_ source: SourceURL, at place: Int, in line: TextLine, hasID: Bool) {
    if source.isRewritten {
      let mistake = Mistake(
        place, "URL(string:) changes this URL, and before iOS 17 finds none",
        help: hasID ? nil : "the key begins with \(Mistake.quote(source.key))")
      diagnostics.add(.warning, mistake, in: line)
    }
    if source.isSuspect, !hasID { secrets.note(source.key, at: place, in: line, stripQuery) }
  }
}
