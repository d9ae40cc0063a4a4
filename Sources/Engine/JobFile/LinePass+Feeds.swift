import ClientKit
import Feeds
import Foundation
import Syntax
import Text

/// A catalogue while it is read.
private struct Feed {
  /// How messages call it.
  let name: String
  let fields: FeedFields
  let tail: TailCache.Tail
  /// What relative paths in it begin at; nil for one from a server, which names no files of this machine.
  let folder: String?
  /// The URL that paths in it begin at; nil where they are files.
  let base: FeedBase?
  let isShown: Bool
  var rows = 0
  /// Rows without a source, and the first of them.
  var empty = (count: 0, first: 0)

  func diagnostic(_ severity: Diagnostic.Severity, _ fault: FeedFault) -> Diagnostic {
    Diagnostic(
      severity, file: name, line: max(1, fault.line), column: fault.column,
      message: isShown || severity == .warning ? fault.message : "this row is not a source",
      help: isShown ? fault.help : LinePass.hiddenHelp("catalogue"))
  }
}

extension LinePass {
  /// `include FILE url=FIELD ...`: a row a source.
  mutating func readFeed(
    _ path: String, at start: Int, in line: TextLine, _ tail: TailCache.Tail,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    let isWeb = FeedFormat.isWeb(path)
    do throws(Mistake) {
      let fields = try FeedFields(tail.feed, path: path, at: start)
      if isWeb, let fetched, !fetched.contains(path) {
        // For a job that has an error nothing is fetched.
        if !found.hasErrors { wantedCatalogue = path }
        return
      }
      let isInput = path == "-"
      let file = isInput ? JobInput.standardInputName : PathText.joined(path, to: head.folder)
      let feed = Feed(
        name: isWeb ? URLRedaction.redacted(path) : file, fields: fields, tail: tail,
        folder: isWeb ? nil : isInput ? head.folder : PathText.folder(of: file),
        base: fields.base ?? (isWeb ? FeedBase(path) : nil), isShown: isWeb || isInput || isShown(file))
      read(feed, try open(path, as: feed.name, at: start, in: line), at: start, in: line, body)
    } catch {
      stop(error, in: line)
    }
  }

  private mutating func open(
    _ path: String, as name: String, at start: Int, in line: TextLine
  ) throws(Mistake) -> Int32 {
    if path == "-" {
      guard !standardInputIsRead, line.file != name else {
        throw Mistake(start, "standard input can be read once", help: "write the rows into a file")
      }
      standardInputIsRead = true
      return dup(STDIN_FILENO)
    }
    if FeedFormat.isWeb(path) {
      if let cache = head.settings?.cache,
        let copy = try? LineSource.descriptor(of: FeedCopy.path(of: path, cache: cache), within: nil)
      {
        return copy
      }
      throw Mistake(
        start, "there is no copy of \(Mistake.quote(name)) yet",
        help: "'preheat run' fetches it and keeps a copy; everything else asks no network")
    }
    do throws(ReadFailure) { return try LineSource.descriptor(of: name, within: roots) } catch {
      throw Mistake(
        start, "the catalogue \(Mistake.quote(name)) cannot be read: \(error.reason)",
        help: "paths are relative to the job file")
    }
  }

  private mutating func read(
    _ feed: Feed, _ descriptor: Int32, at start: Int, in line: TextLine,
    _ body: (JobLine, ChainTable) -> Void
  ) {
    var feed = feed
    do throws(FeedFault) {
      try FeedReader.forEach(in: CatalogueText(descriptor: descriptor), feed.fields.query) { event in
        switch event {
        case .success(let row): if feed.fields.holds(row) { read(row, &feed, body) }
        case .failure(let fault): refuse(feed.diagnostic(.error, fault))
        }
      }
    } catch {
      // What is wrong with all of it is wrong with the job: nothing tells which rows are missing.
      guard error.line == 0 else { return stop(feed.diagnostic(.error, error)) }
      let reason = feed.isShown ? ": \(error.message)" : ""
      let mistake = Mistake(
        start, "the catalogue \(Mistake.quote(feed.name)) cannot be read\(reason)",
        help: feed.isShown ? error.help : nil)
      return stop(mistake, in: line)
    }
    guard feed.empty.count > 0 else { return }
    let names = feed.fields.names(of: .url).joined(separator: " or ")
    if feed.empty.count == feed.rows {
      let mistake = Mistake(
        start, "no row of \(Mistake.quote(feed.name)) has \(names)",
        help: "url= names the field that is the URL")
      return stop(mistake, in: line)
    }
    let others = feed.empty.count > 1 ? ", nor have \(NumberText.count(feed.empty.count - 1, "other"))" : ""
    let first = TextPlace(line: feed.empty.first)
    diagnostics.add(
      feed.diagnostic(.warning, FeedFault(at: first, "this row has no \(names)\(others): left out")))
  }

