import CacheStore
import CacheTools
import Planning
import Syntax
import Text

/// `preheat plan JOB...`: the renditions with their keys and files, without network.
struct PlanCommand: Command {
  static let spec = CommandSpec("plan", "show what a run would write, without any network").with {
    $0.detail = [
      "Prints how many entries are new and how many the cache has, by chain and scale, what the app will not find and why, "
        + "and the size against the limits. --rows prints each rendition: its key, its file name and where it comes from. "
        + "Nothing is downloaded, rendered or written. Of jobs that prune their cache it also says how many files would "
        + "go. With --quiet only warnings about size and errors remain.",
      "User info and query values in URLs and keys are masked with *, except for values about the picture such as w and "
        + "format; --show-secrets prints them. The output of --json is not masked, so keep it as safe as the URLs. File "
        + "names are always made from the exact keys.",
    ]
    $0.positionals = [.job]
    $0.examples = [
      ("preheat plan jobs/catalog.job", "what a run would make"),
      ("preheat plan --rows jobs/catalog.job", "keys and file names"),
      ("preheat plan --json jobs/*.job | head", "the same for programs"),
      ("preheat plan --compare before.ndjson jobs/catalog.job", "what a change of the job would make"),
    ]
    $0.work = [.keys, .lines, .place, .sizes, .encoding, .scaling, .pruning, .budget]
    $0.takesJobs = true
    $0.sharesWork = true
    $0.options = fields.map(\.row) + [CommandRows.json]
  }

  private static let fields: [FieldSetting<PlanCommand>] = [
    FieldSetting(
      "compare", \.other, .path("OTHER"), in: .flag, .output,
      "list what is added and removed since an older plan",
      detail: """
        OTHER is the output of preheat plan --json, for example from before a pull request. The command then prints the \
        changes of the cache's entries by chain instead of the renditions.
        """
    ).common,
    FieldSetting(
      "rows", \.showsRows, .flag, in: .flag, .output, "print each rendition with its key and its file name"
    ).common, FieldSetting(CommandRows.showSecrets, \.showsSecrets),
  ]

  private let job: JobArguments
  /// The older plan.
  private var other: String?
  private var showsRows = false
  private var showsSecrets = false

  init(_ values: OptionValues) throws(UsageError) {
    job = try JobArguments(values)
    values.settings.apply(Self.fields, to: &self)
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let json = context.json
    var loading = JobLoading(arguments: job, context: context)
    loading.writesSkipped = other == nil
    guard let plans = try await loading.plans() else { return .usage }
    var comparison = try other.map { try PlanComparison(before: $0) }
    for plan in plans {
      guard try show(plan, comparedIn: &comparison, in: context) else { return .success }
    }
    if let comparison { try context.output.write(json ? comparison.jsonLine : comparison.text) }
    try showPruning(plans, in: context)
    return .success
  }

  /// What pruning would remove from each cache.
  private func showPruning(_ plans: [Plan], in context: CommandContext) throws {
    let together = Dictionary(grouping: plans) { ByteText($0.settings.cache) }.sorted { $0.key < $1.key }
    for (cache, here) in together.map({ ($0.key.text, $0.value) }) {
      if let obstacle = Pruning.obstacle(here) { context.console.note(obstacle) }
      guard let jobs = Pruning(here) else { continue }
      let found = try CachePruner.preview(of: cache, to: jobs)
      if let refusal = found.refusal { context.console.warning(refusal) }
      if found.others > 0 {
        let others = NumberText.count(found.others, "file")
        context.console.note("\(cache): \(others) of other jobs or clients would stay")
      }
      let bytes = Int(clamping: found.bytes)
      let line = PrunePreview(cache: cache, files: found.files, bytes: bytes)
      let text = "\(NumberText.count(found.files, "file")) (\(ByteCountText.text(bytes))) that no job names"
      try context.output.write(context.json ? line.jsonLine : "would be pruned: \(text)\n")
    }
  }

  /// Writes a plan's renditions, and what is to be said of all of them.
  ///
  /// - Parameter comparison: takes the renditions, where there is one, and then they are not written.
  /// - Returns: False once standard output is closed.
  private func show(
    _ plan: Plan, comparedIn comparison: inout PlanComparison?, in context: CommandContext
  ) throws -> Bool {
    let json = context.json
    let nothing = PlanPage(
      plan,
      comparison != nil ? .values : json ? .json : showsRows ? .text(showsSecrets: showsSecrets) : .summary)
    var total = nothing
    let firsts = Array(stride(from: 0, to: plan.sourceCount, by: PlanPage.sources))
    for start in stride(from: 0, to: firsts.count, by: PlanPage.atOnce) {
      // Names are digests and text is made of many parts: on all cores.
      let pages = firsts[start...].prefix(PlanPage.atOnce).concurrentMap { first in
        var page = nothing
        for source in first..<min(first + PlanPage.sources, plan.sourceCount) { page.add(source) }
        return page
      }
      for page in pages {
        try context.output.write(page.bytes)
        for rendition in page.values { comparison?.add(rendition) }
        total.add(page)
      }
      if context.output.readerIsGone { return false }
    }
    if let failure = total.sizes.failure { throw failure }
    let size = total.sizes.size(of: plan)
    if !json, showsRows || comparison != nil || context.console.verbosity > .quiet {
      try context.output.write(total.summary(size))
    }
    if total.masked > 0 {
      try context.output.write(
        "masked with *: \(NumberText.count(total.masked, "key")); --show-secrets prints them as they are\n")
    }
    for warning in RenditionText.warnings(size) { context.console.warning(warning) }
    return true
  }
}

/// What would be pruned from a cache.
struct PrunePreview: JSONRecord {
  let cache: String
  let files: Int
  let bytes: Int

  static let json = JSONMembers<Self>(
    type: "prune", ("cache", \.cache), ("files", \.files), ("bytes", \.bytes))
}

/// The output of `plan --compare`: changes by chain.
extension PlanComparison: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "comparison", ("added", \.added), ("removed", \.removed), ("same", \.same), ("chains", \.changes))

  fileprivate var text: String {
    "\(added) new, \(removed) gone, \(same) as before\n"
      + changes.map { group in
        let counts = [(group.added, "new"), (group.removed, "gone")].filter { $0.0 > 0 }
        let scale = group.chain == "original" ? "" : " @\(NumberText.plain(group.scale))x"
        return "    \(SafeText.escape(group.chain))\(scale)  "
          + counts.map { "\($0) \($1)" }.joined(separator: ", ") + "\n"
      }.joined()
  }
}

extension PlanComparison.Group: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("chain", \.chain), ("scale", \.scale), ("added", \.added), ("removed", \.removed), ("same", \.same))
}
