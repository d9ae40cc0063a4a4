/// The bytes of a source, wherever they came from.
struct SourceBody: Sendable {
  var bytes: [UInt8]
  var etag: String?
  var lastModified: String?
  /// Something a person should know: a length that nobody announced, an odd content type.
  var note: String?
}
