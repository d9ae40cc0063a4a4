import FileStore
import Foundation
import Text

/// The page of a run: HTML that needs no network and no server. Pictures lie in a folder and the list's data in a file
/// beside it where they are many.
package struct ReportPage: Sendable {
  package static let file = "index.html"
  /// Where the pictures lie; everything in it is replaced.
  package static let pictures = "preheat-pictures"
  /// The rest of the list, as data.
  package static let data = "preheat-data.js"

  package let record: RunRecord
  let list: RenditionList
  /// Whether any lie in ``pictures``.
  let hasPictures: Bool

  /// Writes `index.html` into a folder, which is created where it is missing.
  ///
  /// - Returns: The page's path.
  @discardableResult
  package static func write(
    _ record: RunRecord, to folder: URL, calls: FileCalls = .system
  ) throws(ReportFailure) -> URL {
    do {
      try ReportWriter(record, folder: folder, calls: calls).write()
      return folder.appendingPathComponent(file)
    } catch {
      let reason = (error as? FileStoreError)?.description ?? (error as? SystemCall.Failure)?.message
      throw ReportFailure(
        message: "the report cannot be written into \(folder.path): \(reason ?? error.localizedDescription)")
    }
  }

  package var html: String {
    let sections = [failures, findings, caches, contactSheet, operations]
      .compactMap { $0 }
    let links = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" }.joined()
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(PageFrame.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title) – Preheat</title>
      <style>\(PageFrame.style)</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>
      \(header)
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <main id="content">
      \(sections.map(\.html).joined(separator: "\n"))
      </main>
      <footer><p>\(MarkupText.escape(footer))</p></footer>
      <script type="application/json" id="list-data">\(listData)</script>
      <script>\(PageFrame.script)</script>
      </body>
      </html>

      """
  }

  /// `3 failed – catalog.job`: what a row of tabs has room for.
  private var title: String {
    let name = MarkupText.escape(
      record.summary.jobs.first.map { ReportText.shortened(ReportText.name(ofSource: $0), to: 120) } ?? "run")
    let counts = record.summary.counts
    let isUndone = counts.planned == 0 && record.summary.exit != 0
    let state =
      counts.failed > 0 ? "\(NumberText.grouped(counts.failed)) failed – " : isUndone ? "not done – " : ""
    return "\(state)\(name)"
  }

  private var footer: String {
    let summary = record.summary
    return "\(summary.program), run of \(ReportText.time(summary.started)); exit code \(summary.exit): "
      + "\(summary.meaning)."
      + (hasPictures ? " The pictures lie in \(Self.pictures) beside this page: move them together." : "")
  }

  /// The result of the run, in one sentence and in numbers.
  private var header: String {
    let summary = record.summary
    let jobs = summary.jobs.prefix(12).map { "<span class=\"job\">\(MarkupText.escape($0))</span>" }
    var notes = ""
    if let stopped = summary.stopped {
      notes += "<p class=\"notice\">Stopped: \(MarkupText.escape(stopped))</p>"
    }
    if summary.isInterrupted {
      notes += "<p class=\"notice\">The run was interrupted; run it again to complete the cache.</p>"
    }
    return """
      <header>
      <p class="eyebrow">Preheat · \(jobs.joined(separator: " "))\(summary.jobs.count > 12 ? " …" : "")</p>
      <h1>\(MarkupText.escape(ReportText.verdict(summary)))</h1>
      \(notes)<dl class="facts">\(facts)</dl>
      </header>
      """
  }

  private var facts: String {
    let counts = record.summary.counts
    func fact(_ name: String, _ value: String, isBad: Bool = false) -> String {
      "<div\(isBad ? " class=\"bad\"" : "")><dt>\(name)</dt><dd>\(MarkupText.escape(value))</dd></div>"
    }
    func unlessZero(_ name: String, _ count: Int) -> String {
      count > 0 ? fact(name, NumberText.grouped(count)) : ""
    }
    return [
      fact("made", NumberText.grouped(counts.made)), fact("up to date", NumberText.grouped(counts.current)),
      unlessZero("not stored", counts.notStored),
      fact("failed", NumberText.grouped(counts.failed), isBad: counts.failed > 0),
      unlessZero("wrong lines", counts.skippedLines), unlessZero("left undone", counts.leftUndone),
      fact("fetched", ByteCountText.text(counts.bytesFetched)),
      unlessZero("sources unchanged", counts.sourcesValidated),
      unlessZero("sources from the HTTP cache", counts.sourcesCached),
      fact("written", ByteCountText.text(counts.bytesWritten)),
      fact("time", DurationText.text(record.summary.seconds)),
      record.summary.drawings.map { fact("drawing", ReportText.shortened($0)) }.joined(),
    ].joined()
  }
}
