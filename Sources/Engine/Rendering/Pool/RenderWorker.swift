import Concurrency
import Glibc
import Pictures
import Signposts

/// One place for a worker process: starts it when there is work, keeps it for the next, replaces it
/// when it breaks. As an actor on its own thread it renders one picture at a time.
actor RenderWorker {
  typealias Picture = (answer: RenderAnswer, payload: [UInt8])

  struct Settings: Sendable {
    var launch: WorkerLaunch
    /// Number of pictures after which a process makes way for its supervisor's next copy.
    var picturesPerProcess: Int
    var maxAnswerBytes: Int
  }

  nonisolated let killSwitch = KillSwitch()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let executor: BlockingExecutor
  private let settings: Settings
  private let signposts: WorkerSignposts
  /// Pictures, and the time they took, counted apart from any recording.
  private var work = (pictures: 0, time: Duration.zero)
  private var process: WorkerProcess?
  private let requests = FrameHeaders<RenderRequest>()
  private let answers = FrameHeaders<RenderAnswer>()

  init(_ settings: Settings, _ signposts: WorkerSignposts = WorkerSignposts()) {
    self.settings = settings
    self.signposts = signposts
    executor = BlockingExecutor()
  }

  /// Does a job, and then those that wait.
  func serve(_ first: WorkerQueue.Job, from queue: WorkerQueue) {
    var next: WorkerQueue.Job? = first
    while let job = next {
      let handOver = job.run(self)
      next = queue.next(for: self, after: job)
      handOver()
    }
  }

  /// A process that has answered before may carry the damage of an earlier picture: when it dies, a
  /// fresh one gets the picture once more. A fresh one's death is the picture's own doing.
  func render(
    _ request: RenderRequest, bytes: [UInt8], labels: RenderLabels = RenderLabels()
  ) -> Result<Picture, RenderFailure> {
    let start = SuspendingClock.now
    let begin = SignpostClock.now
    let interval = signposts.begin(request, bytes: bytes, labels: labels)
    var request = request
    if request.outputs.count > 1 { request.reportsProgress = true }
    if signposts.signposts.isEnabled { request.recordsIntervals = true }
    let result = attempt(request, bytes: bytes)
    switch result {
    case .success(let picture):
      signposts.end(
        interval, from: begin, intervals: picture.answer.intervals ?? [], of: request, labels: labels)
    case .failure(let failure): signposts.fail(interval, failure)
    }
    work.pictures += 1
    work.time += .now - start
    return result
  }

  private func attempt(_ request: RenderRequest, bytes: [UInt8]) -> Result<Picture, RenderFailure> {
    guard !killSwitch.isPulled else { return .failure(.stopped) }
    var isReused = process.map { 0 < $0.answered } ?? false
    while true {
      do throws(RenderFailure) {
        return .success(try exchange(request, bytes, with: try readyProcess()))
      } catch {
        guard !killSwitch.isPulled else { return .failure(.stopped) }
        // The time that a picture takes is its own.
        guard isReused, error.code != .timeout else { return .failure(error) }
        isReused = false
      }
    }
  }

  /// Answers to many pictures that are sent without waiting: for small ones two processes that wait for each other in
  /// turn cost more than decoding.
  ///
  /// - Parameter request: the same for all of them; its outputs have no bytes of their own.
  /// - Returns: nil for a picture without an answer. It has to be asked for by itself.
  func render(_ request: RenderRequest, all pictures: [[UInt8]]) -> [RenderAnswer?] {
    let start = SuspendingClock.now
    var answers = [RenderAnswer?](repeating: nil, count: pictures.count)
    guard !killSwitch.isPulled else { return answers }
    // The picture that is asked for next says why there is none.
    guard let process = try? readyProcess() else { return answers }
    do { try exchange(request, all: pictures, with: process, &answers) } catch {
      self.process = nil
      _ = process.end(within: .zero)
    }
    work.pictures += answers.count { $0 != nil }
    work.time += .now - start
    return answers
  }

  private func exchange(
    _ request: RenderRequest, all pictures: [[UInt8]], with process: WorkerProcess,
    _ answers: inout [RenderAnswer?]
  ) throws {
    let socket = process.socket.raw
    let isLast = process.answered + pictures.count >= settings.picturesPerProcess
    for (index, bytes) in pictures.enumerated() {
      var request = request
      if isLast, index == pictures.count - 1 { request.isLast = true }
      try send(request, bytes, to: socket)
    }
    for index in pictures.indices {
      let answer = try read(request, from: socket)
      if answer.header.death != nil || answer.header.isAgain == true {
        // Its next copy goes on with the pictures behind it.
        process.startOver()
        continue
      }
      guard Self.fits(answer, request) else { throw Self.misfit }
      answers[index] = answer.header
      process.answered += 1
      process.listen()
    }
    if isLast { process.startOver() }
  }

  /// Ends the process, if there is one. The switch must have been pulled for good before.
  func stop() {
    process = nil
    guard work.pictures > 0 else { return }
    signposts.emit(
      .endWorker,
      // fits: a processor's time of no more than 292 years.
      [.count: .integer(work.pictures), .busy: .integer(Int(work.time / .nanoseconds(1)))])
  }

  private func readyProcess() throws(RenderFailure) -> WorkerProcess {
    if let process { return process }
    let fresh = try WorkerProcess(settings.launch, killSwitch: killSwitch)
    process = fresh
    signposts.emit(.startWorker)
    return fresh
  }

  private func exchange(
    _ request: RenderRequest, _ bytes: [UInt8], with process: WorkerProcess
  ) throws(RenderFailure) -> Picture {
    let picture: (header: RenderAnswer, payload: [UInt8])
    var request = request
    if process.answered + 1 >= settings.picturesPerProcess { request.isLast = true }
    do {
      let socket = process.socket.raw
      try send(request, bytes, to: socket)
      var answer = try read(request, from: socket)
      if answer.header.isAgain == true {
        process.startOver()
        request.isLast = nil
        try send(request, bytes, to: socket)
        answer = try read(request, from: socket)
      }
      guard answer.header.death != nil || Self.fits(answer, request) else { throw Self.misfit }
      picture = answer
    } catch {
      self.process = nil
      throw explain(error, of: process, request)
    }
    if let status = picture.header.death {
      // The worker has replaced itself, at a fraction of the price of another process.
      let failure = WorkerExit(waitStatus: status).failure(
        executable: settings.launch.executable, tail: process.lastWords())
      process.startOver()
      throw failure
    }
    process.answered += 1
    process.listen()
    if request.isLast == true { process.startOver() }
    return (picture.header, picture.payload)
  }

  private func send(_ request: RenderRequest, _ bytes: [UInt8], to socket: Int32) throws {
    try RenderFrame.write(
      request, payload: [bytes], to: socket, known: requests, deadline: request.limits.deadline)
  }

  /// The answer, once the words on the way have been heard; each gives the next result its own time.
  private func read(
    _ request: RenderRequest, from socket: Int32
  ) throws -> (header: RenderAnswer, payload: [UInt8]) {
    for _ in 0...request.outputs.count {
      let answer = try RenderFrame.read(
        RenderAnswer.self, from: socket, known: answers, maxPayload: settings.maxAnswerBytes,
        deadline: request.limits.deadline)
      guard let answer else { throw RenderFrame.Failure.closed }
      if answer.header.progress == nil { return answer }
    }
    throw RenderFrame.Failure.invalid("it says more words than there are results")
  }

  private static let misfit = RenderFrame.Failure.invalid("its results are not those of the request")

  /// Whether the worker answered what it was asked, with the bytes that it announces.
  private static func fits(
    _ answer: (header: RenderAnswer, payload: [UInt8]), _ request: RenderRequest
  ) -> Bool {
    let count = request.outputs.count
    return (try? RenderedOutputs(answer: answer.header, payload: answer.payload, count: count)) != nil
  }

  private func explain(
    _ error: any Error, of process: WorkerProcess, _ request: RenderRequest
  ) -> RenderFailure {
    let executable = settings.launch.executable
    switch error as? RenderFrame.Failure {
    case .timedOut:
      _ = process.end(within: .zero)
      return RenderFailure(
        .timeout,
        "a result took longer than four times \(request.limits.seconds) s and its worker was stopped")
    case .closed, .system:
      // It is most likely on its way out; its status says more than the broken socket.
      let exit = process.end(within: killSwitch.isPulled ? .zero : .seconds(1))
      return exit.failure(executable: executable, tail: process.lastWords())
    default:
      _ = process.end(within: .zero)
      return RenderFailure(
        .worker, "the render worker \(executable) did not answer as it should: \(error)")
    }
  }
}

extension RenderFailure {
  static let stopped = RenderFailure(
    .cancelled, "the run was stopped before the picture was rendered")
}

extension RenderLimits {
  /// From now on, for one result. A worker ends by itself what takes too much of a processor's time: on a busy machine
  /// that takes longer.
  fileprivate var deadline: ContinuousClock.Instant { .now + .seconds(4 * min(max(0, seconds), 1e9)) }
}
