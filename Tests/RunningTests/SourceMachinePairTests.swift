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

  /// The names of all events and stages. The compiler asks for a name of each, and for a value of each name.
  private enum EventName: CaseIterable {
    case files, version, localFile, reserved, head, body, unchanged, damaged, failed, rendered, notRendered
    case staged, cancelled

    init(_ event: SourceMachine.Event) {
      self =
        switch event {
        case .files: .files
        case .version: .version
        case .localFile: .localFile
        case .reserved: .reserved
        case .head: .head
        case .body: .body
        case .unchanged: .unchanged
        case .damaged: .damaged
        case .failed: .failed
        case .rendered: .rendered
        case .notRendered: .notRendered
        case .staged: .staged
        case .cancelled: .cancelled
        }
    }

    func event(_ results: RenderedOutputs) -> SourceMachine.Event {
      switch self {
      case .files: .files([[SourceMachinePairTests.version]])
      case .version: .version(nil)
      case .localFile: .localFile(nil)
      case .reserved: .reserved
      case .head: .head(nil)
      case .body: .body(SourceScene.body("a"))
      case .unchanged: .unchanged
      case .damaged: .damaged(.init(session: 0, name: "f"))
      case .failed: .failed(RunFailure(step: .fetch, code: "fetch.status", message: "no"))
      case .rendered: .rendered(results, nil)
      case .notRendered: .notRendered(RenderFailure(.timeout, "no"))
      case .staged: .staged
      case .cancelled: .cancelled
      }
    }
  }

  private enum StageName: CaseIterable {
    case idle, lookingUpFiles, lookingUpVersion, lookingUpLocalFile, lookingUpVersionForHead, measuring
    case reservingHead, fetchingHead, renderingHead, reserving, fetching, lookingUpAdapted, rendering, storing
    case ended

    init(_ stage: SourceMachine.Stage) {
      self =
        switch stage {
        case .idle: .idle
        case .lookingUpFiles: .lookingUpFiles
        case .lookingUpVersion: .lookingUpVersion
        case .lookingUpLocalFile: .lookingUpLocalFile
        case .lookingUpVersionForHead: .lookingUpVersionForHead
        case .measuring: .measuring
        case .reservingHead: .reservingHead
        case .fetchingHead: .fetchingHead
        case .renderingHead: .renderingHead
        case .reserving: .reserving
        case .fetching: .fetching
        case .lookingUpAdapted: .lookingUpAdapted
        case .rendering: .rendering
        case .storing: .storing
        case .ended: .ended
        }
    }

    func stage(_ rendering: SourceMachine.Rendering, _ results: RenderedOutputs) -> SourceMachine.Stage {
      switch self {
      case .idle: .idle
      case .lookingUpFiles: .lookingUpFiles([0])
      case .lookingUpVersion: .lookingUpVersion
      case .lookingUpLocalFile: .lookingUpLocalFile
      case .lookingUpVersionForHead: .lookingUpVersionForHead
      case .measuring: .measuring
      case .reservingHead: .reservingHead
      case .fetchingHead: .fetchingHead
      case .renderingHead: .renderingHead(rendering)
      case .reserving: .reserving
      case .fetching: .fetching
      case .lookingUpAdapted: .lookingUpAdapted(rendering.parts.map(\.task), of: rendering.body)
      case .rendering: .rendering(rendering)
      case .storing: .storing(.init(rendering: rendering, outputs: results, damage: nil), sessions: [0])
      case .ended: .ended
      }
    }

    /// The answers that its question has.
    var answers: Set<EventName> {
      switch self {
      case .idle, .ended: []
      case .lookingUpFiles, .lookingUpAdapted: [.files]
      case .lookingUpVersion, .lookingUpVersionForHead: [.version]
      case .lookingUpLocalFile, .measuring: [.localFile]
      case .reservingHead, .reserving: [.reserved]
      case .fetchingHead: [.head, .failed]
      case .renderingHead, .rendering: [.rendered, .notRendered]
      case .fetching: [.body, .unchanged, .damaged, .failed]
      case .storing: [.staged]
      }
    }

    /// A run can be cancelled while a source is fetched or drawn; all other questions are answered all the same.
    var canBeCancelled: Bool { [.fetchingHead, .renderingHead, .fetching, .rendering].contains(self) }
  }

  @Test func everyPairOfStageAndEventIsAnAnswerAnEndOrAFailure() throws {
    var scene = try SourceScene("\(SourceScene.url) circle")
    scene.answerNoFiles()
    scene.answer(.reserved, .body(SourceScene.body("a")))
    let rendering = try #require(scene.rendering)
    let results = try RenderedOutputs(
      answer: RenderAnswer(
        source: nil, outputs: [.encoded(format: .png, width: 1, height: 1, byteCount: 1, note: nil)]),
      payload: [7], count: 1)
    for stage in StageName.allCases {
      let value = stage.stage(rendering, results)
      #expect(StageName(value) == stage)
      for name in EventName.allCases {
        let event = name.event(results)
        #expect(EventName(event) == name)
        var machine = scene.machine
        machine.stage = value
        machine.held = 100
        let step = machine.take(event)
        let codes = step.flatMap(Self.failureCodes)
        if stage.answers.contains(name) {
          #expect(!codes.contains("source.internal"), "\(stage), \(name)")
        } else if stage == .ended || name == .cancelled && stage.canBeCancelled {
          #expect(codes.isEmpty, "\(stage), \(name)")
        } else {
          #expect(codes == ["source.internal"], "\(stage), \(name)")
          guard case .ended = machine.stage else {
            Issue.record("\(stage), \(name): it goes on")
            continue
          }
          #expect(machine.held == 0, "\(stage), \(name)")
        }
      }
    }
  }

  private static func failureCodes(_ action: SourceMachine.Action) -> [String] {
    guard case .settle(let outcomes) = action else { return [] }
    return outcomes.compactMap {
      guard case .failed(let failure) = $0.status else { return nil }
      return failure.code
    }
  }
}
