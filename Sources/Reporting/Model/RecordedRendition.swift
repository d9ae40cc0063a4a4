/// One rendition and how it ended.
public struct RecordedRendition: Sendable, Hashable, Codable {
  public enum Status: String, Sendable, Hashable, Codable {
    case made, current, notStored, failed
  }

  public var job: String
  /// The file of the entry: the job itself, or a list that it includes.
  public var file: String
  public var line: Int
  /// Without credentials.
  public var source: String
  public var chain: String
  /// The screen scale; nil where it makes no difference.
  public var scale: Double?
  public var status: Status
  /// Without credentials; the file name is that of the exact key.
  public var key: String
  public var fileName: String?
  /// Absolute path of the cache folder.
  public var cache: String
  /// Bytes written.
  public var bytes: Int?
  /// Bytes of the source.
  public var sourceBytes: Int?
  public var note: String?
  public var failure: RecordedFailure?

  public init(
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
  public var savedBytes: Int? {
    guard let sourceBytes, let bytes, status == .made else { return nil }
    return sourceBytes - bytes
  }

  /// `card @2x`.
  public var chainAndScale: String {
    guard let scale, scale != 1 else { return chain }
    return "\(chain) @\(ReportText.number(scale))x"
  }
}

/// Why a rendition was not made.
public struct RecordedFailure: Sendable, Hashable, Codable {
  /// `plan`, `fetch`, `render` or `store`.
  public var step: String
  /// Of a bounded set.
  public var code: String
  public var message: String
  public var advice: String?
  /// May pass when tried again.
  public var isRetryable: Bool

  public init(step: String, code: String, message: String, advice: String?, isRetryable: Bool) {
    self.step = step
    self.code = code
    self.message = message
    self.advice = advice
    self.isRetryable = isRetryable
  }
}
