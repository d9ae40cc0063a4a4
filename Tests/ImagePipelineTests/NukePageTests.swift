import Foundation
import TestSupport
import Testing

@testable import ImagePipeline

/// `docs/nuke.md` and `docs/kingfisher.md` say which test shows what.
@Suite(.timeLimit(.minutes(10)))
struct NukePageTests {
  @Test(arguments: ["docs/nuke.md", "docs/kingfisher.md"])
  func everyTestThatThePageNamesExists(path: String) throws {
    let page = try String(contentsOf: Fixtures.checkout.appendingPathComponent(path), encoding: .utf8)
    let names = Set(
      page.matches(of: /`(?:[A-Za-z]+\.)?([A-Za-z]+Tests)\.([a-z][A-Za-z0-9]+)`/).map { String($0.2) })
    #expect(names.count > 30)
    let folder = Fixtures.checkout.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    var sources = ""
    for case let file as URL in files where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    for name in names.sorted() { #expect(sources.contains("func \(name)("), "\(name)") }
  }
}
