import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

/// What the files for clusters say to the command is what it takes.
@Suite(.timeLimit(.minutes(10))) struct ClusterFileTests {
  private static func text(_ name: String) throws -> String {
    try SourceFiles.text("jobs/\(name)")
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
