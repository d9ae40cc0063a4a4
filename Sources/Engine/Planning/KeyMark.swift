import Syntax
import Text

/// A key without its text: 64 bits, so that a million keys cost little. Where two are equal, the caller compares the
/// keys in full.
struct KeyMark: Hashable {
  private let bits: Int

  init(_ key: String) { bits = ByteText(key).hashValue }
}

/// What a plan does under a key.
struct KeyUse {
  /// Which row has it as its request's own key.
  var row: Int32?
  /// Whether a run stores an entry of this key.
  var isStored = false
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
