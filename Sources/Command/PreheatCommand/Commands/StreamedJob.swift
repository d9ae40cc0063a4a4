import Concurrency
import JobFile
import Planning
import Running
import Text

/// A job on standard input whose lines are planned as they come, for a run that answers each of them. On a thread of its
/// own, since it waits.
actor StreamedJob {
  private let executor = BlockingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let head: JobHead
  private let job: JobReader
  private let fetching: CatalogueFetching?
  private let context: CommandContext

  /// Reads the head.
  init(_ given: GivenSettings, _ fetching: CatalogueFetching?, context: CommandContext) {
    var given = given
    given.isStream = true
    job = JobReader(.standardInput, given, fetches: fetching != nil)
    head = job.head
    self.fetching = fetching
    self.context = context
  }

  /// The plan of no lines at all: what a run has to know before the first.
  func frame() -> Plan? {
    var planning = JobPlanning(job)
    return planning.finish().plan
  }

  /// The next sources; nil at the end of the stream, or when the task is cancelled.
  func next() async -> Plan? {
    var isAtEnd = false
    while !isAtEnd, !Task.isCancelled, !isBroken {
      // Now and then, to see whether the run is being stopped.
      guard job.waitForLine(milliseconds: 200) else { continue }
      job.forget()
      var planning = JobPlanning(job)
      var stop = planning.read()
      while case .catalogue(let url) = stop {
        do throws(FeedFetch.Failure) {
          if let settings = head.settings { try await fetching?.fetch(url, for: settings, isLocked: true) }
        } catch {
          job.refuseCatalogue(error.message)
        }
        stop = planning.read()
      }
      isAtEnd = stop == .end
      let (found, diagnostics) = planning.finish()
      // The reader of the results may be gone; the run goes on for the cache's sake.
      try? JobLoading.show(diagnostics, in: context)
      guard let plan = found, plan.renditionCount + plan.skipped.count > 0 else { continue }
      for line in plan.skipped.lines {
        try? context.output.write(SkippedRecord(job: plan.settings.path, line: line).jsonLine)
      }
      return plan
    }
    if let failure = job.failure {
      context.console.error("standard input cannot be read: \(failure.reason)")
    }
    return nil
  }

  /// Whether the stream broke off before its end.
  var isBroken: Bool { job.failure != nil }
}
