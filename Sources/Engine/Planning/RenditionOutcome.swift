import ClientKit
import Digests
import Foundation
import JobFile
import Pictures

/// How one rendition ended.
package struct RenditionOutcome: Sendable {
  package var rendition: PlannedRendition
  package var status: Status
  /// Bytes of the source, where it was at hand.
  package var sourceBytes: Int?

  package enum Status: Sendable {
    /// Fetched, rendered and stored in this run.
    case made(bytes: Int, note: String?)
    /// What an earlier run made is still right.
    case current
    /// The client stores nothing for this request under the job's policy, so nothing was made.
    case notStored(reason: String)
    case failed(RunFailure)
  }

  package init(rendition: PlannedRendition, status: Status, sourceBytes: Int? = nil) {
    self.rendition = rendition
    self.status = status
    self.sourceBytes = sourceBytes
  }

  /// What an app finds after the run; nil for a failed rendition, whose failure says more.
  package var found: PlannedRendition.Found? {
    switch status {
    case .made, .current: return rendition.found
    case .failed: return nil
    case .notStored:
      // The plan counts on entries that were left out, such as those whose expiry has passed.
      let isLeftOut = rendition.stores.contains { $0.key == rendition.lookup?.key }
      return isLeftOut ? .nothing : rendition.found
    }
  }
}

/// A rendition that has to be made, as the engine sees it.
package struct RenditionTask: Sendable {
  package var rendition: PlannedRendition
  /// Which cache it goes to: an index into the run's sessions.
  package var session: Int
  /// Nil where only the original is stored.
  package var output: RenderOutput?
  package var options: RequestOptions
  /// What the original has to prove, where it is stored.
  package var check = OriginalCheck.structure
  /// What decides the bytes of each of the rendition's stores, in their order.
  package var identities: [String] = []
  /// The ledger's name of the job.
  package var job = ""

  package var storesOriginal: Bool { rendition.stores.contains { $0.content == .original } }

  /// What the ledger says of one of the rendition's files.
  package func origin(of store: PlannedRendition.Store) -> EntryOrigin {
    EntryOrigin(store, of: rendition, job: job, priority: options.priority)
  }

  /// Grows with a release that draws the same steps to other bytes. The ledger keeps it with each entry, and drawn
  /// entries of another version are made again.
  package static let drawingVersion = 4

  /// All that decides the bytes of an entry besides its source and the drawing version.
  package static func identity(content: EntryContent, output: RenderOutput?, sha256: String?)
    -> String
  {
    var text = "preheat \(content.rawValue) \(sha256 ?? "-") "
    if content == .encoded, let output {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      text += (try? encoder.encode(output)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return SHA256.hexadecimal(of: text)
  }
}

extension RenditionTask {
  /// - Parameter sourceBytes: Bytes of the source, where it was at hand.
  package func outcome(_ status: RenditionOutcome.Status, sourceBytes: Int? = nil) -> RenditionOutcome {
    RenditionOutcome(rendition: rendition, status: status, sourceBytes: sourceBytes)
  }
}
