/// How long a worker may be silent over one result: the time in which it works, not that in which it waits for a
/// processor.
struct WorkerPatience {
  let seconds: Double

  /// How many times longer a result may take on a busy machine than alone.
  private static let longestFactor = 20.0
  private static let look = Duration.seconds(1)

  /// A worker that waits for a processor gets some of its time in this time, however many others do.
  private var quiet: Duration { .seconds(min(10, max(1, seconds))) }

  /// Waits for a worker's next word.
  ///
  /// - Parameter used: the processor time of the worker so far; nil where it is unknown.
  /// - Throws: `timedOut` for a worker that has had its time, or that does not work at all.
  func wait(for socket: Int32, used: () -> Double?) throws(RenderFrame.Failure) {
    guard seconds < 1e9 else { return try listen(to: socket, until: nil) }
    let start = ContinuousClock.now
    // Nearly every answer comes in this time, and costs no look at the worker.
    let unmeasured = min(1, max(0, seconds) / 2)
    if try hasWord(socket, until: start + .seconds(unmeasured)) { return }
    var last = used()
    let end = last.map { $0 + seconds - unmeasured }
    var hasWorked = ContinuousClock.now
    var deadline = start + .seconds(max(0, seconds))
    while true {
      if try hasWord(socket, until: deadline) { return }
      let now = ContinuousClock.now
      guard let time = used(), let before = last, let end, time < end,
        now < start + .seconds(seconds * Self.longestFactor)
      else { throw .timedOut }
      if time > before { hasWorked = now } else if now - hasWorked >= quiet { throw .timedOut }
      last = time
      deadline = now + Self.look
    }
  }

  /// False when the time is over.
  private func hasWord(
    _ socket: Int32, until deadline: ContinuousClock.Instant
  ) throws(RenderFrame.Failure) -> Bool {
    do throws(RenderFrame.Failure) {
      try listen(to: socket, until: deadline)
      return true
    } catch {
      guard error == .timedOut else { throw error }
      return false
    }
  }

  private func listen(
    to socket: Int32, until deadline: ContinuousClock.Instant?
  ) throws(RenderFrame.Failure) {
    try BlockingStream(descriptor: socket, deadline: deadline).waitForInput()
  }
}
