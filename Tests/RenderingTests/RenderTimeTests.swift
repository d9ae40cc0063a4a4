import Foundation
import Testing

@testable import Pictures
@testable import Rendering

/// How long a worker may be silent over one result, by the clock.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FakePool.python != nil))
struct RenderTimeTests {
  private static let png = RenderOutput(steps: [], encoding: .png)
  private static let jpeg = RenderOutput(steps: [], encoding: .jpeg(quality: 80))

  /// The text of each result, or the code of its failure.
  private func results(
    _ outputs: [RenderOutput], _ commands: String, seconds: Double
  ) async throws -> [String] {
    let renderer = SourceRenderer(
      pool: FakePool().pool, limits: RenderLimits(seconds: seconds), formats: ImageFormat.trusted)
    let results = try await renderer.render(outputs, of: Array(commands.utf8))
    return outputs.indices.map { index in
      do throws(RenderFailure) {
        return String(decoding: try results.bytes(at: index, source: []), as: UTF8.self)
      } catch {
        return error.code.rawValue
      }
    }
  }

  @Test func eachResultHasTheWholeTime() async throws {
    let commands = "sleep 2\nmade 1\nsleep 2\nmade 2\nsleep 2\necho done"
    #expect(
      try await results([Self.png, Self.png, Self.png], commands, seconds: 1.25) == ["done", "-", "-"])
  }

  @Test func aWorkerThatSaysMoreThanThereIsIsNotBelieved() async throws {
    let fake = FakePool()
    #expect(await fake.failure("made 1\nmade 1\nmade 1\necho x")?.code == .worker)
  }

  /// The worker gives up a slow result by itself. One that is stopped has made none.
  @Test func whereAWorkerIsStoppedAllItsResultsAreLate() async throws {
    let results = try await results([Self.png, Self.jpeg, Self.png], "never jpeg\necho done", seconds: 0.5)
    #expect(results == ["render.timeout", "render.timeout", "render.timeout"])
  }
}
