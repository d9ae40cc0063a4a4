import Text

/// One rendition and how it ended.
package struct RecordedRendition: Sendable, Hashable, Codable {
  package enum Status: String, Sendable, Hashable, Codable {
    case made, current, notStored, failed
  }

  package var job: String
  /// The file of the entry: the job itself, or a list that it includes.
  package var file: String
  package var line: Int
  /// Without credentials.
  package var source: String
  package var chain: String
  /// The screen scale; nil where it makes no difference.
  package var scale: Double?
  package var status: Status
  /// Without credentials; the file name is that of the exact key.
  package var key: String
  package var fileName: String?
  /// Absolute path of the cache folder.
  package var cache: String
  /// Bytes written.
  package var bytes: Int?
  /// Bytes of the source.
  package var sourceBytes: Int?
  package var note: String?
  package var failure: RecordedFailure?

  package init(
    job: String, file: String, line: Int, source: String, chain: String, scale: Double? = nil,
    status: Status, key: String, fileName: String? = nil, cache: String
  ) {
    self.job = job
    self.file = file
    self.line = line
    self.source = source
    self.chain = chain
    self.scale = scale
    self.status = status
    self.key = key
    self.fileName = fileName
    self.cache = cache
  }

  /// What an app's user does not download; negative where the rendition is the larger one.
  package var savedBytes: Int? {
    guard let sourceBytes, let bytes, status == .made else { return nil }
    return sourceBytes - bytes
  }

  /// `card @2x`.
  package var chainAndScale: String {
    guard let scale, scale != 1 else { return chain }
    return "\(chain) @\(NumberText.plain(scale))x"
  }
}

/// Why a rendition was not made.
package struct RecordedFailure: Sendable, Hashable, Codable {
  /// `plan`, `fetch`, `render` or `store`.
  package var step: String
  /// Of a bounded set.
  package var code: String
  package var message: String
  package var advice: String?
  /// May pass when tried again.
  package var isRetryable: Bool

  package init(step: String, code: String, message: String, advice: String?, isRetryable: Bool) {
    self.step = step
    self.code = code
    self.message = message
    self.advice = advice
    self.isRetryable = isRetryable
  }
}
