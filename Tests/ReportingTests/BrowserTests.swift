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
      #expect(dom.contains("<form class=\"filter\" role=\"search\">"))
      #expect(!messages.contains("CONSOLE"), "\(messages)")
      #expect(!dom.contains("<script>alert") && !dom.contains("<img src=\"x\""))
    }.value
  }
}

enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The page's document when it has been loaded, and what the browser said.
  static func open(_ page: URL, in folder: TemporaryFolder) throws -> (dom: String, messages: String) {
    for name in ["dom", "messages"] { try Data().write(to: folder.file(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "-k", "1", "120", path ?? "", "--headless=new", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--enable-logging=stderr",
      "--user-data-dir=\(folder.file("profile").path)", "--virtual-time-budget=5000", "--dump-dom",
      page.absoluteString,
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
