import Bodies
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ShardChoiceTests {
  private func shard(_ environment: [String: String], of count: Int? = nil) throws(UsageError) -> String {
    try ShardChoice.automatic(of: count).shard(in: environment).text
  }

  /// What a page says of the variables is what is looked at.
  @Test func thePageNamesEverySystem() throws {
    let page = try SourceFiles.text("docs/scale.md")
    let named = Set(page.matches(of: /\| `([A-Z][A-Z_]+)`/).map { String($0.1) })
    #expect(named.isSuperset(of: ShardChoice.systems.map(\.index)))
    let known = Set(ShardChoice.systems.flatMap { [$0.index, $0.count] })
    #expect(named.isSubset(of: known), "\(named.subtracting(known))")
  }

  @Test func theNumberOfPartsMayBeTyped() throws {
    #expect(try shard(["JOB_COMPLETION_INDEX": "7"], of: 8) == "8/8")
    #expect(try shard(["JOB_COMPLETION_INDEX": "7", "PREHEAT_SHARDS": "8"], of: 8) == "8/8")
    #expect(throws: UsageError.self) {
      try shard(["JOB_COMPLETION_INDEX": "7", "PREHEAT_SHARDS": "9"], of: 8)
    }
    #expect(throws: UsageError.self) { try shard(["JOB_COMPLETION_INDEX": "8"], of: 8) }
    let values = try OptionValuesTests.values(["plan", "a.job", "--shard", "auto/8"])
    #expect(values[CommandKey.shard] == .automatic(of: 8))
  }

  @Test(arguments: [
    (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "4"], "1/4"),
    (["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"], "4/4"),
    (["JOB_COMPLETION_INDEX": "2", "PREHEAT_SHARDS": "8"], "3/8"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "10000"], "1/10000"),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5"], "1/5"),
    (["BUILDKITE_PARALLEL_JOB": "4", "BUILDKITE_PARALLEL_JOB_COUNT": "5"], "5/5"),
    (["STRATEGY_JOB_INDEX": "1", "STRATEGY_JOB_TOTAL": "2"], "2/2"),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "3"], "1/3"),
    (["SYSTEM_JOBPOSITIONINPHASE": "3", "SYSTEM_TOTALJOBSINPHASE": "3"], "3/3"),
    (["CLOUD_RUN_TASK_INDEX": "4", "CLOUD_RUN_TASK_COUNT": "9"], "5/9"),
    // Two that say the same.
    (
      ["STRATEGY_JOB_INDEX": "1", "STRATEGY_JOB_TOTAL": "2", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"],
      "2/2"
    ),
  ])
  func systemsSayWhichPartItIs(environment: [String: String], text: String) throws {
    #expect(try shard(environment) == text)
  }

  @Test(arguments: [
    ([:], "none of these variables is set: SLURM_ARRAY_TASK_ID"),
    (["CI_NODE_INDEX": ""], "none of these variables is set"),
    (["SLURM_ARRAY_TASK_ID": "1"], "SLURM_ARRAY_TASK_COUNT"),
    (["JOB_COMPLETION_INDEX": "1"], "PREHEAT_SHARDS"),
    (["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"], "is 5"),
    (["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "5"], "is x"),
    (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], "is 5"),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "-5"], "is -5"),
    (["CI_NODE_INDEX": "99999999999999999999", "CI_NODE_TOTAL": "5"], "is 9999"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "3",
      ], "is 3"
    ),
    (
      ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5", "JOB_COMPLETION_INDEX": "1", "PREHEAT_SHARDS": "5"],
      "2/5 and 1/5"
    ),
  ])
  func whatIsMissingWrongOrAmbiguousIsAnError(environment: [String: String], words: String) {
    let error = #expect(throws: UsageError.self) { try shard(environment) }
    #expect(error.map { "\($0.lines)".contains(words) } == true, "\(String(describing: error))")
  }

  @Test(arguments: ["0/3", "4/3", "3", "first", "1/2/3", "auto/0", "auto/", "auto/x"])
  func aPartIsCheckedBeforeAnythingIsRead(
    text: String
  ) {
    #expect(throws: UsageError.self) { try OptionValuesTests.values(["plan", "a.job", "--shard", text]) }
  }
}
