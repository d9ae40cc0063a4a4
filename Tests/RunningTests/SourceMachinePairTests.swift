import JobSupport
import Pictures
import Testing
import Text

@testable import CacheStore
@testable import Fetching
@testable import Planning
@testable import Rendering
@testable import Running

/// Every event in every stage: it is an answer to the open question, the end of a cancelled run, or a failure.
@Suite(.timeLimit(.minutes(10)))
struct SourceMachinePairTests {
  private static let version = VersionMark(digest: "a", etag: nil)

  private static func events(_ results: RenderedOutputs) -> [(name: String, event: SourceMachine.Event)] {
    [
      ("files", .files([[version]])), ("version", .version(nil)), ("localFile", .localFile(nil)),
      ("reserved", .reserved), ("head", .head(nil)), ("body", .body(SourceScene.body("a"))),
      ("unchanged", .unchanged), ("damaged", .damaged(.init(session: 0, name: "f"))),
      ("failed", .failed(RunFailure(step: .fetch, code: "fetch.status", message: "no"))),
      ("rendered", .rendered(results, nil)), ("notRendered", .notRendered(RenderFailure(.timeout, "no"))),
      ("staged", .staged), ("cancelled", .cancelled),
    ]
  }

  private static func stages(
    _ rendering: SourceMachine.Rendering, _ results: RenderedOutputs
  ) -> [(name: String, stage: SourceMachine.Stage)] {
    [
      ("idle", .idle), ("lookingUpFiles", .lookingUpFiles([0])), ("lookingUpVersion", .lookingUpVersion),
      ("lookingUpLocalFile", .lookingUpLocalFile), ("lookingUpVersionForHead", .lookingUpVersionForHead),
      ("measuring", .measuring), ("reservingHead", .reservingHead), ("fetchingHead", .fetchingHead),
      ("renderingHead", .renderingHead(rendering)), ("reserving", .reserving), ("fetching", .fetching),
      ("rendering", .rendering(rendering)),
      (
        "storing",
        .storing(.init(rendering: rendering, outputs: results, proof: nil), sessions: [0])
      ),
      ("ended", .ended),
    ]
  }

  /// The answers that each stage's question has.
  private static let answers: [String: Set<String>] = [
    "lookingUpFiles": ["files"], "lookingUpVersion": ["version"], "lookingUpLocalFile": ["localFile"],
    "lookingUpVersionForHead": ["version"], "measuring": ["localFile"], "reservingHead": ["reserved"],
    "fetchingHead": ["head", "failed"], "renderingHead": ["rendered", "notRendered"],
    "reserving": ["reserved"], "fetching": ["body", "unchanged", "damaged", "failed"],
    "rendering": ["rendered", "notRendered"], "storing": ["staged"],
  ]

  /// A run can be cancelled while a source is fetched or drawn; all other questions are answered all the same.
  private static let cancelled: Set = ["fetchingHead", "renderingHead", "fetching", "rendering"]

  @Test func everyPairOfStageAndEventIsAnAnswerAnEndOrAFailure() throws {
    var scene = try SourceScene("\(SourceScene.url) circle")
    scene.answerNoFiles()
    scene.answer(.reserved, .body(SourceScene.body("a")))
    let rendering = try #require(scene.rendering)
    let results = try RenderedOutputs(
      answer: RenderAnswer(
        source: nil, outputs: [.encoded(format: .png, width: 1, height: 1, byteCount: 1, note: nil)]),
      payload: [7], count: 1)
    var failures = 0
    for (stage, value) in Self.stages(rendering, results) {
      for (name, event) in Self.events(results) {
        var machine = scene.machine
        machine.stage = value
        machine.held = 100
        let step = machine.take(event)
        let codes = step.flatMap(Self.failureCodes)
        if Self.answers[stage]?.contains(name) == true {
          #expect(!codes.contains("source.internal"), "\(stage), \(name)")
        } else if stage == "ended" || name == "cancelled" && Self.cancelled.contains(stage) {
          #expect(codes.isEmpty, "\(stage), \(name)")
        } else {
          failures += 1
          #expect(codes == ["source.internal"], "\(stage), \(name)")
          guard case .ended = machine.stage else {
            Issue.record("\(stage), \(name): it goes on")
            continue
          }
          #expect(machine.held == 0, "\(stage), \(name)")
        }
      }
    }
    #expect(failures == 13 * 13 - 18 - 4)
  }

  private static func failureCodes(_ action: SourceMachine.Action) -> [String] {
    guard case .settle(let outcomes) = action else { return [] }
    return outcomes.compactMap {
      guard case .failed(let failure) = $0.status else { return nil }
      return failure.code
    }
  }
}
