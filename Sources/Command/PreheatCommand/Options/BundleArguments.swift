import Bundles
import Planning

/// What `preheat bundle` is told.
package struct BundleArguments: Sendable, Hashable {
  package var common: CommonArguments
  package var cache: String
  package var options: BundleOptions

  package init(_ values: OptionValues, environment: [String: String] = [:]) throws(UsageError) {
    common = try CommonArguments(values)
    guard let cache = values.words.first else {
      throw UsageError(.missingArgument, "DIR is missing", command: values.command.name)
    }
    self.cache = cache
    guard let output = values.text("output") else {
      throw UsageError(
        .missingArgument, "--output is missing", suggestion: "for example: -o catalog.zip",
        command: values.command.name)
    }
    options = BundleOptions(output: output, format: .init(ofPath: output))
    options.since = values.text("since")
    options.maxSize = values.bytes("max-size")
    options.dropsOverMaxSize = values.flag("drop")
    options.limit = values.bytes("limit")
    options.client = try values.client()
    options.waitsForLock = values.flag("wait")
    guard !options.dropsOverMaxSize || options.maxSize != nil else {
      throw UsageError(.conflict, "--drop needs --max-size", command: values.command.name)
    }
  }
}

extension OptionValues {
  /// The client that `--client` names, for commands that look into caches.
  package func client() throws(UsageError) -> CacheClient? {
    guard let text = text("client") else { return nil }
    guard let client = CacheClient(text: text) else {
      throw UsageError(
        .invalidValue, "--client '\(text)' is no known client",
        suggestion: "nuke 10 to 13 or kingfisher 5 to 8, as in: --client 'nuke 12'", command: command.name)
    }
    return client
  }
}
