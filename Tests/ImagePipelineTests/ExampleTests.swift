import Foundation
import NukeCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExampleTests {
  /// Runs `examples/library` to its end.
  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = BuiltCommand.products.appendingPathComponent("library-example")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func theExampleLeavesWhatAnAppLooksUp() throws {
    let folder = try TemporaryFolder()
    let cache = folder.file("cache")
    let picture = Fixtures.folder.appendingPathComponent("images/mountains.jpg").absoluteString
    let first = try run([cache.path, picture])
    #expect(first.status == 0, "\(first.output)")
    #expect(first.output.hasPrefix("made: "))
    let key = CacheKeyFormat(version: .latest, screenScale: 3)
      .dataCacheKey(imageID: picture, processors: [.resize(width: 320)])
    #expect(try DataCache(path: cache).containsData(for: key))
    #expect(try run([cache.path, picture]).output.hasPrefix("from disk: "))
  }

  @Test func theExampleSaysWhatFailed() throws {
    let folder = try TemporaryFolder()
    let result = try run([folder.path, "file:///no/such.png"])
    #expect(result.status == 3)
    #expect(result.output.contains("/no/such.png"))
    #expect(try run([]).status == 2)
  }
}
