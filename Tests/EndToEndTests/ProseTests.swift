import Foundation
import TestSupport
import Testing

/// `scripts/lint-prose` holds for the pages, and finds what it is there for.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ProseTests {
  private func lint(_ arguments: [String] = []) throws -> BuiltCommand.Result {
    try Program.run(["python3", "scripts/lint-prose"] + arguments, in: Fixtures.checkout)
  }

  @Test func thePagesAreInPlainEnglish() throws { try lint().expect(0) }

  private static let wide = (1...30).map { "word\($0)" }.joined(separator: " ")
  private static let sentence = "A sentence that is long enough to be noticed."

  /// A file, its third line and those behind it, and what is found; nil for nothing. Comments and messages of the program
  /// are read like pages; code, tables and addresses, and the names in them, are not.
  static let findings: [(file: String, text: String, finding: String?)] = [
    ("page.md", "Nothing is fetched from there unasked.", "3: 'unasked': write: by default"),
    ("page.md", "The table is is read.", "3: 'is is': a word twice"),
    ("page.md", String(repeating: "word ", count: 30), "3: 150 columns; wrap it at 120"),
    ("page.md", "| `encode` | a |\n| --- | --- |\n| `encode` | b |", "`encode` has a row already, in line 3"),
    ("page.md", "| a | \(String(repeating: "word ", count: 41)) |", "a cell of 204 characters; 200 at most"),
    ("page.md", "\(sentence)\n\n\(sentence)", "a sentence of line 3 again"),
    (
      "page.md", "```sh\n\(wide) unasked\n```\n\n| \(wide) |\n\n`unasked` and <https://e.com/unasked>.", nil
    ),
    ("a.swift", "/// Whose turn it is.", "3: 'Whose turn it is....': begin with the noun that it is about"),
    ("a.swift", "  // The table is made anew.", "3: 'anew': write: again"),
    ("a.swift", #"let text = "the file \(name) is no picture at all""#, "3: 'is no': write: is not a"),
    ("a.swift", "/// Whether somebody still reads.", "3: 'somebody': name the program, process or user"),
    ("a.swift", "/// So many keys are told one by one.", "3: 'So many': write the number"),
    ("a.swift", "/// So many keys are told one by one.", "3: 'told': say what is meant"),
    ("a.swift", "let anew = color.behavior(is, no, rule: \"anew\")", nil),
    ("a.c", "/* Nobody reads it. */", "3: 'Nobody': name the program"),
    ("a.c", "int rows; // nobody reads it", "3: 'nobody': name the program"),
    ("a.c", "/* A comment of two lines:\n * nobody reads it. */", "4: 'nobody': name the program"),
    ("a.c", "static const char *text = \"a text that nobody reads\";", "3: 'nobody': name the program"),
  ]

  @Test(arguments: findings)
  func aFindingNamesItsLineAndWhatToWrite(file: String, text: String, finding: String?) throws {
    let folder = try TemporaryFolder()
    let first = ["md": "# Page", "swift": "import Text", "c": "int nobody;"][
      file.split(separator: ".").last ?? ""]
    try folder.write("\(first ?? "")\n\n\(text)\n", to: file)
    let path = folder.file(file).path
    let result = try lint([path]).expect(finding == nil ? 0 : 1, prints: finding ?? "", lacks: "\(path):1:")
    #expect(finding == nil || result.output.contains("\(path):"))
  }
}
