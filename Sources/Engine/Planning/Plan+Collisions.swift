import JobFile
import Syntax

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
