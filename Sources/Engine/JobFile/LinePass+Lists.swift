import Feeds
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
    // What a program pipes in may be nothing.
    if path == "-" { namesSource = true }
    guard let tail = tail(&scanner, for: isFeed ? .feed : .include, line) else { return }
    if isFeed { return readFeed(path, at: start, in: line, tail, body) }
    let file = PathText.joined(path, to: head.folder)
    do throws(ReadFailure) {
      var list = try JobInput.file(file).reader(within: roots)
      let place = LinePlace(
        file: file, folder: PathText.folder(of: file), tail: tail, isShown: isShown(file))
      var number = 0
      while let text = try list.next() {
        number += 1
        read(text, in: place, number: number, body)
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

  /// Whether nothing stands behind a source in a list.
  mutating func isAlone(
    _ source: Range<Int>, _ scanner: inout LineScanner, in line: TextLine, of place: LinePlace
  ) throws(Mistake) -> Bool {
    scanner.skipBlank()
    if !scanner.atEnd, place.isShown, let spaced = SpacedURL.mistake(in: line.bytes, source: source) {
      refuse([spaced], .space, in: line)
      return false
    }
    let look = scanner.atEnd ? nil : FeedFormat(lookOf: line.bytes).map(Self.feedHelp)
    try scanner.expectEnd(help: look ?? "write one URL a line, and the chains after 'include FILE'")
    // One at the end is a word of its own.
    guard place.isShown, !warnedLists.contains(place.file),
      let comma = Self.commaBehindSource(line.bytes[source]), comma + 1 < source.upperBound
    else { return true }
    warnedLists.insert(place.file)
    let mistake = Mistake(
      comma, "this list looks like CSV, and the comma is a part of the URL here", help: Self.feedHelp(.csv))
    diagnostics.add(.warning, mistake, in: line)
    return true
  }

  /// What is wrong with a line of a list that begins with no source.
  static func noSource(_ bytes: ArraySlice<UInt8>, at start: Int) -> Mistake {
    var mistake = Mistake.noSource(at: start)
    if bytes.first == UInt8(ascii: "<") { mistake.help = FeedFormat.adviceOnXML }
    if let format = FeedFormat(lookOf: bytes) {
      mistake.message += "; the list looks like \(format.title)"
      mistake.help = feedHelp(format)
    }
    return mistake
  }

  /// Why the text of a list or a catalogue is not shown.
  static func hiddenHelp(_ what: String) -> String {
    "its text is not shown, as the \(what) is outside of the job's folder; --trusted-root DIR shows it"
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
