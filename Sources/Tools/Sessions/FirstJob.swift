import ClientKit
import ClientRegistry
import JobFile
import Planning
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

  /// A path as seen from a job.
  package static func path(_ path: String, from job: String?) -> String {
    PathText.relative(path, to: job.map(PathText.folder) ?? ".")
  }

  /// Makes a job and plans it. Where rows have mistakes it is made so that a plan of it has none.
  ///
  /// - Parameters:
  ///   - client: as the job says it: `nuke 12`, `nuke from ../App/Package.resolved`.
  ///   - path: where it is to be written; nil for standard output.
  ///   - given: settings of the job, with the client.
  /// - Returns: nil with the reasons in the diagnostics where no job can be made.
  package static func make(
    _ client: String, _ includes: [IncludeProposal], at path: String?, _ given: GivenSettings
  ) -> (job: FirstJob?, diagnostics: Diagnostics) {
    let settings = ResolvedSettings(given, needsClient: true)
    guard !settings.diagnostics.hasErrors, let identity = settings.client,
      let starter = ClientRegistry.make(identity, settings.values)?.starter
    else { return (nil, settings.diagnostics) }
    // A major version alone says less than keys depend on.
    let newest =
      identity.description.hasPrefix("\(client).")
      ? " '\(client)' is \(identity.release), its newest known one." : ""
    let head = head(client, newest, starter, settings.lines, given)
    // What was given is in the text.
    var own = GivenSettings(environment: given.environment, table: given.table, trust: given.trust)
    own.readsVariables = false
    var diagnostics = Diagnostics()
    for skips in [false, true] {
      func text(skipped: Int) -> String {
        let lines = includes.map { include in
          "\n" + include.line(of: Self.path(include.path, from: path), chains: ["thumb", "card"]) + "\n"
        }
        return head + (skips ? skipping(skipped) : "") + lines.joined()
      }
      let input = JobInput.text(name: path ?? "preheat.job", bytes: Array(text(skipped: 0).utf8))
      let made = Plan.make(input, own)
      diagnostics = made.diagnostics
      guard let plan = made.plan else { continue }
      guard plan.renditionCount > 0 else { break }
      let job = FirstJob(
        text: text(skipped: plan.skipped.count), client: identity, includes: includes,
        sourceCount: plan.sourceCount, renditionCount: plan.renditionCount, skippedCount: plan.skipped.count)
      return (job, diagnostics)
    }
    return (nil, diagnostics)
  }

  private static func head(
    _ client: String, _ newest: String, _ starter: StarterJob, _ lines: [SettingLine], _ given: GivenSettings
  ) -> String {
    let cache = JobRows.Structure.cache.rawValue
    var text = """
      # Made by preheat \(PreheatVersion.text) init. See what it makes with 'preheat plan', and make it with 'preheat run'.

      # The app's image library and its release.\(newest)
      client  \(client)

      # The folder that a run fills. Its name is that of the app's cache folder.
      cache   \(given[cache].map(JobWord.text) ?? "out/\(starter.folder)")

      """
    if !lines.contains(where: { $0.row == JobKey.scale.name }), let scales = starter.scales {
      text += "\n# The scales of the screens, for sizes in points.\nscale   \(scales)\n"
    }
    let others = lines.filter { ![cache, JobRows.Structure.client.rawValue].contains($0.row) }
    if !others.isEmpty { text += "\n" + others.map { $0.text + "\n" }.joined() }
    return text + """

      # What the app makes of each picture. Write the sizes and the processors of the app's own code here: a picture
      # that is made in another way is not found. 'preheat help processors' lists them; 'original' keeps the bytes.
      chain   thumb = \(starter.thumb)
      chain   card  = \(starter.card)

      """
  }

  private static func skipping(_ skipped: Int) -> String {
    let count = skipped > 0 ? ": \(NumberText.count(skipped, "line")) now" : ""
    return
      "\n# Rows and lines with mistakes are left out\(count); 'preheat plan' lists them.\nskip-invalid on\n"
  }
}
