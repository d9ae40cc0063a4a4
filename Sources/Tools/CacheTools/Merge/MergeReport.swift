import ClientKit
import Planning

/// What was joined.
package struct MergeReport: Sendable, Hashable {
  package var output: String
  package var client: CacheClient
  package var files = 0
  package var bytes = 0
  /// Files that more than one cache had, with the same bytes.
  package var shared = 0
  /// Files of which the preference chose one, by name.
  package var decided: [String] = []
  /// Files that their ledger does not know: left out.
  package var foreign: [String] = []
  /// Where a damaged ledger lies now that was found in the output's state folder.
  package var setAside: String?

  package init(output: String, client: CacheClient) {
    self.output = output
    self.client = client
  }
}
