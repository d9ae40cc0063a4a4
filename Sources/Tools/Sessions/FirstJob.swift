import ClientKit
import ClientRegistry
import JobFile
import Planning
import Settings
import Syntax
import Text

/// A job for an app that has none yet: its client, and sources from lists and catalogues, with chains to change.
package struct FirstJob: Sendable {
  package var text: String
  package var client: CacheClient
  package var includes: [IncludeProposal]
  package var sourceCount: Int
  package var renditionCount: Int
  /// Rows and lines with mistakes, which the job leaves out.
  package var skippedCount: Int

  /// Where the client of a job is said, as seen from the job.
  package struct Origin: Sendable, Hashable {
    /// `nuke from ../App/Package.resolved`, or `nuke 12`.
    package var text: String

    /// - Parameter path: of the job; nil where it is not written to a file.
    package init(_ client: AppClient, for path: String?) {
      let file = FirstJob.path(client.file, from: path)
      text = "\(client.name) from \(JobWord.text(file))"
    }

    package init(text: String) { self.text = text }
  }

  /// A path as seen from a job.
  package static func path(_ path: String, from job: String?) -> String {
    PathText.relative(path, to: job.map(PathText.folder) ?? ".")
  }

  /// The cache folder of a client's first job, as seen from the job.
  package static func cache(of client: CacheClient) -> String? {
    ClientRegistry.make(client).map { "out/\($0.starter.folder)" }
  }

  /// Makes a job and plans it. Where rows have mistakes it is made so that a plan of it has none.
  ///
  /// - Parameters:
  ///   - path: where it is to be written; nil for standard output.
  ///   - given: settings of the job, with the client.
  /// - Returns: nil with the reasons in the diagnostics where no job can be made.
  package static func make(
    _ origin: Origin, _ includes: [IncludeProposal], at path: String?, _ given: GivenSettings
  ) -> (job: FirstJob?, diagnostics: Diagnostics) {
    let settings = ResolvedSettings(given, needsClient: true)
    guard !settings.diagnostics.hasErrors, let client = settings.client,
      let made = ClientRegistry.make(client, settings.values)
    else { return (nil, settings.diagnostics) }
    var draft = FirstJobDraft(
      origin: origin, client: client, starter: made.starter, lines: settings.lines, given: given, path: path,
      includes: includes)
    var found = draft.plan()
    // A column whose first rows are ranks may have other things further down.
    if found.plan == nil, includes.contains(where: { $0.has(.priority) }) {
      draft.includes = includes.map { $0.without(.priority) }
      found = draft.plan()
      if found.plan == nil { draft.includes = includes }
    }
    if found.plan == nil {
      draft.skipsInvalid = true
      found = draft.plan()
    }
    guard let plan = found.plan, plan.renditionCount > 0 else { return (nil, found.diagnostics) }
    let job = FirstJob(
      text: draft.text(skipped: plan.skipped.count), client: client, includes: draft.includes,
      sourceCount: plan.sourceCount, renditionCount: plan.renditionCount, skippedCount: plan.skipped.count)
    return (job, found.diagnostics)
  }
}

/// The text of a first job.
private struct FirstJobDraft {
  var origin: FirstJob.Origin
  var client: CacheClient
  var starter: StarterJob
  /// Settings that somebody gave.
  var lines: [SettingLine]
  var given: GivenSettings
  var path: String?
  var includes: [IncludeProposal]
  var skipsInvalid = false

  func plan() -> (plan: Plan?, diagnostics: Diagnostics) {
    // What was given is in the text.
    var own = GivenSettings(environment: given.environment, table: given.table, trust: given.trust)
    own.readsVariables = false
    return Plan.make(.text(name: path ?? "preheat.job", bytes: Array(text(skipped: 0).utf8)), own)
  }

  func text(skipped: Int) -> String {
    var text = """
      # Made by preheat \(PreheatVersion.text) init. See what it makes with 'preheat plan', and make it with 'preheat run'.

      # The app's image library and its release.
      client  \(origin.text)

      # The folder that a run fills. Its name is that of the app's cache folder.
      cache   \(cache)

      """
    if !lines.contains(where: { $0.row == JobKey.scale.name }), let scales = starter.scales {
      text += "\n# The scales of the screens, for sizes in points.\nscale   \(scales)\n"
    }
    let fixed = [JobRows.Structure.client.rawValue, JobRows.Structure.cache.rawValue]
    let others = lines.filter { !fixed.contains($0.row) }.map { $0.text + "\n" }.joined()
    if !others.isEmpty { text += "\n" + others }
    text += """

      # What the app makes of each picture. Write the sizes and the processors of the app's own code here: a picture
      # that is made in another way is not found. 'preheat help processors' lists them; 'original' keeps the bytes.
      chain   thumb = \(starter.thumb)
      chain   card  = \(starter.card)

      """
    if skipsInvalid {
      let count = skipped > 0 ? ": \(NumberText.count(skipped, "line")) now" : ""
      text +=
        "\n# Rows and lines with mistakes are left out\(count); 'preheat plan' lists them.\nskip-invalid on\n"
    }
    for include in includes { text += "\n" + self.text(of: include) }
    return text
  }

  private var cache: String {
    given[JobRows.Structure.cache.rawValue].map(JobWord.text) ?? "out/\(starter.folder)"
  }

  private func text(of include: IncludeProposal) -> String {
    var text = ""
    if let field = include.identityText {
      text +=
        "# Keys begin with the URL. If the app gives another one, for example \(field), add that to the line.\n"
    }
    if !include.others.isEmpty {
      let names = include.others.prefix(8).joined(separator: ", ")
      text += "# Other fields: \(names)\(include.others.count > 8 ? ", ..." : ""). "
      text += "where=FIELD=VALUE takes only rows with that value.\n"
    }
    return text + include.line(of: FirstJob.path(include.path, from: path), chains: ["thumb", "card"]) + "\n"
  }
}
