/// The bytes of a source, and what a later run can find out by whether they are still right.
struct SourceBody: Sendable {
  var bytes: [UInt8]
  /// SHA-256 in hexadecimal.
  var digest: String
  /// Of a response; for a file its size and date (`LocalFile.stamp`).
  var etag: String?
  var lastModified: String?
  /// Something a person should know: a length that nobody announced, an odd content type.
  var note: String?
  var origin = Origin.local

  enum Origin: Sendable, Hashable {
    /// A file, the URL itself, or an original in the cache folder.
    case local
    case network
    /// The HTTP cache; a server may have been asked whether it is still right.
    case httpCache
  }

  /// False for the first bytes of a file that has more.
  var isWhole = true
}
