/// Numbers as text for people and for source code. Those of cache keys are Swift's own `description`: the shortest decimal
/// form that gives the value back, on every system. A `CGSize` is the exception: interpolated it prints `(1.0, 2.0)` with
/// Apple's Foundation and `CGSize(width: 1.0, height: 2.0)` with Linux's, so no key may interpolate one.
package enum NumberText {
  /// `3`, `2.5`: as people and Swift's literals write it; it reads back as the same number.
  package static func plain(_ value: Double) -> String {
    if value == 0, value.sign == .minus { return "-0.0" }
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// `12,345`.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 source`, `12,345 sources`, `2 entries`.
  package static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}

/// Numbers as a job spells them: decimal, with `.` and an exponent; no `inf`, `nan`, hexadecimal.
package enum DecimalText {
  package static func double(_ text: String) -> Double? {
    var scanner = KeyScanner(text)
    if scanner.take("+"), scanner.isAt("-") { return nil }
    guard let value = scanner.number(), scanner.atEnd, value.isFinite else { return nil }
    return value
  }
}
