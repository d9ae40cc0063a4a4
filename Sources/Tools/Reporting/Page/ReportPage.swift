import FileStore
import Foundation
import Text

/// The page of a run: HTML that needs no network and no server. Pictures lie in a folder and the list's data in a file
/// beside it where they are many.
package struct ReportPage: Sendable {
  package static let file = "index.html"
  /// Where the pictures lie that are not part of the page; everything in it is replaced.
  package static let pictures = "preheat-pictures"
  /// The rest of the list, as data.
  package static let data = "preheat-data.js"

  package let record: RunRecord
  let list: RenditionList
  let shelf: PictureShelf

  /// Writes `index.html` into a folder, which is created where it is missing.
  ///
  /// - Returns: The page's path.
  @discardableResult
  package static func write(
    _ record: RunRecord, to folder: URL, calls: FileCalls = .system
  ) throws(ReportFailure) -> URL {
    let caches = Set((record.caches.map(\.path) + record.renditions.map(\.cache)).map { ByteText($0) })
    for cache in caches where !cache.text.isEmpty && OutputFile.isInside(folder.path, of: cache.text) {
      throw ReportFailure(
        message: "\(folder.path) lies in the cache folder, where nothing but the app's files may be: "
          + "name another folder for the report")
    }
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
    let sections = [failures, findings, caches, contactSheet, timeline, operations]
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
      + "\(summary.meaning). \(shelf.sentence)"
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
      \(again)\(build)
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
    let saved = record.savedBytes
    return [
      fact("made", NumberText.grouped(counts.made)), fact("up to date", NumberText.grouped(counts.current)),
      unlessZero("not stored", counts.notStored),
      fact("failed", NumberText.grouped(counts.failed), isBad: counts.failed > 0),
      unlessZero("wrong lines", counts.skippedLines), unlessZero("left undone", counts.leftUndone),
      fact("fetched", ByteCountText.text(counts.bytesFetched)),
      unlessZero("sources unchanged", counts.sourcesValidated),
      unlessZero("sources from the HTTP cache", counts.sourcesCached),
      fact("written", ByteCountText.text(counts.bytesWritten)),
      saved > 0 ? fact("saved against the sources", ByteCountText.text(saved)) : "",
      fact("time", DurationText.text(record.summary.seconds)),
      (record.summary.drawings ?? []).map { fact("drawing", ReportText.shortened($0)) }.joined(),
    ].joined()
  }

  /// Options are not in the record, for they may hold secrets.
  private var again: String {
    guard !record.summary.jobs.isEmpty else { return "" }
    let jobs = record.summary.jobs.prefix(12).map { ReportText.quotedForShell(ReportText.shortened($0)) }
    let command = (["preheat", "run"] + jobs).joined(separator: " ")
    return """
      <p class="again">Run it again: <code>\(MarkupText.escape(command))</code>\
      \(record.summary.jobs.count > 12 ? " and the other jobs," : "") with the options of this run.</p>
      """
  }

  private var build: String {
    var parts: [String] = []
    if let commit = record.summary.commit {
      parts.append("Commit <code>\(MarkupText.escape(String(commit.prefix(12))))</code>")
    }
    if let address = record.summary.build, ReportText.isAddress(address) {
      parts.append(
        "<a href=\"\(MarkupText.escape(address))\" rel=\"noreferrer\">the CI build of this run</a>")
    }
    return parts.isEmpty ? "" : "<p class=\"build\">\(parts.joined(separator: ", ")).</p>"
  }
}
