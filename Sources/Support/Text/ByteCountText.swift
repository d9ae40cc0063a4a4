/// Numbers of bytes as people write and read them. The units are powers of 1024: K or KiB, M or MiB, G or GiB.
package enum ByteCountText {
  private static let units = ["KiB", "MiB", "GiB", "TiB"]

  /// Reads digits and at most one unit, in either case. Nil for anything else, and for what no number can hold.
  package static func value(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let shifts = ["": 0, "k": 10, "kib": 10, "m": 20, "mib": 20, "g": 30, "gib": 30]
    guard !digits.isEmpty, let number = Int(digits),
      let shift = shifts[text[digits.endIndex...].lowercased()]
    else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflows ? nil : bytes
  }

  /// `512 B`, `14.2 KiB`, `150 MiB`: at most one digit behind the point.
  ///
  /// - Parameter keepsTenths: writes `150.0 MiB`, for text that is drawn again and again in one place.
  package static func text(_ count: Int, keepsTenths: Bool = false) -> String {
    guard count.magnitude >= 1024 else { return "\(count) B" }
    var value = Double(count)
    for unit in units {
      value /= 1024
      // A value that would round to 1024 belongs to the next unit.
      guard abs(value) < 1023.95 || unit == units.last else { continue }
      let tenths = Int((value * 10).rounded())
      let rest = keepsTenths || tenths % 10 != 0 ? ".\((tenths % 10).magnitude)" : ""
      let whole = abs(value) < 1024 ? "\(tenths / 10)" : NumberText.grouped(tenths / 10)
      return "\(whole)\(rest) \(unit)"
    }
    return "\(count) B"
  }
}
