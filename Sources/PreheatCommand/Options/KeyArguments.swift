/// What `preheat key` is told. Client, scales and chain are texts in the spelling of a job.
public struct KeyArguments: Sendable, Hashable {
  public var common: CommonArguments
  public var url: String
  /// nil for the original data.
  public var chain: String?
  public var client: String?
  public var scale: String?
  /// The request's image ID, where the app sets one.
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
    client = values.text("client")
    scale = values.text("scale")
    imageID = values.text("id")
    folder = values.text("in")
  }
}
