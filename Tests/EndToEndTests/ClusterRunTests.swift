import Foundation
import TestSupport
import Testing

/// The job definitions for AWS Batch as it starts them: the words of `command` behind the entry point of the image.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ClusterRunTests {
  /// Runs a definition with paths of a scene in place of its mounts.
  private static func run(
    _ name: String, _ values: [String: String], _ environment: [String: String] = [:], in scene: Scene
  ) throws -> BuiltCommand.Result {
    let image = try SourceFiles.text("scripts/make-image")
    #expect(image.contains("--config.entrypoint /usr/local/bin/preheat "))
    #expect(try SourceFiles.text("Dockerfile").hasSuffix("[\"preheat\"]\n"))
    let data = Data(try SourceFiles.text("jobs/aws-batch/\(name).json").utf8)
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
    return try scene.preheat(words, environment: environment)
  }

  @Test func theArrayAndTheJobThatJoinsGiveTheWholeCache() throws {
    let scene = try Scene(Scene.ordinaryLines.joined(separator: "\n"))
    try scene.folder.makeFolder("jobs")
    try FileManager.default.moveItem(
      at: scene.folder.file("test.job"), to: scene.folder.file("jobs/catalog.job"))
    for index in 0..<3 {
      try Self.run(
        "parts", [:], ["AWS_BATCH_JOB_ARRAY_INDEX": "\(index)", "AWS_BATCH_JOB_ARRAY_SIZE": "3"], in: scene
      ).expect(0)
    }
    try Self.run("merge", ["parts": "3"], in: scene).expect(0)
    try scene.preheat(["run", "jobs/catalog.job", "--cache", "whole", "--retries", "0"]).expect(0)
    #expect(try scene.files(in: "out/catalog") == scene.files(in: "whole"))
  }
}
