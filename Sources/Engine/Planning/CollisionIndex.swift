import ClientKit
import JobFile
import Syntax

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

extension Plan {
  /// Finds entries that jobs of one run would write differently into one cache.
  package static func collisions(among plans: [Plan]) -> Diagnostics {
    var diagnostics = Diagnostics()
    for (cache, sharing) in Dictionary(grouping: plans, by: \.settings.cache) where sharing.count > 1 {
      var makers: [String: Maker] = [:]
      for plan in sharing {
        for row in plan.rows {
          let rendition = plan.rendition(at: row)
          let task = plan.task(at: row, session: 0)
          for store in rendition.stores {
            let identity = RenditionTask.identity(
              content: store.content, output: task.output, sha256: task.options.sha256)
            let maker = Maker(
              source: rendition.source, identity: identity, place: "\(rendition.file):\(rendition.line)")
            guard let first = makers.updateValue(maker, forKey: store.fileName) else { continue }
            guard first.source != maker.source || first.identity != maker.identity else { continue }
            diagnostics.add(
              Diagnostic(
                .error, file: rendition.file, line: rendition.line, column: 1,
                message: "this rendition has the same cache key as another one, at \(first.place)",
                help: "both jobs write into \(cache); give them caches of their own, or an id="))
          }
        }
      }
    }
    return diagnostics
  }

  private struct Maker {
    package var source: String
    package var identity: String
    package var place: String
  }
}
