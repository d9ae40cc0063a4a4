import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

/// How long a worker may be silent over one result, by the clock.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FakePool.python != nil))
struct RenderTimeTests {
  private static let png = RenderOutput(steps: [], encoding: .png)
  private static let jpeg = RenderOutput(steps: [], encoding: .jpeg(quality: 80))

  private func results(
    _ outputs: [RenderOutput], _ commands: String, seconds: Double
  ) async throws(RenderFailure) -> RenderedOutputs {
    let fake = FakePool()
    let renderer = SourceRenderer(
      pool: fake.pool, limits: RenderLimits(seconds: seconds), formats: ImageFormat.trusted)
    let result: Result<RenderedOutputs, RenderFailure>
    do throws(RenderFailure) {
      result = .success(try await renderer.render(outputs, of: Array(commands.utf8)))
    } catch {
      result = .failure(error)
    }
    await fake.pool.shutdown()
    return try result.get()
  }

  private func text(_ results: RenderedOutputs, _ index: Int) throws -> String {
    String(decoding: try results.bytes(at: index, source: []), as: UTF8.self)
  }

  private func code(_ results: RenderedOutputs, _ index: Int) -> RenderFailure.Code? {
    do throws(RenderFailure) {
      _ = try results.bytes(at: index, source: [])
      return nil
    } catch {
      return error.code
    }
  }

  @Test func eachResultHasTheWholeTime() async throws {
    let results = try await results(
      [Self.png, Self.png, Self.png], "sleep 2\nmade 1\nsleep 2\nmade 2\nsleep 2\necho done", seconds: 1.25
    )
    #expect(try text(results, 0) == "done" && text(results, 2) == "-")
  }

  @Test func aWorkerThatSaysMoreThanThereIsIsNotBelieved() async throws {
    let fake = FakePool()
    #expect(await fake.failure("made 1\nmade 1\nmade 1\necho x")?.code == .worker)
    await fake.pool.shutdown()
  }

  @Test func aWorkerThatHasHadItsTimeIsStopped() async throws {
    let fake = FakePool()
    let failure = try #require(await fake.failure("spin", seconds: 0.5))
    #expect(failure.code == .timeout && failure.message.contains("0.5 s"))
    #expect(try await fake.run("echo next").text == "next")
    await fake.pool.shutdown()
  }

  /// The worker gives up a slow result by itself. One that is stopped has made none.
  @Test func whereAWorkerIsStoppedAllItsResultsAreLate() async throws {
    let results = try await results([Self.png, Self.jpeg, Self.png], "never jpeg\necho done", seconds: 0.5)
    #expect((0..<3).map { code(results, $0) } == [.timeout, .timeout, .timeout])
  }
}
