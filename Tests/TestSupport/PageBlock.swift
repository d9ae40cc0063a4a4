import Foundation

/// A fenced block of a page.
///
/// The word behind the fence says what is done with it: `sh` and `console` are run, `job` is planned, `json` and `yaml`
/// are parsed, `swift` is compiled, `text` is only shown. More words say why a block is an exception, such as
/// `sh by-hand: needs root`.
public struct PageBlock: Sendable, CustomStringConvertible {
  /// Its path in the checkout.
  public var page: String
  /// Where its text begins, from 1.
  public var line: Int
  public var language: String
  /// What follows the language behind the fence.
  public var remark: String
  public var text: String

  public var description: String { "\(page):\(line)" }
  public var isByHand: Bool { remark.hasPrefix("by-hand") }

  public var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The name that the first line of a job gives it: `# catalog.job`.
  public var fileName: String? {
    guard language == "job", let first = lines.first, first.hasPrefix("# "), first.hasSuffix(".job") else {
      return nil
    }
    return String(first.dropFirst(2))
  }

  /// The pages below `docs` and those with commands beside them, by their paths in the checkout.
  public static let pages: [String] =
    ["README.md", "examples/app/README.md"]
    + markdown(below: "docs") + markdown(below: "Sources").filter { $0.contains(".docc/") }

  private static func markdown(below folder: String) -> [String] {
    let path = Fixtures.checkout.appendingPathComponent(folder).path
    let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  /// All fenced blocks of a page, in their order.
  public static func blocks(in page: String) throws -> [PageBlock] {
    var blocks: [PageBlock] = []
    var open: PageBlock?
    for (index, line) in try SourceFiles.text(page).components(separatedBy: "\n").enumerated() {
      guard line.hasPrefix("```") else {
        open?.text += line + "\n"
        continue
      }
      if let block = open {
        blocks.append(block)
        open = nil
      } else {
        let words = line.dropFirst(3).split(separator: " ", maxSplits: 1).map(String.init)
        open = PageBlock(
          page: page, line: index + 2, language: words.first ?? "", remark: words.count > 1 ? words[1] : "",
          text: "")
      }
    }
    return blocks
  }
}
