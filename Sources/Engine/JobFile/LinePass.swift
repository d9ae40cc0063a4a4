import Bodies
import ClientKit
import Foundation
import Syntax
import Text

/// Where lines stand: in the job, or in a list that it includes.
struct LinePlace {
  /// How reports call it.
  var file: String
  /// What relative paths in it begin at.
  var folder: String
  /// What `include` says of all sources of a list; the job's own lines say it themselves.
  var tail: TailCache.Tail?
  /// Whether lines that are wrong may be shown.
  var isShown = true

  var isList: Bool { tail != nil }

  /// A line that is wrong. Of a list one without a source is not shown: a file that was included by mistake may hold
  /// passwords.
  func line(_ number: Int, _ bytes: ArraySlice<UInt8>, _ kind: LineKind) -> TextLine {
    let mayBeShown = if case .source = kind { isShown } else { !isList }
    return TextLine(file: file, number: number, bytes: bytes, isShown: mayBeShown && !kind.mayHoldSecret)
  }
}

/// Reads the lines of a job that name sources, one after the other.
struct LinePass {
  /// What was found in the head, and in the lines.
  var diagnostics: Diagnostics
  var chains: ChainTable
  var resolver: ChainResolver
  let head: JobHead
  var table: SettingTable { head.given.table }
  /// What dates of expiry are compared with.
  let now: Date
  /// The folders that lists and local sources have to lie in; nil for anywhere.
  var roots: TrustedRoots? { head.given.trust.roots }
  /// Whether a line that is wrong is left out.
  private let leavesOut: Bool
  /// Catalogues on servers whose copies can be read; nil for all of them.
  var fetched: Set<String>?
  /// One that has to be fetched before its line can be read.
  var wantedCatalogue: String?
  var standardInputIsRead = false
  private(set) var skipped = SkippedLines()
  /// Whether a line names a source, of this part of the job or of another one.
  var namesSource = false

  /// Settings below a source, and mistakes of the head; nil where all settings are in their place.
  private var misplaced: Diagnostics?
  private let filter: Shard?
  private var tails = TailCache()
  private var secrets = SecretNames()

  /// - Parameter isStrict: no line is left out.
  init(_ head: JobHead, isStrict: Bool = false) {
    self.head = head
    leavesOut = head.skipsInvalid && !isStrict
    filter = head.given.shard
    (diagnostics, chains, resolver) = (head.diagnostics, head.chains, head.resolver)
    now = RunDate(environment: head.given.environment).start
  }

  /// Everything that was found. Where settings stand below a source, what else is wrong may follow from that.
  var found: Diagnostics { misplaced ?? diagnostics }

  /// What is wrong with a line that names a source. A line that is left out is reported once, by its first mistake.
  mutating func refuse(_ mistakes: [Mistake], _ code: SkippedLine.Code, in line: TextLine) {
    guard leavesOut else { return diagnostics.add(mistakes, in: line) }
    guard let first = mistakes.min(by: { $0.offset < $1.offset }) else { return }
    skipped.add(code, line.diagnostic(.error, first))
  }

  /// The same of a row of a catalogue.
  mutating func refuse(_ diagnostic: Diagnostic) {
    if leavesOut { skipped.add(.source, diagnostic) } else { diagnostics.add(diagnostic) }
  }

  /// What is wrong with all that an `include` names: it stops the job, but no stream.
  mutating func stop(_ mistake: Mistake, in line: TextLine) { stop([mistake], in: line) }

  private mutating func stop(_ mistakes: [Mistake], in line: TextLine) {
    guard head.given.isStream else { return diagnostics.add(mistakes, in: line) }
    refuse(mistakes, .source, in: line)
  }

  /// The same at a place in a catalogue.
  mutating func stop(_ diagnostic: Diagnostic) {
    if head.given.isStream { refuse(diagnostic) } else { diagnostics.add(diagnostic) }
  }

  mutating func read(
    _ text: LineReader.Line, in place: LinePlace, number: Int, _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = text else {
      let mistake = Mistake(0, "this line is longer than 1 MiB", help: "is this a job or a list of URLs?")
      return refuse([mistake], .text, in: TextLine(file: place.file, number: number, bytes: []))
    }
    if skips(bytes) { return }
    let kind = LineKind(bytes, table)
    if let fault = LineFault.first(in: bytes) {
      return refuse([fault], .text, in: place.line(number, bytes, kind))
    }
    switch kind {
    case .empty: break
    case .source(let scanner): readSource(scanner, in: place, number: number, body)
    case .unknown(let word):
      let mistake =
        place.isList
        ? Mistake(word.startIndex, "this is neither a URL nor a path", help: Self.listHelp)
        : UnknownLine(word, of: bytes, table, client: head.clientName).mistake
      refuse([mistake], .source, in: place.line(number, bytes, kind))
    case .setting(let row, let scanner):
      let isInclude = row.name == JobRows.Structure.include.rawValue
      if isInclude, !place.isList {
        return readNamed(scanner, TextLine(file: place.file, number: number, bytes: bytes), body)
      }
      let line = place.line(number, bytes, kind)
      let start = line.wordStart(before: scanner.position)
      if place.isList {
        let mistake = Mistake(
          start, "'\(row.name)' cannot stand in a list",
          help: isInclude ? "lists include no other lists" : "settings belong in the job file")
        return refuse([mistake], .source, in: line)
      }
      let mistake = Mistake(
        start, "'\(row.name)' stands below a source",
        help: "move it above line \(head.firstSource ?? 1): settings and chains come first")
      if head.given.isStream { return refuse([mistake], .source, in: line) }
      misplaced = misplaced ?? head.mistakes
      misplaced?.add(.error, mistake, in: line)
    }
  }

