import ClientKit
import JobFile
import Syntax
import Text

/// A key without its text: 64 bits, so that a million keys cost little. Where two are equal, the caller compares the
/// keys in full.
struct KeyMark: Hashable {
  fileprivate let bits: Int

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

    func mark(_ suffix: KeySuffix, of client: any KeyClient) -> KeyMark {
      guard let key = client.joinedKey(base: text, suffix) else { return mark(appending: suffix.text) }
      return Base(key).mark(appending: "")
    }

    /// The parts are never joined.
    private func mark(appending text: String) -> KeyMark {
      var hasher = hasher
      Self.add(text, to: &hasher)
      return KeyMark(bits: hasher.finalize())
    }

    /// Bytes, not characters: keys in different Unicode normal forms are different files. Only the whole key counts.
    private static func add(_ text: String, to hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}

extension Plan {
  /// Finds entries that jobs of one run would write differently into one cache.
  package static func collisions(among plans: [Plan]) -> Diagnostics {
    var diagnostics = Diagnostics()
    let together = Dictionary(grouping: plans) { ByteText($0.settings.cache) }
    for (cache, sharing) in together where sharing.count > 1 {
      if let conflict = Pruning.conflict(sharing) { diagnostics.add(conflict) }
      var makers: [ByteText: (source: String, identity: String, place: String)] = [:]
      for plan in sharing {
        for row in plan.rows {
          let rendition = plan.rendition(at: row)
          let task = plan.task(at: row, session: 0)
          for store in rendition.stores {
            let identity = RenditionTask.identity(
              content: store.content, output: task.output, sha256: task.options.sha256,
              animated: task.animated)
            let maker = (rendition.source, identity, "\(rendition.file):\(rendition.line)")
            guard let first = makers.updateValue(maker, forKey: ByteText(store.fileName)) else { continue }
            guard (first.source, first.identity) != (rendition.source, identity) else { continue }
            diagnostics.add(
              Diagnostic(
                .error, file: rendition.file, line: rendition.line, column: 1,
                message: "this rendition has the same cache key as another one, at \(first.place)",
                help: "both jobs write into \(cache.text); give them caches of their own, or an id="))
          }
        }
      }
    }
    return diagnostics
  }
}
