import Text

/// The arguments of a signpost in the order in which they were given.
public struct SignpostMetadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// Keys and values. A key stands there once, unless a literal named it twice.
  public private(set) var arguments: [Argument] = []

  /// A key with its value.
  public struct Argument: Hashable, Sendable {
    /// What the argument says.
    public var key: SignpostKey
    /// Its value.
    public var value: SignpostValue
  }

  /// No arguments.
  public init() {}

  /// The arguments of a literal: `[.host: .text("example.com")]`.
  public init(dictionaryLiteral elements: (SignpostKey, SignpostValue)...) {
    arguments = elements.map { Argument(key: $0, value: $1) }
  }

  /// Whether there are no arguments.
  public var isEmpty: Bool { arguments.isEmpty }

  /// The value of a key. Setting one that is there replaces it, setting nil removes it.
  public subscript(key: SignpostKey) -> SignpostValue? {
    get { arguments.first { $0.key == key }?.value }
    set {
      let index = arguments.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): arguments[index].value = value
      case (let index?, nil): arguments.remove(at: index)
      case (nil, let value?): arguments.append(Argument(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Adds what became known later.
  public mutating func merge(_ later: SignpostMetadata) {
    for argument in later.arguments { self[argument.key] = argument.value }
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
