import Digests
import FileStore
import Foundation
import Planning
import Text

/// The page of a run: one HTML file that needs no network and no server, with the pictures that are too
/// many for it in a folder beside it.
package struct ReportPage: Sendable {
  /// Where the pictures lie that are not part of the page; everything in it is replaced.
  package static let pictures = "preheat-pictures"

  package let record: RunRecord
  /// By cache and file name.
  let shelf: PictureShelf

  /// Why a page cannot be written.
  package struct Failure: Error, Hashable, Sendable {
    package var message: String
  }

  /// Writes `index.html` into a folder, which is created where it is missing.
  ///
  /// - Returns: The page's path.
  @discardableResult
  package static func write(_ record: RunRecord, to folder: URL) throws(Failure) -> URL {
    let page = folder.appendingPathComponent("index.html")
    for cache in record.caches.map(\.path) + record.renditions.map(\.cache)
    where !cache.isEmpty && isInside(folder, of: cache) {
      throw Failure(
        message: "\(folder.path) lies in the cache folder, where nothing but the app's files may be: "
          + "name another folder for the report")
    }
    do {
      let files = FileManager.default
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      let beside = folder.appendingPathComponent(pictures)
      if files.fileExists(atPath: beside.path) { try files.removeItem(at: beside) }
      let shelf = try PictureShelf(record.renditions, folder: folder)
      try OutputFile.write(Data(ReportPage(record: record, shelf: shelf).html.utf8), to: page.path)
      return page
    } catch let error as FileStoreError {
      throw Failure(message: "the report cannot be written into \(folder.path): \(error.reason)")
    } catch {
      throw Failure(
        message: "the report cannot be written into \(folder.path): \(error.localizedDescription)")
    }
  }

  private static func isInside(_ folder: URL, of cache: String) -> Bool {
    let path = folder.standardizedFileURL.resolvingSymlinksInPath().path
    let cache = URL(fileURLWithPath: cache).standardizedFileURL.resolvingSymlinksInPath().path
    return path == cache || path.hasPrefix(cache + "/")
  }

  package var html: String {
    let summary = record.summary
    let sections = [failures, findings, caches, contactSheet, timeline, operations].compactMap { $0 }
    let title = MarkupText.escape(summary.jobs.first.map { ReportText.name(ofSource: $0) } ?? "run")
    let links = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" }.joined()
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title) – Preheat</title>
      <style>\(PageStyle.text)</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the content</a>
      \(header)
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <main id="content">
      \(sections.map(\.html).joined(separator: "\n"))
      </main>
      <footer><p>\(MarkupText.escape(footer))</p></footer>
      <script>\(PageScript.text)</script>
      </body>
      </html>

      """
  }

  /// Nothing from anywhere but this file and the folder that it lies in; style and script by their digests.
  private var policy: String {
    let digest = { (text: String) in Data(SHA256.hash(text.utf8)).base64EncodedString() }
    // Browsers take no file for "self" of another: pictures beside the page need the scheme.
    return "default-src 'none'; img-src 'self' data: file:; style-src 'sha256-\(digest(PageStyle.text))'; "
      + "script-src 'sha256-\(digest(PageScript.text))'; base-uri 'none'; form-action 'none'"
  }

  private var header: String {
    let summary = record.summary
    let jobs = summary.jobs.prefix(12).map { "<span class=\"job\">\(MarkupText.escape($0))</span>" }
    var facts: [(String, String)] = [
      ("made", NumberText.grouped(summary.counts.made)),
      ("up to date", NumberText.grouped(summary.counts.current)),
    ]
    if summary.counts.notStored > 0 {
      facts.append(("not stored", NumberText.grouped(summary.counts.notStored)))
    }
    facts.append(("failed", NumberText.grouped(summary.counts.failed)))
    if summary.counts.leftUndone > 0 {
      facts.append(("left undone", NumberText.grouped(summary.counts.leftUndone)))
    }
    facts.append(("fetched", ByteCountText.text(summary.counts.bytesFetched)))
    if summary.counts.sourcesValidated > 0 {
      facts.append(("sources unchanged", NumberText.grouped(summary.counts.sourcesValidated)))
    }
    if summary.counts.sourcesCached > 0 {
      facts.append(("sources from the HTTP cache", NumberText.grouped(summary.counts.sourcesCached)))
    }
    facts.append(("written", ByteCountText.text(summary.counts.bytesWritten)))
    if record.savedBytes > 0 {
      facts.append(("saved against the sources", ByteCountText.text(record.savedBytes)))
    }
    facts.append(("time", DurationText.text(summary.seconds)))
    let list = facts.map { name, value in
      let isBad = name == "failed" && summary.counts.failed > 0
      return "<div\(isBad ? " class=\"bad\"" : "")><dt>\(name)</dt><dd>\(value)</dd></div>"
    }
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
      \(notes)<dl class="facts">\(list.joined())</dl>
      </header>
      """
  }

  private var footer: String {
    let summary = record.summary
    return "\(summary.program), run of \(ReportText.time(summary.started)); exit code \(summary.exit): "
      + "\(summary.meaning). \(shelf.sentence)"
  }
}

/// A part of the page with a heading of its own.
package struct PageSection {
  var id: String
  var title: String
  var html: String

  /// - Parameters:
  ///   - title: Not escaped: words of ours.
  ///   - introduction: Likewise.
  init(_ id: String, _ title: String, introduction: String = "", _ body: String) {
    self.id = id
    self.title = title
    let text = introduction.isEmpty ? "" : "<p class=\"lead\">\(introduction)</p>"
    html = """
      <section id="\(id)" aria-labelledby="\(id)-title">
      <h2 id="\(id)-title">\(title)</h2>\(text)
      \(body)
      </section>
      """
  }
}
