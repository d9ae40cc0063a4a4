import Text

/// JSON text under construction (RFC 8259), made without going through strings.
struct JSONBytes {
  var bytes: [UInt8] = []

  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func integer(_ number: some FixedWidthInteger) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(number.magnitude)
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Nanoseconds as microseconds with three decimals.
  mutating func microseconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let number = nanoseconds.magnitude
    integer(number / 1000)
    bytes.append(UInt8(ascii: "."))
    let rest = UInt8(number % 1000 / 100)
    let tens = UInt8(number % 100 / 10)
    let ones = UInt8(number % 10)
    for digit in [rest, tens, ones] { bytes.append(UInt8(ascii: "0") + digit) }
  }

  /// Characters that a terminal would act on, or that hide or reorder text, become `\u` escapes, which JSON
  /// allows for any of them.
  mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": raw("\\\"")
      case "\\": raw("\\\\")
      case "\n": raw("\\n")
      case "\r": raw("\\r")
      case "\t": raw("\\t")
      case _ where Self.isDangerous(scalar):
        for unit in String(scalar).utf16 { escape(unit) }
      case _ where scalar.isASCII: bytes.append(UInt8(scalar.value))
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// What an exporter may show of a value.
  mutating func value(_ value: SignpostValue, showsPrivate: Bool) {
    switch value {
    case .integer(let number): integer(number)
    case .number(let number): number.isFinite ? string(plain: "\(number)") : raw("null")
    case .flag(let flag): flag ? raw("true") : raw("false")
    case .text(let text): string(text)
    case .hidden(let text): showsPrivate ? string(text) : raw("\"<private>\"")
    case .url(let url): string(showsPrivate ? url : PublicURL.text(url))
    }
  }

  mutating func string(plain text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u")
    for shift in [12, 8, 4, 0] {
      let digit = UInt8((unit >> UInt16(shift)) & 15)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return true
    default: return false
    }
  }
}
