import Foundation
import TestSupport
import Testing

/// The job definitions for AWS Batch as it starts them: the words of `command` behind the entry point of the image.
@Suite(.timeLimit(.minutes(10)))
struct ClusterRunTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.checkout.appendingPathComponent(path), encoding: .utf8)
  }

  /// Runs a definition with paths of a scene in place of its mounts.
  private static func run(
    _ name: String, _ values: [String: String], _ environment: [String: String] = [:], in scene: Scene
  ) throws -> BuiltCommand.Result {
    #expect(try text("scripts/make-image").contains("--config.entrypoint /usr/local/bin/preheat "))
    #expect(try text("Dockerfile").hasSuffix("[\"preheat\"]\n"))
    let data = Data(try text("jobs/aws-batch/\(name).json").utf8)
    let definition = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let container = try #require(definition["containerProperties"] as? [String: Any])
    let parameters = try #require(definition["parameters"] as? [String: String])
    // Nothing else stands between the definition and the program.
    #expect(container["entryPoint"] == nil)
    let words = try #require(container["command"] as? [String]).map { word -> String in
      let name = word.hasPrefix("Ref::") ? String(word.dropFirst(5)) : ""
      return (values[name] ?? parameters[name] ?? word)
        .replacing(/^\/(out|jobs)\//) { "\(scene.folder.url.path)/\($0.1)/" }
    }
    return try BuiltCommand.run(words, in: scene.folder.url, environment: environment)
  }

  @Test func theArrayAndTheJobThatJoinsGiveTheWholeCache() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines.joined(separator: "\n"))
      try FileManager.default.createDirectory(
        at: scene.folder.file("jobs"), withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        at: scene.folder.file("test.job"), to: scene.folder.file("jobs/catalog.job"))
      for index in 0..<3 {
        let part = try Self.run(
          "parts", [:], ["AWS_BATCH_JOB_ARRAY_INDEX": "\(index)", "AWS_BATCH_JOB_ARRAY_SIZE": "3"], in: scene)
        #expect(part.status == 0, "\(part.messages)")
      }
      let joined = try Self.run("merge", ["parts": "3"], in: scene)
      #expect(joined.status == 0, "\(joined.messages)")
      let whole = try BuiltCommand.run(
        ["run", "jobs/catalog.job", "--cache", "whole", "--retries", "0"], in: scene.folder.url)
      #expect(whole.status == 0)
      #expect(try scene.files(in: "out/catalog") == scene.files(in: "whole"))
    }.value
  }
}
