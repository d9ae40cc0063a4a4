import Foundation

/// The tests that a page of `docs` names, such as `FuzzTests.FuzzCorpusTests.theCorpusIsSmall` without or with its room.
public struct NamedTests {
  /// Functions that the page names.
  public let names: Set<String>
  /// Those of them that no test has.
  public let missing: [String]

  /// - Parameter page: its path in the checkout.
  public init(in page: String) throws {
    let page = try String(contentsOf: Fixtures.checkout.appendingPathComponent(page), encoding: .utf8)
    let names = Set(
      page.matches(of: /`(?:[A-Za-z]+\.)?([A-Za-z]+Tests)\.([a-z][A-Za-z0-9]+)`/).map { String($0.2) })
    let folder = Fixtures.checkout.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    var sources = ""
    for case let file as URL in files where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    self.names = names
    missing = names.sorted().filter { !sources.contains("func \($0)(") }
  }
}
