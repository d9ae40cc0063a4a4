import Text

/// The arguments of a signpost. They are written in the order of the keys.
public typealias SignpostMetadata = [SignpostKey: SignpostValue]

extension SignpostMetadata {
  /// In the order of the keys.
  var arguments: [(key: SignpostKey, value: SignpostValue)] {
    SignpostKey.allCases.compactMap { key in self[key].map { (key, $0) } }
  }
}

/// An argument of a signpost: a typed value, and whether everybody may read it.
public enum SignpostValue: Hashable, Sendable {
  /// A whole number; bytes, counts and nanoseconds.
  case integer(Int)
  /// A number with a fraction.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// Text for everybody.
  case text(String)
  /// Text that no exporter writes unless it was asked for.
  case hidden(String)
  /// A URL, whose user info, query and fragment are private.
  case url(String)
}

extension JSONBytes {
  /// What an exporter may show of a value.
  mutating func value(_ value: SignpostValue, showsPrivate: Bool) {
    switch value {
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .flag(let value): flag(value)
    case .text(let text): string(text)
    case .hidden(let text): showsPrivate ? string(text) : raw("\"<private>\"")
    case .url(let url): string(showsPrivate ? url : RedactedURL(url, limit: 500, escapes: false).description)
    }
  }

  /// Nanoseconds as microseconds with three decimals.
  mutating func microseconds(_ nanoseconds: Int64) {
    if nanoseconds < 0 { raw("-") }
    let number = nanoseconds.magnitude
    integer(number / 1000)
    raw(".")
    for unit: UInt64 in [100, 10, 1] { integer(number / unit % 10) }
  }
}
