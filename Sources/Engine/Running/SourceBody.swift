import Fetching

/// The bytes of a source, and what a later run can find out by whether they are still right.
package struct SourceBody: Sendable {
  package var bytes: [UInt8]
  /// SHA-256 in hexadecimal.
  package var digest: String
  /// Of a response; for a file its size and date (`LocalFile.Status`).
  package var etag: String?
  package var lastModified: String?
  /// Something a person should know: a length that nobody announced, an odd content type.
  package var note: String?
  package var origin = Origin.local

  package enum Origin: Sendable, Hashable {
    /// A file, the URL itself, or an original in the cache folder.
    case local
    case network
    /// The HTTP cache; a server may have been asked whether it is still right.
    case httpCache
  }

  /// False for the first bytes of a file that has more.
  package var isWhole = true
  /// Of first bytes: how the rest is asked for; nil where the file has to be fetched as a whole.
  package var rest: ResumedDownload?
}
