import Pictures

/// What `preheat run` is told.
package struct RunArguments: Sendable, Hashable {
  package var common: CommonArguments
  package var job: JobArguments
  /// Worker processes; nil for one a processor.
  package var workers: Int?
  package var failOn: FailOn
  /// Whether to wait for the cache's lock.
  package var waitsForLock: Bool
  /// Whether decoding with warnings is a failure.
  package var isStrict: Bool
  package var formats: Set<ImageFormat>
  package var limits: RenderLimits
  package var recording: RecordingArguments
  package var reporting: ReportingArguments
  package var network: NetworkArguments
  /// Nothing is fetched.
  package var isOffline: Bool
  /// Everything is fetched and rendered again.
  package var reloads: Bool
  /// Memory of one worker process.
  package var workerBytes: Int

  package init(_ values: OptionValues) throws(UsageError) {
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
