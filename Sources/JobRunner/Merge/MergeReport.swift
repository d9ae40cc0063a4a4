/// What was joined.
public struct MergeReport: Sendable, Hashable {
  public var output: String
  public var client: CacheClient
  public var files = 0
  public var bytes = 0
  /// Files that more than one cache had, with the same bytes.
  public var shared = 0
  /// Files of which the preference chose one, by name.
  public var decided: [String] = []
  /// Files that their ledger does not know: left out.
  public var foreign: [String] = []

  public init(output: String, client: CacheClient) {
    self.output = output
    self.client = client
  }
}
