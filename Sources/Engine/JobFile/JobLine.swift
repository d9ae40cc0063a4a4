import ClientKit

/// One line of a job that names a source.
package struct JobLine: Sendable {
  /// File and line, for reports. The file differs from the job's inside an `include`.
  package var file: String
  package var line: Int
  /// The URL as the app's `URL(string:)` holds it.
  package var url: String
  package var scheme: SourceScheme
  /// Indexes into the job's ``ChainTable``, in the order written, each once.
  package var chains: [Int]
  package var options: RequestOptions
  /// Of its source among all of the job, where a part of it is taken.
  package var ordinal: Int
}
