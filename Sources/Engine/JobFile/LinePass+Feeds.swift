import ClientKit
import Feeds
import Foundation
import Syntax
import Text

/// A catalogue while it is read.
private struct Feed {
  let descriptor: Int32
  /// How messages call it.
  var name: String
  var fields: FeedFields
  /// What relative paths in it begin at; nil for one from a server, which names no files of this machine.
  var folder: String?
  var isShown: Bool
  var tail: TailCache.Tail
  /// Where it can be opened once more; nil for standard input.
  var path: String?
  /// The URL that paths in it begin at; nil where they are files, or wrong.
  var base: FeedBase?
  var paths = FeedPaths()
  var rows = 0
  /// Rows without a source, and the first of them.
  var empty: (count: Int, first: Int) = (0, 0)
}

extension Feed {
  func sources(of row: FeedRow) throws(FeedFault) -> [FieldTemplate.Text] {
    try fields.url.texts(of: row, separator: fields.separator)
  }

  /// Its name says that it is a catalogue: the names of its fields are shown then, wherever it lies.
  var isNamedAsOne: Bool { FeedFormat(path: name) != nil }

  /// It is known what paths are.
  var isSettled: Bool { base != nil || paths.kind != .unknown }
}

extension LinePass {
  /// `include FILE url=FIELD ...`: a row a source.
  mutating func readFeed(
    _ path: String, at start: Int, in line: TextLine, _ tail: TailCache.Tail,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    do throws(Mistake) {
      let fields = try FeedFields(tail.feed, path: path, at: start)
      if FeedFormat.isWeb(path), let fetched, !fetched.contains(path) {
        // For a job that has an error nothing is fetched.
        if !found.hasErrors { wantedCatalogue = path }
        return
      }
      let feed = try open(path, fields, tail, at: start, in: line)
      read(feed, at: start, in: line, body)
    } catch {
      stop(error, in: line)
    }
  }

  private mutating func open(
    _ path: String, _ fields: FeedFields, _ tail: TailCache.Tail, at start: Int, in line: TextLine
  ) throws(Mistake) -> Feed {
    if path == "-" {
      guard !standardInputIsRead, line.file != JobInput.standardInputName else {
        throw Mistake(start, "standard input can be read once", help: "write the rows into a file")
      }
      standardInputIsRead = true
      return Feed(
        descriptor: dup(STDIN_FILENO), name: JobInput.standardInputName, fields: fields, folder: head.folder,
        isShown: true, tail: tail, base: fields.base)
    }
    if FeedFormat.isWeb(path) {
      let name = URLRedaction.redacted(path)
      guard let cache = head.settings?.cache,
        let descriptor = try? LineSource.descriptor(of: FeedCopy.path(of: path, cache: cache), within: nil)
      else {
        throw Mistake(
          start, "there is no copy of \(Mistake.quote(name)) yet",
          help: "'preheat run' fetches it and keeps a copy; everything else asks no network")
      }
      return Feed(
        descriptor: descriptor, name: name, fields: fields, folder: nil, isShown: true, tail: tail,
        path: FeedCopy.path(of: path, cache: cache), base: fields.base ?? FeedBase(path))
    }
    let file = PathText.joined(path, to: head.folder)
    do throws(ReadFailure) {
      let descriptor = try LineSource.descriptor(of: file, within: roots)
      return Feed(
        descriptor: descriptor, name: file, fields: fields, folder: PathText.folder(of: file),
        isShown: isShown(file), tail: tail, path: file, base: fields.base)
    } catch {
      throw Mistake(
        start, "the catalogue \(Mistake.quote(file)) cannot be read: \(error.reason)",
        help: "paths are relative to the job file")
    }
  }

