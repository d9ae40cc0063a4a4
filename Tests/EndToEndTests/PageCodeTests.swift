import Foundation
import TestSupport
import Testing

/// The blocks of the pages that are no commands: jobs are planned, Swift is compiled, JSON and YAML are read.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct PageCodeTests {
  /// A word behind a fence that no test knows would be a block that no test looks at.
  @Test(arguments: PageBlock.pages)
  func everyBlockSaysWhatItIs(page: String) throws {
    let known = ["sh", "console", "job", "swift", "json", "yaml", "text"]
    for block in try PageBlock.blocks(in: page) {
      #expect(known.contains(block.language), "\(block): one of \(known) has to stand behind the fence")
    }
  }

  @Test func jobsCanBePlanned() throws {
    let folder = try TemporaryFolder()
    try folder.write("https://img.example.com/p/9.jpg\n", to: "urls.txt")
    var count = 0
    for block in try PageBlock.pages.flatMap(PageBlock.blocks) where block.language == "job" {
      // Lines alone are lines of some job.
      let isWhole = block.lines.contains { $0.hasPrefix("client ") }
      try folder.write(isWhole ? block.text : "client nuke 12\ncache out\n\(block.text)", to: "page.job")
      try BuiltCommand.run(["plan", "page.job"], in: folder.url, environment: ["CATALOG_TOKEN": "t"]).expect(
        0)
      count += 1
    }
    #expect(count > 5)
  }

  @Test func objectsAreJSON() throws {
    for block in try PageBlock.pages.flatMap(PageBlock.blocks) where block.language == "json" {
      for line in block.lines {
        #expect(throws: Never.self, "\(block)") { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      }
    }
  }

  @Test func workflowsAreYAML() throws {
    guard Tracing.succeeds(["python3", "-c", "import yaml"]) else { return }
    let folder = try TemporaryFolder()
    let file = folder.file("page.yml")
    for block in try PageBlock.pages.flatMap(PageBlock.blocks) where block.language == "yaml" {
      try Data(block.text.utf8).write(to: file)
      let reads = Tracing.succeeds([
        "python3", "-c", "import sys, yaml; yaml.safe_load(open('\(file.path)'))",
      ])
      #expect(reads, "\(block)")
    }
  }

  /// With the names that a page takes for granted. Code of an app, which needs its own types, is read for its syntax.
  @Test func swiftCompiles() throws {
    guard SwiftCompiler.isThere else { return }
    let folder = try TemporaryFolder()
    var count = 0
    for block in try PageBlock.pages.flatMap(PageBlock.blocks) where block.language == "swift" {
      #expect(try Self.complaint(about: block, in: folder) == nil, "\(block)")
      count += 1
    }
    #expect(count > 8)
    // A check that can fail.
    let blocks = try PageBlock.blocks(in: "docs/library.md")
    var wrong = try #require(blocks.last { $0.language == "swift" && $0.text.contains("screenScale") })
    wrong.text = wrong.text.replacing("screenScale", with: "screenSkale")
    #expect(try Self.complaint(about: wrong, in: folder) != nil)
  }

  private static func complaint(about block: PageBlock, in folder: TemporaryFolder) throws -> String? {
    let file = folder.file("main.swift")
    var code = block.text
    if block.remark.hasPrefix("part-of Package.swift") { code = "let package = Package(\n\(code))\n" }
    guard block.remark.isEmpty else {
      try Data(code.utf8).write(to: file)
      return try SwiftCompiler.complaint(["-parse", file.path])
    }
    let imports = block.lines.filter { $0.hasPrefix("import ") }
    let taken = ["url", "folder", "caches", "bundle"].filter { !code.contains("let \($0) ") }
    let prelude =
      ["import Foundation"] + (imports.isEmpty ? ["import Preheat"] : imports)
      + taken.map { "let \($0) = URL(fileURLWithPath: \"/\($0)\")" }
    let body = block.lines.filter { !$0.hasPrefix("import ") }
    try Data((prelude + body).joined(separator: "\n").utf8).write(to: file)
    return try SwiftCompiler.complaint(
      [
        "-typecheck", "-swift-version", "6", "-module-cache-path", folder.file("cache").path, "-I",
        BuiltCommand.products.appendingPathComponent("Modules").path,
      ] + moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [file.path])
  }

  /// Of the C shims that the library stands on: those of the sources, and those that the build has written.
  private static func moduleMaps() throws -> [String] {
    try [Fixtures.checkout.appendingPathComponent("Sources/C"), BuiltCommand.products].flatMap { folder in
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter {
          folder != BuiltCommand.products || $0.lastPathComponent.wholeMatch(of: /C[A-Z].*\.build/) != nil
        }
        .map { $0.appendingPathComponent("module.modulemap").path }
        .filter { FileManager.default.fileExists(atPath: $0) }
    }
  }
}
