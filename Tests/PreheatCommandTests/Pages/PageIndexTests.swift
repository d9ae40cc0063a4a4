import Foundation
import TestSupport
import Testing

/// `docs/README.md` leads to every page, and every link of every page leads somewhere.
@Suite(.timeLimit(.minutes(10)))
struct PageIndexTests {
  /// The order of a user. A new page needs a line under one of these; a new group needs a line here.
  private static let groups = [
    "Get started", "Install", "Job file", "Clients", "Running", "Bundles and apps", "Library",
    "Troubleshooting",
    "Reference", "Maintainers",
  ]
  private static let index = "docs/README.md"

  private struct Link {
    var page: String
    var target: String
    var anchor: String?
  }

  /// The relative links of a page, with paths in the checkout.
  private func links(of page: String) throws -> [Link] {
    let text = Self.withoutBlocks(try SourceFiles.text(page))
    return text.matches(of: /\]\(([^)\s]+)\)/).compactMap { match -> Link? in
      let target = String(match.1)
      guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let folder = URL(fileURLWithPath: "/\(page)").deletingLastPathComponent()
      let path = parts[0].isEmpty ? "/\(page)" : folder.appendingPathComponent(parts[0]).standardized.path
      return Link(page: page, target: String(path.dropFirst()), anchor: parts.count > 1 ? parts[1] : nil)
    }
  }

  private static func withoutBlocks(_ text: String) -> String {
    text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(
      separator: "\n")
  }

  /// The anchors of a page's headings, as GitHub makes them.
  private func anchors(of page: String) throws -> Set<String> {
    let lines = Self.withoutBlocks(try SourceFiles.text(page)).split(separator: "\n")
    return Set(
      lines.filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(
          title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .map { $0 == " " ? "-" : $0 })
      })
  }

  @Test(arguments: PageBlock.pages + ["CHANGELOG.md"])
  func everyLinkLeadsSomewhere(page: String) throws {
    for link in try links(of: page) {
      let path = Fixtures.checkout.appendingPathComponent(link.target).path
      #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link.target)")
      if let anchor = link.anchor, link.target.hasSuffix(".md") {
        #expect(try anchors(of: link.target).contains(anchor), "\(page): \(link.target)#\(anchor)")
      }
    }
  }

  @Test func everyPageIsInTheIndexOnce() throws {
    let targets = try links(of: Self.index).map(\.target)
    for page in PageBlock.pages where page.hasPrefix("docs/") && page != Self.index {
      #expect(targets.count { $0 == page } == 1, "\(page) has to be in \(Self.index), once")
    }
  }

  @Test func theIndexHasTheOrderOfAUser() throws {
    let headings = try SourceFiles.text(Self.index).split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings.map { String($0.dropFirst(3)) } == Self.groups)
    #expect(try links(of: "README.md").contains { $0.target == Self.index })
  }

  /// Whoever comes from a search engine reads first what the page is for.
  @Test(arguments: PageBlock.pages.filter { $0.hasPrefix("docs/") })
  func aPageBeginsWithATitleAndASentence(page: String) throws {
    let paragraphs = try SourceFiles.text(page).replacing(/<!--.*-->\n+/, with: "").components(
      separatedBy: "\n\n")
    #expect(paragraphs[0].hasPrefix("# "), "\(page)")
    let first = try #require(paragraphs.dropFirst().first)
    #expect(
      first.first?.isLetter == true && (first.contains(".") || first.contains(":")), "\(page): \(first)")
  }
}
