import ClientRegistry
import TestSupport
import Testing

@testable import Pictures

/// In how many files a processor and a way of drawing stand, as `docs/maintainers/architecture.md` says.
@Suite(.timeLimit(.minutes(10))) struct ProcessorFileTests {
  /// Name and code of the Swift files below a folder of `Sources`; of texts only those of one word are left.
  private static func files(below folder: String) throws -> [(name: String, code: String)] {
    try SourceFiles.below("Sources/\(folder)").map { path, text in
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        .joined(separator: "\n").replacing(/"[^"\n]*[^"\n\w][^"\n]*"/, with: "\"\"")
      return (path.split(separator: "/").last.map(String.init) ?? path, code)
    }
  }

  /// By its name as a case, a row or a word, and by the name of its type. What can only begin a chain is none.
  @Test func aProcessorStandsInThreeFiles() throws {
    var tried = 0
    for library in ClientRegistry.libraries {
      let client = library.newestClient
      let name = try #require("\(type(of: client))".wholeMatch(of: /(\w+)Client/)).1
      let files =
        try Self.files(below: "Clients/\(name)Cache") + Self.files(below: "Clients/ClientRegistry/\(name)")
      for row in client.processorRows where !row.isLeading && row.usual == nil && row.name != "default" {
        let type = row.code.drop { $0 == "." }
        // `filter` is a word of Swift's own.
        let words = [row.name, "\(type)"].filter { $0 != "filter" }.map {
          "\\.\($0)\\b|\\b(?:case|let) \($0)\\b|\"\($0)\""
        }
        let types = "\\b\(type.prefix(1).uppercased())\(type.dropFirst())\\("
        let mark = try Regex((words + [types]).joined(separator: "|"))
        let found = files.filter { $0.code.contains(mark) }.map(\.name)
        #expect((2...3).contains(found.count), "\(library.name) \(row.name): \(found.sorted())")
        tried += 1
      }
    }
    #expect(tried > 25)
  }

  /// Its value, the list of those that a worker reads, and its drawing.
  @Test func aWayOfDrawingStandsInThreeFiles() throws {
    let files = try Self.files(below: "Support/Pictures") + Self.files(below: "Engine")
    for step in RenderStep.known {
      let mark = try Regex("struct \(step): DrawingStep|\\b\(step)\\.self|\\b(?:is|as) \(step)\\b")
      let found = files.filter { $0.code.contains(mark) }
      #expect(found.count == 3, "\(step): \(found.map(\.name).sorted())")
    }
  }
}
