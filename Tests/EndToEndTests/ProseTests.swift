import Foundation
import TestSupport
import Testing

/// `scripts/lint-prose` holds for the pages, and finds what it is there for.
@Suite(.timeLimit(.minutes(10)))
struct ProseTests {
  private func lint(_ arguments: [String] = []) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "scripts/lint-prose"] + arguments
    process.currentDirectoryURL = Fixtures.checkout
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test func thePagesAreInPlainEnglish() async throws {
    try await OwnThread {
      let result = try lint()
      #expect(result.status == 0, "\(result.output)")
    }.value
  }

  @Test(arguments: [
    ("Nothing is fetched from there unasked.", "'unasked': write: by default"),
    ("The table is is read.", "'is is': a word twice"),
    (String(repeating: "word ", count: 30), "150 columns; wrap it at 120"),
    ("| `encode` | a |\n| --- | --- |\n| `encode` | b |", "`encode` has a row already, in line 3"),
    ("| a | \(String(repeating: "word ", count: 41)) |", "a cell of 204 characters; 200 at most"),
    (
      "A sentence that is long enough to be noticed.\n\nA sentence that is long enough to be noticed.",
      "a sentence of line 3 again"
    ),
  ])
  func aFindingNamesItsLineAndWhatToWrite(text: String, finding: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let page = folder.file("page.md")
      try Data("# Page\n\n\(text)\n".utf8).write(to: page)
      let result = try lint([page.path])
      #expect(result.status == 1)
      #expect(result.output.contains("\(page.path):") && result.output.contains(finding), "\(result.output)")
    }.value
  }

  /// Comments and messages of the program are read like pages; code, and the names in it, are not.
  @Test(arguments: [
    ("/// Whose turn it is.", "'Whose turn it is....': begin with the noun that it is about"),
    ("  // The table is made anew.", "'anew': write: again"),
    (#"let text = "the file \(name) is no picture at all""#, "'is no': write: is not a"),
    ("/// Whether somebody still reads.", "'somebody': name the program, process or user"),
    ("/// So many keys are told one by one.", "'So many': write the number"),
    ("/// So many keys are told one by one.", "'told': say what is meant"),
    ("let anew = color.behavior(is, no, rule: \"anew\")", nil),
  ])
  func theProgramIsRead(code: String, finding: String?) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let file = folder.file("File.swift")
      try Data("import Text\n\n\(code)\n".utf8).write(to: file)
      let result = try lint([file.path])
      #expect(result.status == (finding == nil ? 0 : 1))
      guard let finding else { return }
      #expect(result.output.contains("\(file.path):3: \(finding)"), "\(result.output)")
    }.value
  }

  @Test(arguments: [
    "/* Nobody reads it. */", "int rows; // nobody reads it",
    "/* A comment of two lines:\n * nobody reads it. */",
    "static const char *text = \"it is a text that nobody reads\";",
  ])
  func commentsAndMessagesOfCAreRead(code: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let file = folder.file("file.c")
      try Data("int nobody;\n\(code)\n".utf8).write(to: file)
      let result = try lint([file.path])
      #expect(result.status == 1 && !result.output.contains("file.c:1:"), "\(result.output)")
      #expect(result.output.lowercased().contains("'nobody': name the program"))
    }.value
  }

  /// Code, tables and addresses are as wide as they have to be; a name in them is not prose.
  @Test func whatIsNotProseIsLeftAlone() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let page = folder.file("page.md")
      let wide = (1...30).map { "word\($0)" }.joined(separator: " ")
      let text =
        "# Page\n\n```sh\n\(wide) unasked\n```\n\n| \(wide) |\n\n`unasked` and <https://e.com/unasked>.\n"
      try Data(text.utf8).write(to: page)
      let result = try lint([page.path])
      #expect(result.status == 0, "\(result.output)")
    }.value
  }
}
