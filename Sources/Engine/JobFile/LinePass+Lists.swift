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
    try scanner.expectEnd(help: Self.listHelp)
    return true
  }

  static let listHelp =
    "one URL a line, and the chains after 'include FILE'; docs/catalogues.md tells of CSV, JSON and XML"

  /// Why the text of a list or a catalogue is not shown.
  static func hiddenHelp(_ what: String) -> String {
    "its text is not shown, as the \(what) is outside of the job's folder; --trusted-root DIR shows it"
  }
}
