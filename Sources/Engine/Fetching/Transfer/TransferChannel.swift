import Concurrency
import Synchronization

/// The state that the loader and its thread share: commands go one way, statistics the other.
final class TransferChannel: Sendable {
  struct Submission: Sendable {
    let id: UInt64
    let request: HTTPRequest
    let url: HTTPURL
    /// Remembers a cancellation that comes before its submission.
    let isCancelled: Locked<Bool>
    let progress: HTTPProgress.Handler?
    let sink: HTTPBodyChunk.Sink?
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
  }

  struct Commands: Sendable {
    var submissions: [Submission] = []
    var cancellations: [UInt64] = []
    var isClosed = false
    /// The thread sleeps, or is about to: only then it has to be woken.
    var isAsleep = false
  }

  private let commands = Locked(Commands())
  private let counters = Locked(HTTPStatistics())
  private let lastID = Atomic<UInt64>(0)
  private let multi: Locked<CurlMulti?>

  init(multi: CurlMulti) { self.multi = Locked(multi) }

  func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

  func submit(_ submission: Submission) {
    let isTaken = change { commands in
      if !commands.isClosed { commands.submissions.append(submission) }
      return !commands.isClosed
    }
    if !isTaken { submission.continuation.resume(returning: .failure(.shutDown)) }
  }

  func cancel(_ id: UInt64) {
    change { $0.cancellations.append(id) }
  }

  func close() {
    change { $0.isClosed = true }
  }

  /// Lets go of libcurl once the thread has ended, and so closes the connections that were kept for reuse.
  func release() { multi.withLock { $0 = nil } }

  private func change<T: Sendable>(_ change: (inout Commands) -> T) -> T {
    let (value, isAsleep) = commands.withLock { commands in
      let value = change(&commands)
      // One wake is enough, whatever comes before the thread is up.
      defer { commands.isAsleep = false }
      return (value, commands.isAsleep)
    }
    if isAsleep { multi.withLock { $0?.wake() } }
    return value
  }

  /// Announces a sleep. For the thread.
  ///
  /// - Returns: whether nothing has come in meanwhile; else it must not sleep.
  func fallAsleep() -> Bool {
    commands.withLock { commands in
      let isQuiet = commands.submissions.isEmpty && commands.cancellations.isEmpty && !commands.isClosed
      commands.isAsleep = isQuiet
      return isQuiet
    }
  }

  /// The commands since the last call. For the thread.
  func take() -> Commands {
    commands.withLock { commands in
      let taken = commands
      commands.submissions = []
      commands.cancellations = []
      commands.isAsleep = false
      return taken
    }
  }

  var statistics: HTTPStatistics { counters.withLock { $0 } }

  func count(_ change: (inout HTTPStatistics) -> Void) {
    counters.withLock { change(&$0) }
  }
}
