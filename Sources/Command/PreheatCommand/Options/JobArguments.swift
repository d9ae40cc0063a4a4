import Planning

/// Which jobs, and what holds over their own settings.
package struct JobArguments: Sendable, Hashable {
  /// Paths as typed; `-` is standard input.
  package var jobs: [String]
  package var overrides: JobOverrides

  /// - Throws: when standard input is named twice.
  init(_ values: OptionValues) throws(UsageError) {
    jobs = values.words
    guard jobs.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError(.conflict, "standard input (-) can be read only once", command: values.command.name)
    }
    overrides = JobOverrides()
    // The job's parser reads the variables of these itself, so that its messages name the right source.
    func typed(_ name: String) -> String? { values.origin(of: name) == .typed ? values.text(name) : nil }
    overrides.client = typed("client")
    overrides.cache = typed("cache")
    overrides.policy = typed("policy")
    overrides.scale = typed("scale")
    overrides.encode = typed("encode")
    overrides.embedded = typed("embedded")
    overrides.sizeLimit = typed("size-limit")
    overrides.httpCache = typed("http-cache")
    overrides.staleIfError = typed("stale-if-error")
    overrides.check = typed("check")
    for name in LimitSettings.Name.allCases { overrides.limits[name] = typed(name.rawValue) }
    overrides.style = typed("style")
    overrides.pathExtension = typed("path-extension")
    overrides.autoExtension = typed("auto-extension")
    overrides.forcedExtension = typed("forced-extension")
    overrides.expires = typed("expires")
    overrides.chains = values.list("chain")
    overrides.allowPrivate = values.list("allow-private")
    overrides.rateLimits = values.origin(of: "rate-limit") == .typed ? values.list("rate-limit") : []
    overrides.perHost = typed("per-host")
  }
}
