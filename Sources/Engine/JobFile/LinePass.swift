import ClientKit
import Foundation
import Settings
import Syntax
import Text

/// The second reading of a job: its sources, one after the other.
struct LinePass {
  var diagnostics: Diagnostics
  var chains: ChainTable
  var resolver: ChainResolver
  /// For job lines that name no chain; without any they mean the original.
  let defaults: [Int]
  let stripQuery: [QueryPattern]
  /// What relative paths begin at.
  let folder: String
  let table: SettingTable
  /// What dates of expiry are compared with.
  let now: Date

  private var tails = TailCache()
  private var secrets = SecretNames()

  init(
    diagnostics: Diagnostics, chains: ChainTable, resolver: ChainResolver, defaults: [Int],
    stripQuery: [QueryPattern], folder: String, table: SettingTable, now: Date
  ) {
    self.diagnostics = diagnostics
    self.chains = chains
    self.resolver = resolver
    self.defaults = defaults
    self.stripQuery = stripQuery
    self.folder = folder
    self.table = table
    self.now = now
  }

  /// A line of the job; settings were read before.
  mutating func read(
    _ line: LineReader.Line, file: String, number: Int, _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = line, LineFault.first(in: bytes) == nil else { return }
    switch LineKind(bytes, table) {
    case .empty, .unknown: break
    case .source(let scanner): readSource(scanner, file: file, number: number, body)
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
      source = try SourceURL(&scanner, folder: folder, table: table)
    } catch {
      var word = LineScanner(line.bytes, at: start)
      line.hiddenFrom = SettingsPass.headerName(word.word())
      return diagnostics.add(.error, error, in: line)
    }
    guard let tail = tail(&scanner, for: .line, line) else { return }
    if let lint = resolver.dialect?.lint(ofSource: source, options: tail.options, at: start) {
      resolver.note([lint], in: line)
    }
    note(source, at: start, in: line, hasID: tail.options.imageID != nil)
    body(
      JobLine(
        file: file, line: number, url: source.key, scheme: source.scheme, chains: tail.chains,
        options: tail.options), chains)
  }

  /// Chains and options behind a source; nil when something is wrong with them.
  private mutating func tail(
    _ scanner: inout LineScanner, for place: LineTail.Place, _ line: TextLine
  ) -> TailCache.Tail? {
    let text = scanner.bytes[scanner.position...]
    if case .line = place, let known = tails[text] { return known }
    var mistakes: [Mistake] = []
    var tail = TailCache.Tail(chains: [], options: .none)
    do throws(Mistake) {
      let parsed = try LineTail(&scanner, for: place, &mistakes)
      if let offset = parsed.expiryOffset, let client = resolver.dialect?.client,
        client.folder.expiry == .none
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
      for syntax in parsed.chains {
        if let index = resolver.index(of: syntax, in: line, table: &chains, &mistakes) {
          if !tail.chains.contains(index) { tail.chains.append(index) }
        } else {
          isWhole = false
        }
      }
      if parsed.chains.isEmpty {
        tail.chains =
          defaults.isEmpty ? [chains.intern(.original, label: "original")] : defaults
      }
      tail.options = parsed.options
      guard isWhole, mistakes.isEmpty else {
        diagnostics.add(mistakes, in: line)
        return nil
      }
    } catch {
      diagnostics.add(mistakes + [error], in: line)
      return nil
    }
    if case .line = place { tails[text] = tail }
    return tail
  }

  /// - Parameter hasID: an ID stands in the key in place of the URL.
  private mutating func note(_ source: SourceURL, at place: Int, in line: TextLine, hasID: Bool) {
    if source.isRewritten {
      let mistake = Mistake(
        place, "URL(string:) changes this URL, and before iOS 17 finds none",
        help: hasID ? nil : "the key begins with \(Mistake.quote(source.key))")
      diagnostics.add(.warning, mistake, in: line)
    }
    if source.isSuspect, !hasID { secrets.note(source.key, at: place, in: line, stripQuery) }
  }
}

extension LinePass {
  /// `include FILE chains options`: a plain list of sources.
  private mutating func readInclude(
    _ scanner: LineScanner, _ line: TextLine, _ body: (JobLine, ChainTable) -> Void
  ) {
    var scanner = scanner
    scanner.skipBlank()
    let start = scanner.position
    // The first reading has reported it.
    if scanner.atEnd { return }
    let path: String
    do throws(Mistake) { path = try scanner.wordOrQuoted() } catch {
      return diagnostics.add(.error, error, in: line)
    }
    let file = PathText.joined(path, to: folder)
    guard let tail = tail(&scanner, for: .include, line) else { return }
    let listFolder = PathText.folder(of: file)
    do throws(ReadFailure) {
      try LineSource(.file(file)).forEachLine { text, number in
        readListed(text, file: file, number: number, folder: listFolder, tail, body)
      }
    } catch {
      let mistake = Mistake(
        start, "the list \(Mistake.quote(file)) cannot be read: \(error.reason)",
        help: "paths are relative to the job file")
      diagnostics.add(.error, mistake, in: line)
    }
  }

  private mutating func readListed(
    _ text: LineReader.Line, file: String, number: Int, folder: String, _ tail: TailCache.Tail,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = text else {
      let mistake = Mistake(0, "this line is longer than 1 MiB", help: "is this a list of URLs?")
      return diagnostics.add(.error, mistake, in: TextLine(file: file, number: number, bytes: []))
    }
    var line = TextLine(file: file, number: number, bytes: bytes)
    var mistake: Mistake?
    if let fault = LineFault.first(in: bytes) {
      mistake = fault
    } else {
      switch LineKind(bytes, table) {
      case .empty: return
      case .source(var scanner):
        let start = scanner.position
        do throws(Mistake) {
          let source = try SourceURL(&scanner, folder: folder, table: table)
          try scanner.expectEnd(help: "a list has one URL a line; its chains stand behind 'include FILE'")
          note(source, at: start, in: line, hasID: false)
          return body(
            JobLine(
              file: file, line: number, url: source.key, scheme: source.scheme, chains: tail.chains,
              options: tail.options), chains)
        } catch {
          mistake = error
        }
      case .setting(let row, let scanner):
        let start = line.wordStart(before: scanner.position)
        mistake = Mistake(
          start, "'\(row.name)' cannot stand in a list",
          help: row.name == JobRows.Structure.include.rawValue
            ? "lists include no other lists" : "settings belong in the job file")
      case .unknown(let word):
        mistake = Mistake(
          word.startIndex, "\(Mistake.quote(word)) is no URL and no path",
          help: "a URL begins with https://, a path with /, ./ or ../")
      }
    }
    line.hiddenFrom = SettingsPass.secretStart(bytes, table)
    if let mistake { diagnostics.add(.error, mistake, in: line) }
  }
}
