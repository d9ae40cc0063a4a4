import Foundation

@testable import Pictures
@testable import Rendering

/// A pool whose workers are `fake_worker.py`, which does what the payload says.
struct FakePool {
  static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Workers/fake_worker.py").path

  /// A Python that is the interpreter itself, for a wrapper would start several processes a worker.
  static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let pool: RenderPool

  init(workers: Int = 1, picturesPerWorker: Int = 500, environment: [String: String] = [:]) {
    // Isolated and without site packages: it starts in milliseconds.
    pool = RenderPool(
      executable: Self.python ?? "", arguments: ["-I", "-S", Self.script], workers: workers,
      picturesPerWorker: picturesPerWorker, maxAnswerBytes: 1 << 20, environment: environment)
  }

  /// What one echoed result says, and the id of the process that made it.
  func run(_ commands: String, seconds: Double = 60) async throws(RenderFailure) -> (text: String, pid: pid_t)
  {
    let request = RenderRequest(
      outputs: [.init(steps: [], encoding: .png)], limits: RenderLimits(seconds: seconds))
    let result = try await pool.render(request, bytes: Array(commands.utf8))
    guard case .encoded(_, _, _, _, let note?)? = result.answer.outputs.first, let pid = pid_t(note) else {
      throw RenderFailure(.worker, "no note")
    }
    return (String(decoding: result.payload, as: UTF8.self), pid)
  }

  /// Why the commands failed; nil where they did not.
  func failure(_ commands: String, seconds: Double = 60) async -> RenderFailure? {
    do throws(RenderFailure) {
      _ = try await run(commands, seconds: seconds)
      return nil
    } catch {
      return error
    }
  }

  /// Waits for a file that a worker touches. The suite's time limit ends it where none comes.
  static func waitFor(_ file: URL) async throws {
    while !FileManager.default.fileExists(atPath: file.path) { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Whether the process is there at all, be it as a zombie.
  static func exists(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 || errno != ESRCH }
}