  private mutating func read(
    _ feed: Feed, at start: Int, in line: TextLine, _ body: (JobLine, ChainTable) -> Void
  ) {
    var feed = feed
    do throws(FeedFault) {
      try FeedReader.forEach(in: CatalogueText(descriptor: feed.descriptor), feed.fields.query) { event in
        switch event {
        case .row(let row):
          guard feed.fields.holds(row) else { return }
          for row in feed.isSettled ? [row] : feed.paths.take(row, (try? feed.sources(of: row)) ?? []) {
            read(row, &feed, body)
          }
        case .fault(let fault): refuse(diagnostic(.error, fault, of: feed))
        }
      }
      for row in feed.paths.finish() { read(row, &feed, body) }
    } catch {
      // What is wrong with all of it is wrong with the job: nothing tells which rows are missing.
      guard error.line == 0 else { return diagnostics.add(diagnostic(.error, error, of: feed)) }
      let help = feed.isShown ? error.help : nil
      let reason = feed.isShown ? error.message : "it is not \(feed.fields.query.format.title)"
      return stop(
        Mistake(start, "the catalogue \(Mistake.quote(feed.name)) cannot be read: \(reason)", help: help),
        in: line)
    }
    guard feed.empty.count > 0 else { return }
    let names = feed.fields.url.fields.map { Mistake.quote(feed.fields.query.fields[$0]) }.joined(
      separator: " or ")
    if feed.empty.count == feed.rows {
      let fields = fields(of: feed).prefix(12).map(Mistake.quote).joined(separator: ", ")
      let mistake = Mistake(
        start, "no row of \(Mistake.quote(feed.name)) has \(names)",
        help: "url= names the field that is the URL" + (fields.isEmpty ? "" : "; it has \(fields)"))
      return stop(mistake, in: line)
    }
    let others = feed.empty.count - 1
    let message =
      "this row has no \(names)\(others > 0 ? ", nor have \(NumberText.count(others, "other"))" : ""): left out"
    let first = TextPlace(line: feed.empty.first)
    diagnostics.add(diagnostic(.warning, FeedFault(at: first, message), of: feed))
  }

  private func diagnostic(_ severity: Diagnostic.Severity, _ fault: FeedFault, of feed: Feed) -> Diagnostic {
    let isShown = feed.isShown || severity == .warning || fault.isAboutFields && feed.isNamedAsOne
    return Diagnostic(
      severity, file: feed.name, line: max(1, fault.line), column: fault.column,
      message: isShown ? fault.message : "this row is not a source",
      help: isShown ? fault.help : Self.hiddenHelp("catalogue"))
  }

  /// The names in the first rows of a catalogue that has been read.
  private func fields(of feed: Feed) -> [String] {
    guard feed.isShown || feed.isNamedAsOne, let path = feed.path,
      let descriptor = try? LineSource.descriptor(of: path, within: feed.folder == nil ? nil : roots)
    else { return [] }
    let text = CatalogueText(descriptor: descriptor, most: FeedOutline.most)
    return (try? FeedOutline(text, feed.fields.query.format))?.fields.map(\.name) ?? []
  }

  private mutating func read(_ row: FeedRow, _ feed: inout Feed, _ body: (JobLine, ChainTable) -> Void) {
    feed.rows += 1
    do throws(FeedFault) {
      let sources = try feed.sources(of: row)
      if sources.isEmpty {
        feed.empty = (feed.empty.count + 1, feed.empty.count == 0 ? row.line : feed.empty.first)
        return
      }
      let options = try options(of: row, feed)
      // The key of each begins with it.
      try row.check(sources.count, texts: options.imageID?.utf8.count ?? 0)
      for (text, place) in sources { try read(text, at: place, of: row, feed, options, body) }
    } catch {
      refuse(diagnostic(.error, error, of: feed))
    }
  }

