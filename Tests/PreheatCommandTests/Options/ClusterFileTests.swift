import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

/// What the files for clusters say to the command is what it takes.
@Suite(.timeLimit(.minutes(10))) struct ClusterFileTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Fixtures.checkout.appendingPathComponent("jobs/\(name)"), encoding: .utf8)
  }

  /// The list behind `args:`.
  private static func arguments(ofKubernetes name: String) throws -> [String] {
    let lines = try text(name).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.firstIndex(of: "args:"))
    return lines[(start + 1)...].prefix { $0.hasPrefix("- ") }.map {
      $0.dropFirst(2).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
  }

  @Test func kubernetesStartsAPartInEachPod() throws {
    let parts = try Self.text("kubernetes/parts.yml")
    let count = try #require(parts.firstMatch(of: /completions: (\d+)/)?.1)
    let run = try RunArguments(
      OptionValuesTests.values(try Self.arguments(ofKubernetes: "kubernetes/parts.yml")))
    #expect(run.job.shard == .automatic(of: Int(count)))
    #expect(run.job.given["cache"]?.contains("{shard}") == true)
    try Self.checkMerge(try Self.arguments(ofKubernetes: "kubernetes/merge.yml"), parts: String(count))
  }

  /// All parts are joined, and none of a job whose folder has a longer name: no pattern of a shell says which they are.
  private static func checkMerge(_ words: [String], parts: String) throws {
    _ = try MergeCommand(OptionValuesTests.values(words))
    let place = try #require(words.firstIndex(of: "--parts"))
    #expect(words[place + 1] == parts && words.contains { $0.hasSuffix(".{shard}") })
    #expect(!words.contains { $0.contains("*") })
  }

  @Test func awsStartsAPartInEachJobOfTheArray() throws {
    let data = Data(try Self.text("aws-batch/parts.json").utf8)
    let definition = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let container = try #require(definition["containerProperties"] as? [String: Any])
    let parameters = try #require(definition["parameters"] as? [String: String])
    let words = try #require(container["command"] as? [String]).map { word in
      word.hasPrefix("Ref::") ? parameters[String(word.dropFirst(5))] ?? word : word
    }
    let run = try RunArguments(OptionValuesTests.values(words))
    #expect(run.job.shard == .automatic(of: nil))
    #expect(run.job.jobs == [parameters["job"]])
    let merge = try #require(
      try JSONSerialization.jsonObject(with: Data(Self.text("aws-batch/merge.json").utf8)) as? [String: Any])
    let joining = (merge["containerProperties"] as? [String: Any])?["command"] as? [String]
    let number = try #require((merge["parameters"] as? [String: String])?["parts"])
    try Self.checkMerge(try #require(joining).map { $0 == "Ref::parts" ? number : $0 }, parts: number)
  }

  @Test(arguments: ["slurm/part.sbatch", "slurm/merge.sbatch"]) func slurmCallsTheCommandRightly(name: String)
    throws
  {
    let text = try Self.text(name).replacing("\\\n", with: " ")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("preheat ") })
    // As a shell takes it apart, with a word for each variable.
    let words = line.split(separator: " ").dropFirst().map { word in
      String(word).replacing("\"", with: "").replacing(/\$\{[^}]*:-([^}]*)\}/) { String($0.1) }
    }
    if name.contains("part") {
      #expect(try RunArguments(OptionValuesTests.values(words)).job.shard == .automatic(of: nil))
    } else {
      try Self.checkMerge(
        words.map { $0 == "$PREHEAT_PARTS" ? "7" : $0.replacing("$PREHEAT_CACHE", with: "out") }, parts: "7")
    }
  }
}
