import Foundation

/// The tests that a page of `docs` names, such as `FuzzTests.FuzzCorpusTests.theCorpusIsSmall` without or with its room.
public struct NamedTests {
  /// Functions that the page names.
  public let names: Set<String>
  /// Those of them that no test has.
  public let missing: [String]

  /// - Parameter page: its path in the checkout.
  public init(in page: String) throws {
    let page = try SourceFiles.text(page)
    let names = Set(
      page.matches(of: /`(?:[A-Za-z]+\.)?([A-Za-z]+Tests)\.([a-z][A-Za-z0-9]+)`/).map { String($0.2) })
    let sources = try SourceFiles.below("Tests").values.joined()
    self.names = names
    missing = names.sorted().filter { !sources.contains("func \($0)(") }
  }
}
