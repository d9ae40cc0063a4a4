import JobRunner

/// What `preheat key` is told. Client, scales and chain are texts in the spelling of a job.
public struct KeyArguments: Sendable, Hashable {
  public var common: CommonArguments
  public var url: String
  /// nil for the original data.
  public var chain: String?
  /// Settings in place of a job's; a cache folder is none of them here.
  public var overrides = JobOverrides()
  /// The request's image ID or cache key, where the app sets one.
  public var imageID: String?
  /// The cache folder to look into.
  public var folder: String?

  public init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    guard let url = values.words.first else {
      throw UsageError(.missingArgument, "URL is missing", command: values.command.name)
    }
    self.url = url
    chain = values.words.dropFirst().first
    overrides.client = values.text("client")
    overrides.scale = values.text("scale")
    // The job's parser reads the variables of these itself, so that it can tell them from flags.
    func typed(_ name: String) -> String? { values.origin(of: name) == .typed ? values.text(name) : nil }
    overrides.style = typed("style")
    overrides.pathExtension = typed("path-extension")
    overrides.autoExtension = typed("auto-extension")
    overrides.forcedExtension = typed("forced-extension")
    imageID = values.text("id")
    folder = values.text("in")
  }
}
