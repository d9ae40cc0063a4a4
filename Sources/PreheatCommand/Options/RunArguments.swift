import Rendering

/// What `preheat run` is told.
public struct RunArguments: Sendable, Hashable {
  public var common: CommonArguments
  public var job: JobArguments
  /// Worker processes; nil for one a processor.
  public var workers: Int?
  /// Transfers at a time; nil for the loader's own bound.
  public var connections: Int?
  /// Further attempts; nil for the loader's own number.
  public var retries: Int?
  public var failOn: FailOn
  /// Whether to wait for the cache's lock.
  public var waitsForLock: Bool
  /// Whether decoding with warnings is a failure.
  public var isStrict: Bool
  public var formats: Set<ImageFormat>
  public var limits: RenderLimits
  public var recording: RecordingArguments

  public init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    job = try JobArguments(values)
    workers = values.integer("jobs")
    connections = values.integer("connections")
    retries = values.integer("retries")
    failOn = values.text("fail-on").flatMap(FailOn.init) ?? .any
    waitsForLock = values.flag("wait")
    isStrict = values.flag("strict")
    formats = ImageFormat.trusted.union(values.list("allow-format").compactMap(ImageFormat.init))
    recording = RecordingArguments(values)
    limits = RenderLimits()
    limits.maxPixels = values.integer("max-pixels") ?? limits.maxPixels
    limits.maxBytes = values.bytes("max-bytes") ?? limits.maxBytes
    limits.seconds = values.seconds("timeout") ?? limits.seconds
  }
}
