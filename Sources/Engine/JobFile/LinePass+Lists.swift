import Feeds
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
    if scanner.atEnd {
      let example = table.row(named: JobRows.Structure.include.rawValue)?.example
      return stop(Mistake(line.wordStart(before: start), "'include' needs a value", help: example), in: line)
    }
    let path: String
    do throws(Mistake) { path = try scanner.wordOrQuoted() } catch {
      return stop(error, in: line)
    }
    let isFeed =
      FeedFormat(path: path) != nil || FeedFormat.isWeb(path) || path == "-" || names(.url, scanner)
      || names(.format, scanner)
    guard let tail = tail(&scanner, for: isFeed ? .feed : .include, line) else { return }
    if isFeed { return readFeed(path, at: start, in: line, tail, body) }
    let file = PathText.joined(path, to: head.folder)
    do throws(ReadFailure) {
      var list = try JobInput.file(file).reader(within: roots)
      let isShown = isShown(file)
      var number = 0
      while let text = try list.next() {
        number += 1
        readListed(text, of: file, isShown: isShown, number: number, tail, body)
      }
    } catch {
      let mistake = Mistake(
        start, "the list \(Mistake.quote(file)) cannot be read: \(error.reason)",
        help: "paths are relative to the job file")
      stop(mistake, in: line)
    }
  }

  /// Whether an option stands in the rest of a line.
  private func names(_ option: FeedOption, _ rest: LineScanner) -> Bool {
    rest.bytes[rest.position...].split { LineScanner.isSpace($0) }.contains {
      $0.starts(with: "\(option.rawValue)=".utf8)
    }
  }

  /// A list that lies elsewhere may be any file that its reader can read, and what is written in it a secret.
  func isShown(_ file: String) -> Bool {
    (roots ?? (try? TrustedRoots([head.folder])))?.holds(file) ?? false
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
        let source = try Self.source(&scanner, in: PathText.folder(of: file), table, roots)
        let sourceEnd = scanner.position
        scanner.skipBlank()
        if !scanner.atEnd, isShown, let spaced = SpacedURL.mistake(in: bytes, source: start..<sourceEnd) {
          return refuse([spaced], .space, in: line)
        }
        let look = FeedFormat(lookOf: bytes).map(Self.feedHelp)
        try scanner.expectEnd(help: look ?? "write one URL a line, and the chains after 'include FILE'")
        guard holds(source) else { return }
        if isShown, !tellsCatalogues.contains(file),
          let comma = Self.commaBehindSource(bytes[start..<sourceEnd])
        {
          tellsCatalogues.insert(file)
          let mistake = Mistake(
            comma, "this list looks like CSV, and the comma is a part of the URL here",
            help: Self.feedHelp(.csv))
          diagnostics.add(.warning, mistake, in: line)
        }
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
      var mistake = Mistake.noSource(at: word.startIndex)
      if bytes.first == UInt8(ascii: "<") { mistake.help = FeedFormat.adviceOnXML }
      if let format = FeedFormat(lookOf: bytes) {
        mistake.message += "; the list looks like \(format.title)"
        mistake.help = Self.feedHelp(format)
      }
      refuse([mistake], .source, in: line)
    }
  }

  private static func feedHelp(_ format: FeedFormat) -> String {
    "a catalogue: include FILE format=\(format.rawValue) url=FIELD, with the name of the field that is the URL"
  }

  /// The comma of `https://e.com/1.jpg,card`. Many servers of pictures have commas within a path.
  private static func commaBehindSource(_ url: ArraySlice<UInt8>) -> Int? {
    guard let comma = url.firstIndex(of: UInt8(ascii: ",")),
      !url[comma...].contains(UInt8(ascii: "/")), !url.contains(UInt8(ascii: "?")),
      let dot = url[..<comma].suffix(6).lastIndex(of: UInt8(ascii: ".")),
      !url[dot..<comma].contains(UInt8(ascii: "/"))
    else { return nil }
    return comma
  }
}
