import Foundation
import TestSupport
import Testing

/// A tool that is killed leaves what was there or what was to be, and the next call completes it.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct ToolKillTests {
  @Test(.enabled(if: Tracing.isPossible), arguments: ToolStage.Tool.allCases)
  func aToolKilledAtASystemCallIsCompletedByTheNext(tool: ToolStage.Tool) throws {
    let stage = try ToolStage(tool)
    let points = try Tracing.points { wrapper in
      let (folder, status) = try stage.run(wrapper: wrapper)
      // A repair finds damage.
      #expect(status == (tool == .repair ? 6 : 0))
      try stage.check(folder, "not killed")
    }
    // Small entries of an archive are one write.
    #expect(points.count > 5, "\(points)")
    for point in Tracing.sample(points, few: 3) {
      let (folder, _) = try stage.run(wrapper: point.wrapper)
      try stage.check(folder, "killed at \(point)")
    }
  }
}
