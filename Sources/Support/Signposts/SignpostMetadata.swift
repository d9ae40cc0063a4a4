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
  /// True or false.
  case flag(Bool)
  /// Text for everybody.
  case text(String)
  /// A URL, whose user info, query and fragment are private.
  case url(String)
}

extension JSONBytes {
  /// What an exporter may show of a value.
  mutating func value(_ value: SignpostValue, showsPrivate: Bool) {
    switch value {
    case .integer(let value): integer(value)
    case .flag(let value): flag(value)
    case .text(let text): string(text)
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
