import Pictures
import Text

/// What a job, a flag or a variable says about ``RenderLimits``; what nobody says is not in it.
package struct LimitSettings: Sendable, Hashable {
  /// The flag, the job's keyword and, in capitals, the variable of a limit.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case pixels = "max-pixels"
    case side = "max-side"
    case animation = "max-animation-pixels"
    case bytes = "max-bytes"
    case memory = "max-memory"
    case seconds = "timeout"

    /// What is accepted.
    package var range: ClosedRange<Double> {
      switch self {
      case .pixels: 1...1e10
      case .side: 1...1_000_000
      case .animation: 1...1e12
      case .bytes, .memory: 1...Double(1 << 40)
      case .seconds: 0.1...86_400
      }
    }

    var isBytes: Bool { self == .bytes || self == .memory }
  }

  private var values: [Name: Double] = [:]

  package init() {}

  package subscript(name: Name) -> Double? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// A limit as text: a number, of bytes perhaps with K, M or G, of seconds perhaps with a fraction.
  package static func value(_ name: Name, _ text: String) -> Double? {
    let value =
      name == .seconds
      ? DecimalText.double(text)
      : (name.isBytes ? ByteCountText.value(text) : DecimalText.whole(text)).map(Double.init)
    return value.flatMap { name.range.contains($0) ? $0 : nil }
  }

  package static func read(_ name: Name, _ scanner: inout LineScanner) throws(Mistake) -> Double {
    let start = scanner.position
    let word = scanner.word()
    if let value = value(name, String(decoding: word, as: UTF8.self)) { return value }
    let (kind, least, most) =
      name == .seconds
      ? ("a number of seconds", "0.1", "86400")
      : (
        name.isBytes ? "a number of bytes" : "a whole number", "\(Int(name.range.lowerBound))",
        "\(Int(name.range.upperBound))"
      )
    throw Mistake(
      start, "\(name.rawValue) is \(kind) from \(least) to \(most), not \(Mistake.quote(word))")
  }

  /// The limits with these in place of theirs.
  package func applied(to limits: RenderLimits) -> RenderLimits {
    var limits = limits
    func set(_ path: WritableKeyPath<RenderLimits, Int>, _ name: Name) {
      if let value = values[name] { limits[keyPath: path] = Int(value) }
    }
    set(\.maxPixels, .pixels)
    set(\.maxSide, .side)
    set(\.maxAnimationPixels, .animation)
    set(\.maxBytes, .bytes)
    if let memory = values[.memory] {
      limits.maxDecodeBytes = RenderLimits.decodeBytes(ofWorker: Int(memory))
    }
    if let seconds = values[.seconds] { limits.seconds = seconds }
    return limits
  }
}
