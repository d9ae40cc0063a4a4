import CacheCore
import Foundation
import NukeCache
import Rendering

/// A rendition that has to be made, as the engine sees it.
struct RenditionTask: Sendable {
  var rendition: PlannedRendition
  /// Which cache it goes to: an index into the run's sessions.
  var session: Int
  /// Nil where only the original is stored.
  var output: RenderRequest.Output?
  var options: EntryOptions
  /// What the original has to prove, where it is stored.
  var check = OriginalCheck.structure
  /// What decides the bytes of each of the rendition's stores, in their order.
  var identities: [String] = []

  var storesOriginal: Bool { rendition.stores.contains { $0.content == .original } }

  /// What the ledger says of one of the rendition's files.
  func origin(of store: PlannedRendition.Store) -> EntryOrigin {
    EntryOrigin(store, of: rendition, priority: options.priority)
  }

  /// Grows when the renderer draws the same steps to other bytes, so that caches are made anew.
  static let rendererVersion = 3

  /// All that decides the bytes of an entry besides its source.
  static func identity(content: StoredEntry.Content, output: RenderRequest.Output?, sha256: String?) -> String
  {
    var text = "preheat \(rendererVersion) \(content.rawValue) \(sha256 ?? "-") "
    if content == .encoded, let output {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      text += (try? encoder.encode(output)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return SHA256.hexadecimal(of: text)
  }
}
