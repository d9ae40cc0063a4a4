import Planning

/// What `preheat key` is told. Client, scales and chain are texts in the spelling of a job.
package struct KeyArguments: Sendable, Hashable {
  package var common: CommonArguments
  package var url: String
  /// nil for the original data.
  package var chain: String?
  /// Settings in place of a job's; a cache folder is none of them here.
  package var overrides = JobOverrides()
  /// The request's image ID or cache key, where the app sets one.
  package var imageID: String?
  /// The cache folder to look into.
  package var folder: String?

  package init(_ values: OptionValues) throws(UsageError) {
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
