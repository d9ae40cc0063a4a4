import JobFile
import Planning
import Running

/// The jobs of a run with their heads read: files and standard input, or a stream.
struct RunJobs {
  private let jobs: [JobReader]
  let stream: StreamedJob?
  private let fetching: CatalogueFetching?

  init(_ arguments: RunArguments, context: CommandContext) throws(UsageError) {
    fetching =
      arguments.options.isOffline ? nil : CatalogueFetching(options: arguments.options, context: context)
    let given = try arguments.job.sharded()
    stream = arguments.streams ? StreamedJob(given, fetching, context: context) : nil
    let paths = stream == nil ? arguments.job.jobs : []
    jobs = paths.map { [fetching] in JobReader(JobInput(path: $0), given, fetches: fetching != nil) }
  }

  /// The settings of the jobs that have a cache folder.
  var settings: [JobSettings] {
    (stream.map { [$0.head] } ?? jobs.map(\.head)).compactMap(\.settings)
  }

  /// All plans, of a stream the plan of no lines; nil after a mistake was reported.
  func plans(_ loading: JobLoading) async throws -> [Plan]? {
    guard let stream else { return try await loading.plans(of: jobs, fetching) }
    let head = stream.head
    loading.found(head.diagnostics)
    try JobLoading.show(head.diagnostics, in: loading.context)
    guard let settings = head.settings, let frame = await stream.frame() else { return nil }
    guard !settings.asksForPruning else { throw RunArguments.wholeJob("prune") }
    return [frame]
  }
}

/// Gets catalogues from servers: what they name is planned like lines of the job.
struct CatalogueFetching: Sendable {
  let options: RunOptions
  let context: CommandContext

  /// - Parameter isLocked: whether the run has begun, and with it the cache's lock.
  func fetch(
    _ url: String, for settings: JobSettings, isLocked: Bool = false
  ) async throws(FeedFetch.Failure) {
    let note = try await FeedFetch.refresh(url, for: settings, options: options, isLocked: isLocked)
    if let note {
      context.console.warning(note)
    }
  }
}
