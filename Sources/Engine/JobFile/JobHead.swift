import Bodies
import Syntax
import Text

/// What stands above the first line of a job that names a source, flags and variables laid over it: all that holds for
/// the whole job.
package struct JobHead: Sendable {
  /// Nil when the job cannot be run at all: without a client or a cache folder.
  package private(set) var settings: JobSettings?
  /// Chains that have a name, and those of `default`.
  package private(set) var chains = ChainTable()
  package private(set) var diagnostics: Diagnostics
  /// The part of it that is wrong whatever else the head says.
  private(set) var mistakes = Diagnostics()
  /// The settings that hold, as lines of a job.
  package private(set) var settingLines: [SettingLine] = []

  let given: GivenSettings
  /// What relative paths in job lines begin at.
  let folder: String
  let resolver: ChainResolver
  /// For job lines that name no chain; without any they mean the original.
  let defaults: [Int]
  let stripQuery: QueryNames
  /// Whether lines that name their source wrongly are left out.
  let skipsInvalid: Bool
  /// Whether the job may name no source.
  let allowsEmpty: Bool
  /// The client as the job names it.
  let clientName: String?
  /// The number of the first line that names a source: settings stand above it. Nil where no line does.
  let firstSource: Int?

  /// - Parameter failure: why the job cannot be read; nothing else is said of it then.
  init(
    _ pass: SettingsPass, of input: JobInput, _ given: GivenSettings, firstSource: Int?,
    failure: ReadFailure? = nil
  ) {
    var resolved = ResolvedSettings(given, over: pass, in: input.folder)
    var values = resolved.values
    if given.isStream { values[JobKey.skipInvalid] = true }
    self.given = given
    self.firstSource = firstSource
    folder = input.folder
    clientName = pass.clientName
    skipsInvalid = values[JobKey.skipInvalid]
    allowsEmpty = values[JobKey.allowEmpty]
    stripQuery = QueryNames(values[JobKey.stripQuery])
    let cache = resolved.cacheFolder(input).map { given.shard?.folder(of: $0) ?? $0 }
    if failure == nil, let client = resolved.client, let cache {
      settings = JobSettings(
        path: input.path, client: client, origin: resolved.origin, namedCache: cache,
        cache: PathText.real(cache), values: values, given: given)
    }
    settingLines = resolved.lines
    mistakes = pass.diagnostics
    diagnostics = pass.diagnostics
    var resolver = pass.resolver
    resolver.dialect = resolved.dialect
    resolver.resolveAll(into: &chains, &diagnostics)
    defaults = resolved.defaults(&resolver, &chains)
    self.resolver = resolver
    if let failure { diagnostics.add(.unreadable(input, failure)) }
    if failure == nil { diagnostics.add(contentsOf: resolved.diagnostics) }
  }
}

extension Shard {
  /// Where a part has its cache: no two parts may write into one folder.
  ///
  /// - Parameter cache: the job's folder; `{shard}` in its name is where the part's own stands.
  package func folder(of cache: String) -> String {
    cache.contains("{shard}") ? cache.replacing("{shard}", with: label) : "\(cache).shard-\(label)"
  }
}

extension Diagnostic {
  /// An error about a job as a whole.
  static func inJob(_ file: String, _ message: String, help: String? = nil) -> Diagnostic {
    Diagnostic(.error, file: file, line: 1, column: 1, message: message, help: help)
  }

  static func unreadable(_ input: JobInput, _ failure: ReadFailure) -> Diagnostic {
    inJob(input.name, "\(Mistake.quote(input.name)) cannot be read: \(failure.reason)")
  }
}