  private mutating func read(_ row: FeedRow, _ feed: inout Feed, _ body: (JobLine, ChainTable) -> Void) {
    feed.rows += 1
    do throws(FeedFault) {
      let sources = try feed.fields.sources(of: row)
      if sources.isEmpty {
        feed.empty = (feed.empty.count + 1, feed.empty.count == 0 ? row.line : feed.empty.first)
        return
      }
      let options = try options(of: row, feed)
      // The key of each begins with it.
      try row.check(sources.count, texts: options.imageID?.utf8.count ?? 0)
      for (text, place) in sources {
        do throws(Mistake) { try read(text, of: row, feed, options, body) } catch {
          throw feed.fields.fault(error, in: .url, at: place)
        }
      }
    } catch {
      refuse(feed.diagnostic(.error, error))
    }
  }

  private mutating func read(
    _ text: ArraySlice<UInt8>, of row: FeedRow, _ feed: Feed, _ options: RequestOptions,
    _ body: (JobLine, ChainTable) -> Void
  ) throws(Mistake) {
    if text.holdsSeveralURLs {
      throw Mistake(
        0, "several URLs stand in this field",
        help: "split=\",\" makes a source of each, with what stands between them; split=lines for line ends")
    }
    if let mistake = LineFault.first(in: text) {
      throw Mistake(
        mistake.offset, "\(Mistake.quote(String(showing: text))): \(mistake.message)", help: mistake.help)
    }
    let whole = feed.base?.resolved(text, isNamed: feed.fields.base != nil) ?? text
    let source = try SourceURL(
      field: whole, at: whole.startIndex, folder: feed.folder ?? "/", table: table, roots: roots)
    guard feed.folder != nil || source.scheme != .file else {
      throw Mistake(0, "a catalogue from a server names no files of this machine")
    }
    try source.checkTrust(roots, at: 0)
    guard holds(source) else { return }
    let line = TextLine(
      file: feed.name, number: row.line, bytes: Array(text)[...], isShown: feed.isShown)
    if options.imageID != nil { lint(source, options, at: 0, in: line) }
    note(source, at: 0, in: line, hasID: options.imageID != nil || !feed.isShown)
    body(
      JobLine(text: line, url: source.key, scheme: source.scheme, chains: feed.tail.chains, options: options),
      chains)
  }

  /// What a row says of its request.
  private func options(of row: FeedRow, _ feed: Feed) throws(FeedFault) -> RequestOptions {
    var options = feed.tail.options
    let fields = feed.fields
    if let value = try fields.text(.id, of: row) { options.imageID = value.text }
    if let value = try fields.text(.priority, of: row) {
      guard let priority = RequestPriority(feedText: value.text) else {
        let mistake = Mistake(
          0, "\(Mistake.quote(value.text)) is not a priority",
          help: "veryLow, low, normal, high, veryHigh, a rank from 1 (first), or a number from 0.0 to 1.0")
        throw fields.fault(mistake, in: .priority, at: value.place)
      }
      options.priority = priority
    }
    if let value = try fields.text(.expires, of: row) {
      var scanner = LineScanner(Array(QuotedText.quoted(value.text).utf8)[...])
      do throws(Mistake) {
        let expiry = try EntryExpiry.read(&scanner)
        if let mistake = expiry.mistake(at: 0, now: now) { throw mistake }
        options.expiry = expiry
      } catch {
        throw fields.fault(error, in: .expires, at: value.place)
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
