import Rendering

/// What `preheat run` is told.
public struct RunArguments: Sendable, Hashable {
  public var common: CommonArguments
  public var job: JobArguments
  /// Worker processes; nil for one a processor.
  public var workers: Int?
  public var failOn: FailOn
  /// Whether to wait for the cache's lock.
  public var waitsForLock: Bool
  /// Whether decoding with warnings is a failure.
  public var isStrict: Bool
  public var formats: Set<ImageFormat>
  public var limits: RenderLimits
  public var recording: RecordingArguments
  public var reporting: ReportingArguments
  public var network: NetworkArguments
  /// Nothing is fetched.
  public var isOffline: Bool
  /// Everything is fetched and rendered again.
  public var reloads: Bool
  /// Memory of one worker process.
  public var workerBytes: Int

  public init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    job = try JobArguments(values)
    workers = values.integer("jobs")
    network = NetworkArguments(values)
    failOn = values.text("fail-on").flatMap(FailOn.init) ?? .any
    waitsForLock = values.flag("wait")
    isStrict = values.flag("strict")
    formats = ImageFormat.trusted.union(values.list("allow-format").compactMap(ImageFormat.init))
    recording = RecordingArguments(values)
    reporting = ReportingArguments(values)
    isOffline = values.flag("offline")
    reloads = values.flag("reload")
    guard !isOffline || !reloads else {
      throw UsageError(
        .conflict, "--offline and --reload exclude each other", command: values.command.name)
    }
    limits = RenderLimits()
    limits.maxPixels = values.integer("max-pixels") ?? limits.maxPixels
    limits.maxSide = values.integer("max-side") ?? limits.maxSide
    limits.maxAnimationPixels = values.integer("max-animation-pixels") ?? limits.maxAnimationPixels
    limits.maxBytes = values.bytes("max-bytes") ?? limits.maxBytes
    limits.seconds = values.seconds("timeout") ?? limits.seconds
    workerBytes = values.bytes("max-memory") ?? RenderLimits.workerBytes
    limits.maxDecodeBytes = RenderLimits.decodeBytes(ofWorker: workerBytes)
  }
}
