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

  @Test func aLinkShowsARenditionThatOnlyTheDataHasAsThePageWould() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      var record = Samples.ordinary(300)
      for text in Samples.hostile { record.renditions.append(Samples.rendition(text, status: .made)) }
      let page = try ReportPage.write(record, to: folder.url)
      let html = try String(contentsOf: page, encoding: .utf8)
      // The last page of the list, and the first one drawn anew by the script.
      let last = try #require(record.renditions.last).digest
      let (dom, messages) = try Browser.open(page, "#r-\(last)", in: folder)
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      #expect(dom.contains("id=\"r-\(last)\"") && dom.contains("Page 3 of 3"))
      #expect(!dom.contains("<script>alert") && !dom.contains("<img src=\"x\""))
      // The script's cards are those of the page: a record whose order is turned has on its page what came from data.
      record.renditions.reverse()
      let other = try String(
        contentsOf: ReportPage.write(record, to: folder.file("other")), encoding: .utf8)
      func card(_ text: String) -> String? {
        let head = "<li class=\"card\" id=\"r-\(record.renditions[60].digest)\">"
        guard let start = text.range(of: head),
          let end = text[start.upperBound...].range(of: "</li>")
        else { return nil }
        return String(text[start.lowerBound..<end.lowerBound]).replacing("\n", with: "")
      }
      #expect(card(html) == nil)
      let drawn = card(dom)
      #expect(drawn != nil && drawn == card(other))
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
