import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

/// The exit codes of commands that answer a question.
@Suite(.timeLimit(.minutes(10)))
struct ExitCodeTests {
  private func run(_ arguments: String...) async throws -> (code: Int32, output: String) {
    let output = try Capture()
    let messages = try Capture()
    let code = await PreheatCommand.run(
      arguments: arguments, environment: [:], output: output.stream, messages: messages.stream)
    return (code, output.text)
  }

  @Test func everyNumberMeansOneThing() {
    #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
  }

  @Test func differingCachesHaveACodeOfTheirOwn() async throws {
    let folder = try TemporaryFolder()
    for cache in ["a", "b", "c"] {
      try FileManager.default.createDirectory(at: folder.file(cache), withIntermediateDirectories: false)
      try Data(cache == "c" ? [2] : [1]).write(
        to: folder.file("\(cache)/\(String(repeating: "0", count: 40))"))
    }
    let path = { (cache: String) in folder.file(cache).path }
    #expect(try await run("diff", path("a"), path("b")).code == ExitCode.success.rawValue)
    #expect(try await run("diff", path("a"), path("c")).code == ExitCode.different.rawValue)
  }

  @Test func aMissIsNoFailedRendition() async throws {
    let folder = try TemporaryFolder()
    let result = try await run(
      "key", "--client", "nuke 12", "--in", folder.path, "https://e.com/1.jpg", "circle")
    #expect(result.code == ExitCode.missed.rawValue)
    #expect(result.output.contains("miss"))
  }
}
