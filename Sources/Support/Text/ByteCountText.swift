/// A number of bytes as people write it: digits, and at most one of K, M, G (powers of 1024) in either case.
package enum ByteCountText {
  /// Nil for anything else, and for what no number can hold.
  package static func value(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
    let unit = text.last.flatMap { shifts[Character($0.lowercased())] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
      return nil
    }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << (unit ?? 0))
    return overflows ? nil : bytes
  }
}