  private mutating func read(
    _ text: ArraySlice<UInt8>, at place: TextPlace, of row: FeedRow, _ feed: Feed, _ options: RequestOptions,
    _ body: (JobLine, ChainTable) -> Void
  ) throws(FeedFault) {
    let fault = { (mistake: Mistake) in feed.fields.fault(mistake, in: feed.fields.url, at: place) }
    let source: SourceURL
    do throws(Mistake) {
      if let separator = SeveralURLs.separator(in: text) {
        throw Mistake(
          0, "several URLs stand in this field", help: "split=\"\(separator)\" makes a source of each")
      }
      if let mistake = LineFault.first(in: text) {
        let value = feed.isShown ? Mistake.quote(String(showing: text)) + ": " : ""
        throw Mistake(mistake.offset, value + mistake.message, help: mistake.help)
      }
      let isPath = text.first == UInt8(ascii: "/") && text.dropFirst().first != UInt8(ascii: "/")
      if isPath, feed.base == nil, feed.paths.kind == .web {
        throw Mistake(
          0, "\(Mistake.quote(text)) is a path, and other rows are URLs of a server",
          help: "base=https://shop.example says what it begins at; a file of this machine begins with file://"
        )
      }
      let whole = feed.base?.resolved(text, isNamed: feed.fields.base != nil) ?? text
      source = try SourceURL(
        field: whole, at: whole.startIndex, folder: feed.folder ?? "/", table: table, roots: roots)
      guard feed.folder != nil || source.scheme.isWeb else {
        throw Mistake(0, "a catalogue from a server names https sources alone")
      }
      try source.checkTrust(roots, at: 0)
    } catch {
      throw fault(error)
    }
    guard holds(source) else { return }
    let bytes = Array(text)[...]
    let line = TextLine(
      file: feed.name, number: row.line, bytes: bytes, hiddenFrom: feed.isShown ? nil : bytes.startIndex)
    if options.imageID != nil { lint(source, options, at: bytes.startIndex, in: line) }
    note(source, at: bytes.startIndex, in: line, hasID: options.imageID != nil || !feed.isShown)
    body(
      JobLine(text: line, url: source.key, scheme: source.scheme, chains: feed.tail.chains, options: options),
      chains)
  }

  /// What a row says of its request.
  private func options(of row: FeedRow, _ feed: Feed) throws(FeedFault) -> RequestOptions {
    var options = feed.tail.options
    let fields = feed.fields
    if let value = try fields.text(fields.id, of: row) { options.imageID = value.text }
    if let value = try fields.text(fields.priority, of: row) {
      guard let priority = RequestPriority(feedText: value.text) else {
        let mistake = Mistake(
          0, "\(Mistake.quote(value.text)) is not a priority",
          help: "veryLow, low, normal, high, veryHigh, a rank from 1 (first), or a number from 0.0 to 1.0")
        throw fields.fault(mistake, in: fields.priority, at: value.place)
      }
      options.priority = priority
    }
    if let value = try fields.text(fields.expires, of: row) {
      var scanner = LineScanner(Array(QuotedText.quoted(value.text).utf8)[...])
      do throws(Mistake) {
        let expiry = try EntryExpiry.read(&scanner)
        if let mistake = expiry.mistake(at: 0, now: now) { throw mistake }
        options.expiry = expiry
      } catch {
        throw fields.fault(error, in: fields.expires, at: value.place)
      }
    }
    return options
  }
}

extension RequestPriority {
  /// A name, a rank (1 comes first), or a share from 0 to 1; nil for any other text.
  init?(feedText text: String) {
    if let named = Self.allCases.first(where: { "\($0)".lowercased() == text.lowercased() }) {
      self = named
    } else if let rank = Int(text), rank > 0 {
      self = Self.allCases[[10, 100, 1000, 10_000].count { rank <= $0 }]
    } else if let share = Double(text), (0...1).contains(share) {
      // A bound belongs to the priority that is nearer to normal.
      self = Self.allCases[[0.2, 0.4].count { share >= $0 } + [0.6, 0.8].count { share > $0 }]
    } else {
      return nil
    }
  }
}
