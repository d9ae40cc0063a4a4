/// Reads a text once, from left to right, and notes what is to be hidden of the URLs in it.
///
/// A word ends at white space outside of quotes. A password may hold any character, so where one may have begun the
/// word's last `@` ends it; a value ends at `&`, `#` or with its word.
struct SecretReader {
  private let text: ArraySlice<UInt8>
  private let knownOnly: Bool
  /// In no order; they may overlap, each byte is in a few at most. None is empty.
  private(set) var hidden: [Range<Int>] = []

  private var index: Int
  private var isQuoted = false
  private var authority: Authority
  /// Where the name of a query item begins.
  private var item: Int?
  /// Whether the item may be one without a value: only behind `?`.
  private var (isQuery, isBare) = (false, false)

  /// What stands before the path, behind `://` or at the beginning of a word.
  private struct Authority {
    var start: Int
    var hasScheme = false
    var colon: Int?
    /// The last `@` so far.
    var at: Int?
    var isOver = false
    /// A password that looked like a port, since it has a raw slash, `?` or `#`.
    var goesOn = false
  }

  init(_ text: ArraySlice<UInt8>, knownOnly: Bool) {
    (self.text, self.knownOnly, index) = (text, knownOnly, text.startIndex)
    authority = Authority(start: index)
  }

  mutating func read() {
    while index < text.endIndex {
      let (byte, length) = decoded()
      let isRaw = length == 1
      switch byte {
      case UInt8(ascii: "\""): quote()
      case UInt8(ascii: " "), 9: if !isQuoted { endWord(index + 1) }
      case UInt8(ascii: ":"): colon()
      case UInt8(ascii: "@"): if !authority.isOver || authority.goesOn { authority.at = index }
      case UInt8(ascii: "/"):
        if index == authority.start, !authority.hasScheme, text[(index + 1)...].first == byte {
          authority.start = index + 2
          index += 1
        } else {
          endAuthority()
        }
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"):
        endItem()
        if isRaw {
          if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { endAuthority() }
          if byte == UInt8(ascii: "?") {
            isQuery = true
          } else if byte == UInt8(ascii: "#") {
            isQuery = false
          }
        }
        isBare = isRaw ? isQuery : item != nil && isBare
        item = index + length
      case UInt8(ascii: "="): value(at: index + length)
      default: break
      }
      index += length
    }
    endWord(index)
  }

  private mutating func hide(_ range: Range<Int>) { if !range.isEmpty { hidden.append(range) } }

  private mutating func endWord(_ next: Int) {
    endItem()
    (item, isQuery) = (nil, false)
    endAuthority()
    hidePassword()
    authority = Authority(start: next)
  }

  private mutating func quote() {
    if index == authority.start { authority.start += 1 }
    if isQuoted, closes(index) { endWord(index + 1) }
    isQuoted.toggle()
  }

  /// Whether a quote ends a text, and is no part of it.
  private func closes(_ quote: Int) -> Bool {
    text[(quote + 1)...].first.map { " \t,:;)]}".utf8.contains($0) } ?? true
  }

  private mutating func colon() {
    if text[index...].starts(with: "://".utf8) {
      endAuthority()
      if !authority.goesOn || !authority.hasScheme {
        hidePassword()
        authority = Authority(start: index + 3, hasScheme: true)
      }
      index += 2
    } else if index == authority.start, !authority.hasScheme {
      authority.start += 1
    } else if !authority.isOver, authority.colon == nil {
      authority.colon = index
    }
  }

  /// User information ends at the last `@`. Without a scheme `logo@2x.png` is a name.
  private mutating func endAuthority() {
    guard !authority.isOver else { return }
    authority.isOver = true
    if let at = authority.at, authority.hasScheme || authority.colon.map({ $0 < at }) ?? false {
      hide(authority.start..<at)
    }
    guard let colon = authority.colon else { return }
    let port = text[(colon + 1)..<index]
    authority.goesOn = port.isEmpty || !port.allSatisfy(\.isDigit)
  }

  private mutating func hidePassword() {
    guard authority.goesOn, let colon = authority.colon, let at = authority.at, colon < at else { return }
    hide(authority.start..<at)
  }

  /// `?TOKEN`: an item without a value is one, unless it is about the picture, or a number such as a date.
  private mutating func endItem() {
    guard let item, isBare, !knownOnly, isToken(text[item..<index]) else { return }
    hide(item..<index)
  }

  private func isToken(_ name: ArraySlice<UInt8>) -> Bool {
    !SecretMask.isHarmlessName(name) && (name.count > 14 || !name.allSatisfy(\.isDigit))
  }

  /// `name=value`, also percent-encoded as the value of another item.
  private mutating func value(at start: Int) {
    guard let item else { return }
    let name = text[item..<index]
    self.item = nil
    guard knownOnly ? SecretMask.isSecretName(name) : !SecretMask.isHarmlessName(name) else { return }
    if name.elementsEqual("s".utf8), isSize(text[start...]) { return }
    var (end, isOpen) = (start, isQuoted)
    scan: while end < text.endIndex {
      switch text[end] {
      case UInt8(ascii: "&"), UInt8(ascii: "#"): break scan
      case UInt8(ascii: " "), 9: if !isOpen { break scan }
      case UInt8(ascii: "\""):
        if isQuoted, closes(end) { break scan }
        isOpen.toggle()
      case UInt8(ascii: "@"): if !authority.isOver || authority.goesOn { authority.at = end }
      default: break
      }
      end += 1
    }
    hide(start..<end)
    // The signs at the end of an item without a value may be those of base64.
    if isBare, !knownOnly, text[start..<end].allSatisfy({ $0 == UInt8(ascii: "=") }), isToken(name) {
      hide(item..<index)
    }
    // The reader is still on the sign.
    index = max(index, end - (start - index))
  }

  /// `s=(320.0, 9.9e+03)` of a client's key: the name alone may stand for a signature.
  private func isSize(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.first == UInt8(ascii: "(") else { return false }
    let numbers = value.dropFirst().prefix { $0.isDigit || ",. e+-".utf8.contains($0) }
    return numbers.endIndex < value.endIndex && value[numbers.endIndex] == UInt8(ascii: ")")
      && numbers.count { $0 == UInt8(ascii: ",") } == 1
  }

  /// The byte at the place, undoing the percent-encoding of delimiters.
  private func decoded() -> (UInt8, length: Int) {
    guard text[index] == UInt8(ascii: "%"), text.endIndex - index >= 3 else { return (text[index], 1) }
    switch (text[index + 1], text[index + 2] | 0x20) {
    case (UInt8(ascii: "3"), UInt8(ascii: "f")): return (UInt8(ascii: "?"), 3)
    case (UInt8(ascii: "3"), UInt8(ascii: "d")): return (UInt8(ascii: "="), 3)
    case (UInt8(ascii: "2"), UInt8(ascii: "6")): return (UInt8(ascii: "&"), 3)
    case (UInt8(ascii: "2"), UInt8(ascii: "3")): return (UInt8(ascii: "#"), 3)
    default: return (text[index], 1)
    }
  }
}
