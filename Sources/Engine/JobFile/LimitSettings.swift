import Pictures
import Syntax

extension JobRows {
  private static let usual = RenderLimits()

  private static func limit<Value>(
    _ name: String, _ field: any WritableKeyPath<RenderLimits, Value> & Sendable, _ type: SettingType<Value>,
    _ summary: String, example: String, usual: String, detail: String
  ) -> FieldSetting<RenderLimits> {
    FieldSetting(name, field, type, in: .all, .limits, summary).with {
      $0.example = "\(name) \(example)"
      $0.detail = detail
      $0.defaultText = usual
    }
  }

  /// What a stranger's picture may cost.
  static let limits: [FieldSetting<RenderLimits>] = [
    limit(
      "max-pixels", \.maxPixels, .integer("N", 1...10_000_000_000), "maximum pixels of one picture",
      example: "80000000", usual: "\(usual.maxPixels)",
      detail: "Width times height, for sources and for results."),
    limit(
      "max-side", \.maxSide, .integer("N", 1...1_000_000), "maximum width or height of one picture",
      example: "20000", usual: "\(usual.maxSide)", detail: "In pixels, for sources and for results."
    ).with { $0.places = .job },
    limit(
      "max-animation-pixels", \.maxAnimationPixels, .integer("N", 1...1_000_000_000_000),
      "maximum pixels of all frames of an animation", example: "500000000",
      usual: "\(usual.maxAnimationPixels)",
      detail: "Canvas size times the number of frames."
    ).with { $0.places = .job },
    limit(
      "max-bytes", \.maxBytes, .bytes("N", 1...(1 << 40)), "maximum size of one source", example: "20M",
      usual: "\(usual.maxBytes >> 20)M", detail: "K, M and G stand for powers of 1024."),
    FieldSetting(
      Setting(
        JobKey.maxMemory, SettingType<Int>.bytes("N", 1...(1 << 40)).optional, in: .all, .limits,
        "memory limit of one worker process", example: "max-memory 1G",
        detail: """
          A picture that needs more is rejected or stops its worker, and fails. K, M and G stand for powers \
          of 1024.
          """
      ).with(usual: "\(RenderLimits.workerBytes >> 20)M")
    ) { limits, values in
      guard let bytes = values[JobKey.maxMemory] else { return }
      limits.maxDecodeBytes = RenderLimits.decodeBytes(ofWorker: bytes)
    },
    limit(
      "render-timeout", \.seconds, .seconds("SECONDS", 0.1...86_400), "time limit for rendering one result",
      example: "30", usual: "\(Int(usual.seconds))",  // fits: our own default
      detail: "CPU time of the worker, which is stopped after four times as long by the clock."),
  ]
}
