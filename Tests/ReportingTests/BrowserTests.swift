import Foundation
import TestSupport
import Testing

@testable import Reporting

/// The page as a browser takes it, where there is one.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Browser.path != nil))
struct BrowserTests {
  @Test func theBrowserHasNothingToComplainAboutAndEveryPictureIsShown() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      var record = Samples.ordinary(6, failed: 1)
      for text in Samples.hostile { record.renditions.append(Samples.rendition(text, status: .made)) }
      let page = try ReportPage.write(record, to: folder.url)
      let (dom, messages) = try Browser.open(page, in: folder)
      #expect(dom.contains("</html>"))
      // The script has run: its digest is the one that the policy allows.
      #expect(dom.contains("<form class=\"filter\" id=\"filter\" role=\"search\" aria-label=\"Renditions\">"))
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      #expect(!dom.contains("<script>alert") && !dom.contains("<img src=\"x\""))
    }.value
  }

  @Test func aLinkShowsARenditionThatOnlyTheDataHas() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      var record = Samples.ordinary(300)
      for text in Samples.hostile { record.renditions.append(Samples.rendition(text, status: .made)) }
      let page = try ReportPage.write(record, to: folder.url)
      // The last page of the list.
      let last = try #require(record.renditions.last).digest
      let (dom, messages) = try Browser.open(page, "#r-\(last)", in: folder)
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      #expect(dom.contains("id=\"r-\(last)\"") && dom.contains("Page 3 of 3"))
      #expect(!dom.contains("<script>alert") && !dom.contains("<img src=\"x\""))
    }.value
  }

  @Test func aCardShowsWhatTheDataSays() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let cache = folder.file("cache")
      try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
      let picture = try Fixtures.image("grey.jpg")
      try picture.write(to: cache.appendingPathComponent("grey"))
      var record = Samples.ordinary(1, failed: 1)
      (record.renditions[0].cache, record.renditions[0].fileName) = (cache.path, "grey")
      let page = try ReportPage.write(record, to: folder.file("report"))
      let (dom, messages) = try Browser.open(page, in: folder)
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      let cards = dom.matches(of: /<li class="card" .*?<\/li>/).map { String($0.output) }
      #expect(cards.count == 2)
      let rendition = record.renditions[0]
      for text in [
        "id=\"r-\(rendition.digest)\"", "<img src=\"preheat-pictures/\(rendition.digest).jpeg\"",
        "alt=\"0.jpg, card @2x\"",
        "<p class=\"chain\">",
        "<dt>source</dt><dd><a class=\"source\" href=\"\(rendition.source)\" rel=\"noreferrer\">",
        "<dt>key</dt><dd>\(rendition.key)</dd>", "<dt>file</dt><dd>grey</dd>",
      ] {
        #expect(cards.first?.contains(text) == true, "\(text): \(cards)")
      }
      #expect(cards.last?.contains("<span class=\"none\">failed</span>") == true)
      #expect(cards.last?.contains("<dt>failure</dt>") == true)
    }.value
  }

  /// The first page is there at once; the next one comes with the data.
  @Test func theNextPageOfTheListIsShown() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let page = try ReportPage.write(Samples.ordinary(300), to: folder.url)
      let html = try String(contentsOf: page, encoding: .utf8)
      let (first, _) = try Browser.open(page, in: folder)
      #expect(first.contains("Page 1 of 3") && first.matches(of: /<li class="card"/).count == 120)
      // Nothing but the script of the page may run, so that a click has to be its own.
      let click = PageFrame.script + "\ndocument.getElementById('on').click();\n"
      let other = html.replacing(PageFrame.script, with: click)
        .replacing(PageFrame.digest(PageFrame.script), with: PageFrame.digest(click))
      try Data(other.utf8).write(to: page)
      let (second, messages) = try Browser.open(page, in: folder)
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      #expect(second.contains("Page 2 of 3") && second.matches(of: /<li class="card"/).count == 120)
    }.value
  }
}

enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The page's document when it has been loaded, and what the browser said.
  static func open(_ page: URL, _ fragment: String = "", in folder: TemporaryFolder) throws -> (
    dom: String, messages: String
  ) {
    for name in ["dom", "messages"] { try Data().write(to: folder.file(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "-k", "1", "120", path ?? "", "--headless=new", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--enable-logging=stderr",
      "--user-data-dir=\(folder.file("profile").path)", "--virtual-time-budget=5000", "--dump-dom",
      page.absoluteString + fragment,
    ]
    process.standardOutput = try FileHandle(forWritingTo: folder.file("dom"))
    process.standardError = try FileHandle(forWritingTo: folder.file("messages"))
    try process.run()
    process.waitUntilExit()
    return (
      try String(contentsOf: folder.file("dom"), encoding: .utf8),
      String(decoding: try Data(contentsOf: folder.file("messages")), as: UTF8.self)
    )
  }
}
