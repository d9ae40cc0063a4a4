import Concurrency
import Foundation
import Pictures
import Signposts

/// Renders pictures in worker processes, so that a decoder that crashes, hangs or eats memory costs one
/// picture and never the run.
///
/// Processes are started when there is work for them, reused, and replaced when they break. Each holds
/// one picture at a time. More calls of ``render(_:bytes:)`` than workers wait their turn.
package final class RenderPool: Sendable {
  /// With this status a worker says that it ran out of memory.
  static let outOfMemoryStatus: Int32 = 71
  /// And with this one that there are no more processes or threads (`PS_NO_PROCESSES`).
  static let outOfProcessesStatus: Int32 = 72

  /// Tells a worker to decode even where nothing confines it.
  package static let allowUnconfined = "--allow-unconfined"

  /// The variables of the environment that a worker gets. It decodes strangers' bytes, and so has no use for anybody's
  /// tokens.
  static func passed(_ environment: [String: String]) -> [String: String] {
    let names: Set = [
      "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE",
    ]
    return environment.filter { names.contains($0.key) || $0.key.hasPrefix("VIPS_") }
  }

  private let workers: [RenderWorker]
  private let queue: WorkerQueue
  private let signposts: Signposter
  private let layers = Locked<Confinement?>(nil)

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - executable: Path of the worker, as from ``locateWorker(beside:environment:)``.
  ///   - workers: How many may run at once; nil takes one a processor.
  ///   - picturesPerWorker: Number of pictures after which a worker is replaced.
  ///   - maxAnswerBytes: More than this from a worker for one request is refused.
  ///   - environment: The variables to choose from.
  ///   - signposts: Records every picture, and what its worker did for it.
  package init(
    executable: String, arguments: [String] = [], workers: Int? = nil, picturesPerWorker: Int = 500,
    maxAnswerBytes: Int = 512 << 20, environment: [String: String] = ProcessInfo.processInfo.environment,
    signposts: Signposter = .disabled
  ) {
    var passed = Self.passed(environment)
    // A crash is answered here; Swift's own report of it would take seconds and leave a helper behind.
    if passed["SWIFT_BACKTRACE"] == nil { passed["SWIFT_BACKTRACE"] = "enable=no" }
    let launch = WorkerLaunch(executable: executable, arguments: arguments, environment: passed)
    let settings = RenderWorker.Settings(
      launch: launch, picturesPerProcess: picturesPerWorker, maxAnswerBytes: maxAnswerBytes)
    let count = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
    self.signposts = signposts
    self.workers = (1...count).map {
      RenderWorker(settings, WorkerSignposts(signposts: signposts, worker: $0))
    }
    queue = WorkerQueue(self.workers)
    signposts.sample(.queueDepth) { [queue] in queue.length }
  }

  /// The layers that held for every picture so far; nil where there was none.
  package var confinement: Confinement? { layers.withLock { $0 } }

  /// Renders one picture. The results that the answer calls `encoded` lie in the payload one after the other.
  ///
  /// Each result gets `limits.seconds` in a worker, waiting for one not counted. Cancelling the task kills
  /// the worker that holds it.
  ///
  /// - Throws: ``RenderFailure`` where there is no answer at all: `limit` for too many bytes, `timeout`,
  ///   `crash`, `memory`, `worker`, `cancelled`. What fails for one output is in the answer.
  func render(
    _ request: RenderRequest, bytes: [UInt8], labels: RenderLabels = RenderLabels()
  ) async throws(RenderFailure) -> (answer: RenderAnswer, payload: [UInt8]) {
    try request.limits.check(byteCount: bytes.count)
    let waiting = signposts.beginInterval(.waitForWorker)
    let result = await queue.run { [signposts] worker in
      signposts.endInterval(waiting)
      return worker.render(request, bytes: bytes, labels: labels)
    }
    guard let picture = try result?.get() else {
      signposts.endInterval(waiting)
      throw .stopped
    }
    if let seen = picture.answer.confinement { layers.withLock { $0 = $0?.intersection(seen) ?? seen } }
    return picture
  }

  /// Whether small pictures can be decoded to their ends, all of them sent to one worker at once.
  ///
  /// - Parameter request: what ``render(_:bytes:labels:)`` would be asked for each of them; its only output is `original`.
  /// - Returns: false for those of which that is not known: ``render(_:bytes:labels:)`` says why.
  func prove(_ pictures: [[UInt8]], by request: RenderRequest) async -> [Bool] {
    let answers = await queue.run { $0.render(request, all: pictures) }
    return (answers ?? pictures.map { _ in nil }).map { answer in
      guard let answer else { return false }
      if let seen = answer.confinement { layers.withLock { $0 = $0?.intersection(seen) ?? seen } }
      return answer.outputs == [.original]
    }
  }

  /// Ends all workers; what they were at, what waits and what comes later fails as `cancelled`.
  package func shutdown() async {
    queue.close()
    for worker in workers { worker.killSwitch.pull(forGood: true) }
    for worker in workers { await worker.stop() }
  }
}

/// What a recording of a picture's rendering says about it. Nothing of it reaches a worker.
package struct RenderLabels: Hashable, Sendable {
  /// The source, as its download says it too: its number, its host and its URL.
  package var source: SignpostMetadata = [:]
  /// The chains of the request's outputs, in their order.
  package var chains: [String] = []

  package init() {}
}
