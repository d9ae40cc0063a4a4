import Text

/// The second reading of a job: its sources, one after the other.
struct EntryPass {
  package var diagnostics: Diagnostics
  package var chains: ChainTable
  var resolver: ChainResolver
  /// For entries that name no chain; without any they mean the original.
  package let defaults: [Int]
  package let stripQuery: [QueryPattern]
  /// What relative paths begin at.
  package let folder: String

  private var tails = TailCache()
  private var secrets = SecretNames()

  init(
    diagnostics: Diagnostics, chains: ChainTable, resolver: ChainResolver, defaults: [Int],
    stripQuery: [QueryPattern], folder: String
  ) {
    self.diagnostics = diagnostics
    self.chains = chains
    self.resolver = resolver
    self.defaults = defaults
    self.stripQuery = stripQuery
    self.folder = folder
  }

  /// A line of the job; settings were read before.
  package mutating func read(
    _ line: LineReader.Line, file: String, number: Int, _ body: (JobEntry, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = line, LineFault.first(in: bytes) == nil else { return }
    switch LineKind(bytes) {
    case .empty, .unknown: break
    case .entry(let scanner): readEntry(scanner, file: file, number: number, body)
    case .setting(.include, let scanner):
      readInclude(scanner, TextLine(file: file, number: number, bytes: bytes), body)
    case .setting: break
    }
  }

  package mutating func finish() {
    secrets.report(&diagnostics)
    resolver.reportFindings(&diagnostics)
  }

  private mutating func readEntry(
    _ scanner: LineScanner, file: String, number: Int, _ body: (JobEntry, ChainTable) -> Void
  ) {
    var scanner = scanner
    let start = scanner.position
    var line = TextLine(file: file, number: number, bytes: scanner.bytes)
    let source: SourceURL
    do throws(Mistake) {
      source = try SourceURL(&scanner, folder: folder)
    } catch {
      var word = LineScanner(line.bytes, at: start)
      line.hiddenFrom = SettingsPass.headerName(word.word())
      return diagnostics.add(.error, error, in: line)
    }
    note(source, at: start, in: line)
    guard let tail = tail(&scanner, for: .entry, line) else { return }
    body(
      JobEntry(
        file: file, line: number, url: source.key, scheme: source.scheme, chains: tail.chains,
        options: tail.options), chains)
  }

  /// Chains and options behind a source; nil when something is wrong with them.
  private mutating func tail(
    _ scanner: inout LineScanner, for place: EntryTail.Place, _ line: TextLine
  ) -> TailCache.Tail? {
    let text = scanner.bytes[scanner.position...]
    if case .entry = place, let known = tails[text] { return known }
    var mistakes: [Mistake] = []
    var tail = TailCache.Tail(chains: [], options: .none)
    do throws(Mistake) {
      let parsed = try EntryTail(&scanner, for: place, &mistakes)
      if case .nuke = resolver.dialect, let offset = parsed.expiryOffset {
        mistakes.append(
          Mistake(
            offset, "'expires=' belongs to kingfisher, and the client is nuke",
            help: "Nuke's cache has no expiry; take it out"))
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
          defaults.isEmpty ? [chains.intern(resolver.dialect.original, label: "original")] : defaults
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
    if case .entry = place { tails[text] = tail }
    return tail
  }

  private mutating func note(_ source: SourceURL, at place: Int, in line: TextLine) {
    if source.isRewritten {
      let mistake = Mistake(
        place, "URL(string:) changes this URL, and before iOS 17 finds none",
        help: "the key begins with \(Mistake.quote(source.key))")
      diagnostics.add(.warning, mistake, in: line)
    }
    if source.isSuspect { secrets.note(source.key, at: place, in: line, stripQuery) }
  }
}

extension EntryPass {
  /// `include FILE chains options`: a plain list of sources.
  private mutating func readInclude(
    _ scanner: LineScanner, _ line: TextLine, _ body: (JobEntry, ChainTable) -> Void
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
    _ body: (JobEntry, ChainTable) -> Void
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
      switch LineKind(bytes) {
      case .empty: return
      case .entry(var scanner):
        let start = scanner.position
        do throws(Mistake) {
          let source = try SourceURL(&scanner, folder: folder)
          try scanner.expectEnd(help: "a list has one URL a line; its chains stand behind 'include FILE'")
          note(source, at: start, in: line)
          return body(
            JobEntry(
              file: file, line: number, url: source.key, scheme: source.scheme, chains: tail.chains,
              options: tail.options), chains)
        } catch {
          mistake = error
        }
      case .setting(let keyword, let scanner):
        let start = scanner.position - keyword.rawValue.utf8.count
        mistake = Mistake(
          start, "'\(keyword.rawValue)' cannot stand in a list",
          help: keyword == .include ? "lists include no other lists" : "settings belong in the job file")
      case .unknown(let word):
        mistake = Mistake(
          word.startIndex, "\(Mistake.quote(word)) is no URL and no path",
          help: "a URL begins with https://, a path with /, ./ or ../")
      }
    }
    line.hiddenFrom = SettingsPass.secretStart(bytes)
    if let mistake { diagnostics.add(.error, mistake, in: line) }
  }
}
