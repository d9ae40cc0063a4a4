import ClientKit

/// Finds keys that are asked for twice. Holds 64 bits a key, so a million keys cost little; whoever
/// asks compares in full what seems equal.
package struct CollisionIndex {
  /// What many keys begin with. Its bytes are looked at once, however many suffixes follow.
  struct Base {
    let text: String
    private let hasher: Hasher

    init(_ text: String) {
      self.text = text
      var hasher = Hasher()
      Self.add(text, to: &hasher)
      self.hasher = hasher
    }

    /// The mark of a part's key.
    func mark(_ suffix: KeySuffix, of client: any KeyClient) -> Mark {
      guard let key = client.joinedKey(base: text, suffix) else { return mark(appending: suffix.text) }
      return Base(key).mark(appending: "")
    }

    /// The parts are never joined.
    private func mark(appending text: String) -> Mark {
      var hasher = hasher
      Self.add(text, to: &hasher)
      return Mark(bits: hasher.finalize())
    }

    /// Bytes, not characters: keys in different Unicode normal forms are different files. Without an end of their own,
    /// since only the whole key counts.
    private static func add(_ text: String, to hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// A key without its text.
  struct Mark: Hashable {
    fileprivate let bits: Int
  }

  /// Keys alone, for those who only ask whether one is among them.
  package struct Marks: Sendable {
    private var bits: Set<Int> = []

    mutating func insert(_ mark: Mark) { bits.insert(mark.bits) }
    func contains(_ mark: Mark) -> Bool { bits.contains(mark.bits) }
  }

  private var rows: [Int: Int32] = [:]

  /// The row that was noted under a key.
  subscript(mark: Mark) -> Int32? {
    get { rows[mark.bits] }
    set { rows[mark.bits] = newValue }
  }
}
