import Foundation
import TestSupport
import Testing

@testable import Digests
@testable import Reporting

/// A page.
@Suite(.timeLimit(.minutes(10)))
struct ReportPageTests {
  @Test func nothingIsFetchedFromElsewhere() throws {
    let page = try Samples.html(Samples.ordinary(20, failed: 3))
    let addresses = page.matches(of: /(src|href)="([^"]*)"/).map(\.output.2)
    #expect(!addresses.isEmpty)
    for address in addresses {
      #expect(
        address.hasPrefix("#") || address.hasPrefix(ReportPage.pictures + "/")
          || page.contains("<a class=\"source\" href=\"\(address)\""))
    }
    // A link to a source says nothing about where it was followed.
    #expect(
      page.matches(of: /class="source" href="https/).count == page.matches(of: /rel="noreferrer"/).count)
    #expect(!page.contains("@import") && !page.contains("url("))
  }

  @Test func thePolicyKnowsTheStyleAndTheScriptByTheirDigests() throws {
    let page = try Samples.html(Samples.ordinary(1))
    for (tag, text) in [("style", PageFrame.style), ("script", PageFrame.script)] {
      #expect(page.contains("<\(tag)>\(text)</\(tag)>"))
      #expect(page.contains("\(tag)-src 'sha256-\(Data(SHA256.hash(text.utf8)).base64EncodedString())'"))
    }
    #expect(page.contains("default-src 'none'") && !page.contains("unsafe-inline"))
    #expect(!page.contains(" style=\""))
  }

  @Test func headingsLandmarksAndTablesSayWhatTheyAre() throws {
    var record = Samples.ordinary(4, failed: 2)
    record.caches = [Samples.cache()]
    let page = try Samples.html(record)
    #expect(page.contains("<html lang=\"en\">") && page.contains("<main id=\"content\">"))
    #expect(page.matches(of: #/<h1/#).count == 1)
    #expect(
      page.matches(of: #/<svg [^>]*(role="img"|aria-label)/#).count == page.matches(of: #/<svg /#).count)
    #expect(page.matches(of: /<th(?! scope|ead)/).isEmpty)
    #expect(
      page.matches(of: /<(input|select) id="([a-z]+)"/).allSatisfy {
        page.contains("<label for=\"\($0.output.2)\">")
      })
    // What failed comes before the rest.
    let failures = try #require(page.range(of: "id=\"failures\""))
    let pictures = try #require(page.range(of: "id=\"pictures\""))
    #expect(failures.lowerBound < pictures.lowerBound)
  }

  @Test func picturesLieBesideThePage() throws {
    let folder = try TemporaryFolder()
    let record = Samples.ordinary(2)
    let page = try String(contentsOf: ReportPage.write(record, to: folder.url), encoding: .utf8)
    #expect(page.contains("The pictures lie in preheat-pictures beside this page"))
    let pictures = try Samples.texts("picture", onPage: page)
    #expect(pictures.count == 2 && pictures.allSatisfy { $0.hasSuffix(".jpeg") })
    for name in pictures {
      #expect(FileManager.default.fileExists(atPath: folder.file("\(ReportPage.pictures)/\(name)").path))
    }
    // A second report replaces the pictures of the first.
    try ReportPage.write(RunRecord(summary: Samples.summary()), to: folder.url)
    #expect(!FileManager.default.fileExists(atPath: folder.file(ReportPage.pictures).path))
  }

  @Test func linksAndForeignFilesAreNoPictures() throws {
    let folder = try TemporaryFolder()
    let cache = folder.file("cache")
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: cache.appendingPathComponent("link"),
      withDestinationURL: Fixtures.folder.appendingPathComponent("images/logo.png"))
    try Data("secret".utf8).write(to: cache.appendingPathComponent("text"))
    var record = Samples.ordinary(4)
    for (index, name) in ["link", "text", "../cache/text", ".hidden"].enumerated() {
      record.renditions[index].cache = cache.path
      record.renditions[index].fileName = name
    }
    try ReportPage.write(record, to: folder.file("report"))
    let page = try String(contentsOf: folder.file("report/index.html"), encoding: .utf8)
    #expect(try Samples.texts("picture", onPage: page) == ["", "", "", ""])
  }

  @Test func thePageTellsOfSourcesThatWereNotFetched() throws {
    var record = Samples.ordinary(1)
    #expect(!(try Samples.html(record).contains("from the HTTP cache")))
    record.summary.counts.sourcesValidated = 1234
    record.summary.counts.sourcesCached = 5
    let page = try Samples.html(record)
    #expect(page.contains("<dt>sources unchanged</dt><dd>1,234</dd>"))
    #expect(page.contains("<dt>sources from the HTTP cache</dt><dd>5</dd>"))
  }

  @Test func aPageOfManyRenditionsAndFailuresStaysSmall() throws {
    let page = try Samples.html(Samples.ordinary(10_000, failed: 2000))
    #expect(try Samples.identifiers(onPage: page).count == RenditionList.perPage)
    #expect(page.utf8.count < 1_000_000)
    #expect(page.contains("And 1,900 more for other causes"))
  }
}