  mutating func finish() {
    secrets.report(&diagnostics)
    resolver.reportFindings(&diagnostics, isPart: head.given.shard != nil || head.given.isStream)
  }

  private mutating func readSource(
    _ scanner: LineScanner, in place: LinePlace, number: Int, _ body: (JobLine, ChainTable) -> Void
  ) {
    var scanner = scanner
    let start = scanner.position
    var line = TextLine(file: place.file, number: number, bytes: scanner.bytes, isShown: place.isShown)
    let source: SourceURL
    do throws(Mistake) {
      source = try Self.source(&scanner, in: place.folder, table, roots)
      let end = scanner.position
      if place.isList, try !isAlone(start..<end, &scanner, in: line, of: place) { return }
    } catch {
      guard place.isShown else {
        let hidden = Mistake(error.offset, "this line is not a source", help: Self.hiddenHelp("list"))
        return refuse([hidden], .source, in: line)
      }
      line.isShown = !LineKind(line.bytes, table).mayHoldSecret
      return refuse([error], .source, in: line)
    }
    guard holds(source) else { return }
    guard let tail = place.tail ?? tail(&scanner, for: .line, line, source: start..<scanner.position) else {
      return
    }
    if !place.isList { lint(source, tail.options, at: start, in: line) }
    note(source, at: start, in: line, hasID: tail.options.imageID != nil || !place.isShown)
    body(
      JobLine(
        text: line, url: source.key, scheme: source.scheme, chains: tail.chains, options: tail.options),
      chains)
  }

  /// Whether a line of another part of the job can be left out without reading more of it than its URL. False for
  /// every line that is written in an unusual way: those are read in full first.
  private mutating func skips(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let filter, bytes.first == UInt8(ascii: "h") else { return false }
    let word = bytes.prefix { !LineScanner.isSpace($0) }
    guard SourceURL.isPlain(word), !filter.holds(word) else { return false }
    namesSource = true
    return true
  }

  /// Reads a list or a catalogue, and warns where it names no source.
  private mutating func readNamed(
    _ scanner: LineScanner, _ line: TextLine, _ body: (JobLine, ChainTable) -> Void
  ) {
    let (before, faults) = (namesSource, skipped.count + found.errorCount)
    namesSource = false
    readInclude(scanner, line, body)
    if !namesSource, wantedCatalogue == nil, skipped.count + found.errorCount == faults, !head.allowsEmpty {
      let mistake = Mistake(
        scanner.position, "this list names no source", help: "allow-empty on, if that is right")
      diagnostics.add(.warning, mistake, in: line)
    }
    namesSource = namesSource || before
  }

  /// Whether a source is of the part of the job that is read.
  mutating func holds(_ source: SourceURL) -> Bool {
    namesSource = true
    return filter?.holds(ArraySlice(source.key.utf8)) ?? true
  }

  /// What the client's release makes of a source that is hardly meant.
  mutating func lint(_ source: SourceURL, _ options: RequestOptions, at place: Int, in line: TextLine) {
    let client = resolver.dialect?.judge(of: options.settings)
    let lint = client?.lint(.source(url: source.key, source.scheme, options), at: place)
    if let lint { resolver.note([lint], in: line) }
  }

  /// A source that the job may use. Static, since a call on the pass itself would copy it for each line.
  static func source(
    _ scanner: inout LineScanner, in folder: String, _ table: SettingTable, _ roots: TrustedRoots?
  ) throws(Mistake) -> SourceURL {
    let start = scanner.position
    let source = try SourceURL(&scanner, folder: folder, table: table, roots: roots)
    try source.checkTrust(roots, at: start)
    return source
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
    var isWhole = true
    var tail = TailCache.Tail(chains: [], options: .none)
    do throws(Mistake) {
      let parsed = try LineTail(&scanner, for: place, table, &mistakes)
      mistakes += resolver.dialect?.mistakes(in: parsed) ?? []
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
      var known: Set<Int> = []
      for syntax in parsed.chains {
        let own = parsed.options.settings
        if let index = resolver.index(of: syntax, in: line, table: &chains, with: own, &mistakes) {
          if known.insert(index).inserted { tail.chains.append(index) }
        } else {
          isWhole = false
        }
      }
      if parsed.chains.isEmpty {
        tail.chains = head.defaults.isEmpty ? [chains.intern(.original, label: "original")] : head.defaults
      }
      tail.options = parsed.options
      tail.feed = parsed.feed
    } catch {
      mistakes.append(error)
    }
    guard isWhole, mistakes.isEmpty else {
      refuseTail(mistakes, in: line, source: source)
      return nil
    }
    if case .line = place { tails[text] = tail }
    return tail
  }

  private mutating func refuseTail(_ mistakes: [Mistake], in line: TextLine, source: Range<Int>) {
    // What is wrong with an include is wrong with the job.
    if source.isEmpty { return stop(mistakes, in: line) }
    if let spaced = SpacedURL.mistake(in: line.bytes, source: source) {
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
    if let oddity = source.oddity {
      resolver.note([Mistake(place, oddity.message, help: oddity.help)], in: line)
    }
    if source.isSuspect, !hasID { secrets.note(source.key, at: place, in: line, head.stripQuery) }
  }
}

extension SourceURL {
  /// Whether a job may read a file.
  func checkTrust(_ roots: TrustedRoots?, at place: Int) throws(Mistake) {
    guard scheme == .file, let roots, !(PathText.path(ofFileURL: key).map(roots.holds) ?? false) else {
      return
    }
    throw Mistake(
      place, "this file is outside of the trusted folders", help: "--trusted-root DIR allows a folder")
  }
}
