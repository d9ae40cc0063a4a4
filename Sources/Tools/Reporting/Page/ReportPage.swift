import FileStore
import Foundation
import Planning
import Text

/// The page of a run: HTML that needs no network and no server. Pictures and the list's data lie in two folders beside
/// it where they are many.
package struct ReportPage: Sendable {
  package static let file = "index.html"
  /// Where the pictures lie that are not part of the page; everything in it is replaced.
  package static let pictures = "preheat-pictures"
  /// Where the rest of the list lies, as data; everything in it is replaced.
  package static let data = "preheat-data"

  package let record: RunRecord
  let list: RenditionList
  let shelf: PictureShelf

  /// Writes `index.html` into a folder, which is created where it is missing.
  ///
  /// - Parameter comparison: nil where nothing is known of a run before.
  /// - Returns: The page's path.
  @discardableResult
  package static func write(
    _ record: RunRecord, comparedWith comparison: RunComparison? = nil, to folder: URL,
    calls: FileCalls = .system
  ) throws(ReportFailure) -> URL {
    for cache in Set(record.caches.map(\.path) + record.renditions.map(\.cache))
    where !cache.isEmpty && OutputFile.isInside(folder.path, of: cache) {
      throw ReportFailure(
        message: "\(folder.path) lies in the cache folder, where nothing but the app's files may be: "
          + "name another folder for the report")
    }
    do {
      try ReportWriter(record, comparedWith: comparison, folder: folder, calls: calls).write()
      return folder.appendingPathComponent(file)
    } catch {
      let reason = (error as? FileStoreError)?.description ?? (error as? SystemCall.Failure)?.message
      throw ReportFailure(
        message: "the report cannot be written into \(folder.path): \(reason ?? error.localizedDescription)")
    }
  }

  package var html: String {
    PageFrame.html(
      title: title, header: header,
      sections: [failures, findings, caches, changes, sizes, contactSheet, timeline, operations]
        .compactMap { $0 },
      footer: footer, hasScript: true,
      end: """

        <script type="application/json" id="list-data">\(listData)</script>
        <script>\(PageFrame.script)</script>
        """)
  }

  /// `3 failed – catalog.job`: what a row of tabs has room for.
  private var title: String {
    let name = MarkupText.escape(
      record.summary.jobs.first.map { ReportText.shortened(ReportText.name(ofSource: $0), to: 120) } ?? "run")
    let failed = record.summary.counts.failed
    return (failed > 0 ? "\(NumberText.grouped(failed)) failed – " : "") + "\(name)"
  }

  private var footer: String {
    let summary = record.summary
    return "\(summary.program), run of \(ReportText.time(summary.started)); exit code \(summary.exit): "
      + "\(summary.meaning). \(shelf.sentence)"
  }

  /// The result of the run, in one sentence and in numbers.
  var header: PageHeader {
    let summary = record.summary
    let jobs = summary.jobs.prefix(12).map { "<span class=\"job\">\(MarkupText.escape($0))</span>" }
    var notes = ""
    if let stopped = summary.stopped {
      notes += "<p class=\"notice\">Stopped: \(MarkupText.escape(stopped))</p>"
    }
    if summary.isInterrupted {
      notes += "<p class=\"notice\">The run was interrupted; run it again to complete the cache.</p>"
    }
    return PageHeader(
      eyebrow: jobs.joined(separator: " ") + (summary.jobs.count > 12 ? " …" : ""),
      headline: ReportText.verdict(summary), notes: notes, facts: facts, end: "\(again)\(build)\n")
  }

  private var facts: [PageHeader.Fact] {
    let counts = record.summary.counts
    func unlessZero(_ name: String, _ count: Int) -> PageHeader.Fact? {
      count > 0 ? .init(name, NumberText.grouped(count)) : nil
    }
    let saved = record.savedBytes
    return [
      .init("made", NumberText.grouped(counts.made)), .init("up to date", NumberText.grouped(counts.current)),
      unlessZero("not stored", counts.notStored),
      .init("failed", NumberText.grouped(counts.failed), isBad: counts.failed > 0),
      unlessZero("wrong lines", counts.skippedLines), unlessZero("left undone", counts.leftUndone),
      .init("fetched", ByteCountText.text(counts.bytesFetched)),
      unlessZero("sources unchanged", counts.sourcesValidated),
      unlessZero("sources from the HTTP cache", counts.sourcesCached),
      .init("written", ByteCountText.text(counts.bytesWritten)),
      saved > 0 ? .init("saved against the sources", ByteCountText.text(saved)) : nil,
      .init("time", DurationText.text(record.summary.seconds)),
    ].compactMap { $0 }
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
