import HTTPLoading

/// The bytes of a source, wherever they came from.
struct SourceBody: Sendable {
  var bytes: [UInt8]
  var etag: String?
  var lastModified: String?
  /// Something a person should know: a length that nobody announced, an odd content type.
  var note: String?
  /// False for the first bytes of a file that has more.
  var isWhole = true
}

extension SourceBody {
  init(_ response: HTTPResponse) {
    self.init(
      bytes: response.body, etag: response.etag, lastModified: response.lastModified,
      note: response.isLengthUnverified ? "the server announced no length" : nil)
  }
}
