import FileStore
import Planning
import Text

/// What is known of a run when it is over: what every report is made from.
///
/// Texts in it are without credentials; whoever makes a record sees to that. They are not escaped: each form
/// of report has its own way.
package struct RunRecord: Sendable, Hashable {
  /// Renditions that are kept. Failed ones come first, then what an app will not find, the others as far as there is room.
  package static let limit = 50_000

  package var summary: RunSummary
  package var caches: [CacheSize] = []
  /// Errors and warnings of the jobs.
  package var findings: [FindingRecord] = []
  /// In the order of the jobs.
  package var renditions: [RenditionRecord] = []
  /// Longest total first; empty where the run was not timed.
  package var operations: [RecordedOperation] = []
  package var lanes: [RecordedLane] = []

  package init(summary: RunSummary) { self.summary = summary }

  package var failures: [RenditionRecord] { renditions.filter { $0.status == .failed } }
  /// Requests of an app that find nothing, although no rendition failed.
  package var unfound: [RenditionRecord] { renditions.filter { $0.found == .nothing } }

  /// Bytes of the sources less bytes of what was made of them, where both are known.
  package var savedBytes: Int { renditions.reduce(0) { $0 + ($1.savedBytes ?? 0) } }

  /// Looks how large the files of the entries are: those that this run left alone are only known by their names.
  package mutating func addSizes() {
    for index in renditions.indices where renditions[index].isInCache {
      guard let name = renditions[index].fileName else { continue }
      let status = CacheFileStatus(folder: renditions[index].cache, name: name)
      renditions[index].size = status.map { Int($0.size) }
    }
  }

  /// A cache that was moved together with its state folder is where it was found. A record of several stays as it is.
  package mutating func move(to cache: String) {
    guard caches.count == 1 || Set(renditions.map(\.cache)).count == 1 else { return }
    for index in caches.indices { caches[index].path = cache }
    for index in renditions.indices { renditions[index].cache = cache }
  }

  /// In the order of the jobs, so that two runs of one job read alike.
  package mutating func sort() {
    let places = Dictionary(
      summary.jobs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    renditions.sort { a, b in
      let jobs = (places[a.job] ?? .max, places[b.job] ?? .max)
      guard jobs.0 == jobs.1 else { return jobs.0 < jobs.1 }
      // What failed for one reason stands together.
      let texts = (a.failure?.message ?? "", b.failure?.message ?? "")
      return (a.file, a.line, texts.0, a.source, a.chain, a.scale ?? 0) < (
        b.file, b.line, texts.1, b.source, b.chain, b.scale ?? 0
      )
    }
  }
}

extension RenditionRecord {
  /// What an app's user does not download; negative where the rendition is the larger one.
  package var savedBytes: Int? {
    guard let sourceBytes, let bytes, status == .made else { return nil }
    return sourceBytes - bytes
  }
}
