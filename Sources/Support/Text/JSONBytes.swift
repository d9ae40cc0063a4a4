/// JSON text under construction (RFC 8259), made without going through strings. How a JSON string is spelled is
/// written down only here.
package struct JSONBytes {
  package var bytes: [UInt8] = []

  package init() {}

  /// The text as a string.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  @inlinable package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Text that needs no escape: numbers, and JSON made before.
  @inlinable package mutating func plain(_ text: String) { bytes.append(contentsOf: text.utf8) }

  @inlinable package mutating func integer(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    integer(number.magnitude)
  }

  @inlinable package mutating func integer(_ number: Int) { integer(Int64(number)) }

  @inlinable package mutating func integer(_ number: UInt64) {
    var rest = number
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Null where JSON has no number for it (infinite, not a number). Swift prints `1e-05` and `5e+16`, which are valid JSON.
  package mutating func number(_ number: Double) {
    if number.isFinite { plain("\(number)") } else { raw("null") }
  }

  @inlinable package mutating func flag(_ flag: Bool) {
    if flag { raw("true") } else { raw("false") }
  }

  /// Characters that a terminal would act on, or that hide or reorder text, become `\u` escapes, which JSON
  /// allows for any of them.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if SafeText.isPlain(text, { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\""))
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": raw("\\\"")
      case "\\": raw("\\\\")
      case "\n": raw("\\n")
      case "\r": raw("\\r")
      case "\t": raw("\\t")
      default: escapeIfDangerous(scalar)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// JSON that another writer made, with the same characters escaped. Its own syntax is ASCII, so whatever is dangerous stands
  /// inside a string.
  package static func inert(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: SafeText.isDangerous) || SafeText.holdsTwoSigns(json)
    else {
      return json
    }
    var result = JSONBytes()
    for scalar in json.unicodeScalars { result.escapeIfDangerous(scalar) }
    return result.text
  }

  private mutating func escapeIfDangerous(_ scalar: Unicode.Scalar) {
    if scalar == "#", bytes.last == UInt8(ascii: "#") {
      // `##[` is a command for CI systems wherever it stands in a log.
      raw("\\u0023")
    } else if SafeText.isDangerous(scalar) {
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        plain("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    } else if scalar.isASCII {
      bytes.append(UInt8(scalar.value))
    } else {
      bytes.append(contentsOf: String(scalar).utf8)
    }
  }
}
