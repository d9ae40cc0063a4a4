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
  /// Where the rest of the list lies, as data and as pages without scripts; everything in it is replaced.
  package static let data = "preheat-data"

  package let record: RunRecord
  let list: RenditionList
  let shelf: PictureShelf

  /// Why a page cannot be written.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
  }

  /// Writes `index.html` into a folder, which is created where it is missing.
  ///
  /// - Parameter comparison: nil where nothing is known of a run before.
  /// - Returns: The page's path.
  @discardableResult
  package static func write(
    _ record: RunRecord, comparedWith comparison: RunComparison? = nil, to folder: URL,
    calls: FileCalls = .system
  ) throws(Failure) -> URL {
    for cache in Set(record.caches.map(\.path) + record.renditions.map(\.cache))
    where !cache.isEmpty && OutputFile.isInside(folder.path, of: cache) {
      throw Failure(
        message: "\(folder.path) lies in the cache folder, where nothing but the app's files may be: "
          + "name another folder for the report")
    }
    do {
      try ReportWriter(record, comparedWith: comparison, folder: folder, calls: calls).write()
      return folder.appendingPathComponent(file)
    } catch {
      let reason = (error as? FileStoreError)?.description ?? (error as? SystemCall.Failure)?.message
      throw Failure(
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
}
