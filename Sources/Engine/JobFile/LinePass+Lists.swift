import Settings
import Syntax
import Text

extension LinePass {
  /// `include FILE chains options`: a plain list of sources.
  mutating func readInclude(
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
    do throws(ReadFailure) {
      let source = try LineSource(.file(file), within: roots)
      let isShown = isShown(file)
      try source.forEachLine { readListed($0, of: file, isShown: isShown, number: $1, tail, body) }
    } catch {
      let mistake = Mistake(
        start, "the list \(Mistake.quote(file)) cannot be read: \(error.reason)",
        help: "paths are relative to the job file")
      diagnostics.add(.error, mistake, in: line)
    }
  }

  /// A list that lies elsewhere may be any file that its reader can read, and what is written in it a secret.
  private func isShown(_ file: String) -> Bool {
    (roots ?? (try? TrustedRoots([folder])))?.holds(file) ?? false
  }

  private mutating func readListed(
    _ text: LineReader.Line, of file: String, isShown: Bool, number: Int, _ tail: TailCache.Tail,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = text else {
      let mistake = Mistake(0, "this line is longer than 1 MiB", help: "is this a list of URLs?")
      return refuse([mistake], .text, in: TextLine(file: file, number: number, bytes: []))
    }
    if skips(bytes) { return }
    // Another line may be a password, of a file that is not a list.
    var line = TextLine(file: file, number: number, bytes: bytes, hiddenFrom: bytes.startIndex)
    if let fault = LineFault.first(in: bytes) { return refuse([fault], .text, in: line) }
    switch LineKind(bytes, table) {
    case .empty: return
    case .source(var scanner):
      let start = scanner.position
      if isShown { line.hiddenFrom = SettingsPass.secretStart(bytes, table) }
      do throws(Mistake) {
        let source = try readSource(&scanner, folder: PathText.folder(of: file))
        let sourceEnd = scanner.position
        scanner.skipBlank()
        if !scanner.atEnd, isShown, let spaced = SpacedURL.mistake(in: bytes, source: start..<sourceEnd) {
          return refuse([spaced], .space, in: line)
        }
        try scanner.expectEnd(help: "write one URL a line, and the chains after 'include FILE'")
        guard holds(source) else { return }
        note(source, at: start, in: line, hasID: !isShown)
        body(
          JobLine(
            text: line, url: source.key, scheme: source.scheme, chains: tail.chains, options: tail.options),
          chains)
      } catch {
        let hidden = Mistake(
          error.offset, "this line is not a source",
          help:
            "its text is not shown, as the list is outside of the job's folder; --trusted-root DIR shows it")
        refuse([isShown ? error : hidden], .source, in: line)
      }
    case .setting(let row, let scanner):
      let start = line.wordStart(before: scanner.position)
      let mistake = Mistake(
        start, "'\(row.name)' cannot stand in a list",
        help: row.name == JobRows.Structure.include.rawValue
          ? "lists include no other lists" : "settings belong in the job file")
      refuse([mistake], .source, in: line)
    case .unknown(let word):
      refuse([.noSource(at: word.startIndex)], .source, in: line)
    }
  }
}
