import Planning

/// Carries plans out: fetch, render, store, remember.
///
/// One task a source runs through all steps; how many are under way at once follows from the
/// connections and workers, how many bytes they hold from the byte budget.
package struct JobRun: Sendable {
  private let plans: [Plan]
  private let next: (@Sendable () async -> Plan?)?
  private let options: RunOptions
  private let observer: any RunObserver

  package init(plans: [Plan], options: RunOptions, observer: any RunObserver) {
    self.plans = plans
    next = nil
    self.options = options
    self.observer = observer
  }

  /// Of a job whose sources come in while it runs.
  ///
  /// - Parameters:
  ///   - frame: the job's settings, without sources.
  ///   - next: some sources more, with the same settings; nil at the end.
  package init(
    frame: Plan, options: RunOptions, observer: any RunObserver, next: @escaping @Sendable () async -> Plan?
  ) {
    plans = [frame]
    self.next = next
    self.options = options
    self.observer = observer
  }

  /// Runs to the end, or until the surrounding task is cancelled: then nothing new is begun, what is
  /// finished is stored, and the report says that it was interrupted.
  ///
  /// A cache that can no longer be written ends the run, too: the report says why, and what is stored
  /// until then stays.
  ///
  /// - Throws: ``StoreFailure`` where nothing could be begun.
  package func run() async throws(StoreFailure) -> RunReport {
    let clock = ContinuousClock()
    let start = options.started ?? clock.now
    let engine = try RunEngine(plans: plans, options: options, observer: observer, isStream: next != nil)
    var storeFailure: StoreFailure?
    do throws(StoreFailure) {
      if let next { try await engine.run(next: next) } else { try await engine.run() }
    } catch {
      storeFailure = error
    }
    await engine.shutdown()
    var report = engine.tally.current
    report.storeFailure = storeFailure
    report.duration = (clock.now - start) / .seconds(1)
    if let confinement = engine.renderer.pool.confinement {
      report.confinement = confinement.names
      if !confinement.contains(.filter) {
        observer.warned(
          "pictures were decoded without a filter of system calls, as --allow-unconfined allows")
      } else if !confinement.missingNames.isEmpty {
        observer.warned(
          "pictures were decoded behind fewer walls than usual; missing here: "
            + confinement.missingNames.joined(separator: ", "))
      }
    }
    report.isInterrupted = Task.isCancelled && report.counts.leftUndone > 0
    return report
  }
}
