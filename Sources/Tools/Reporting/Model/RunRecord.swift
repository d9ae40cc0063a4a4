import FileStore
import Planning
import Signposts
import Text

/// What is known of a run when it is over: what every report is made from.
///
/// Texts in it are without credentials; the maker of a record sees to that. They are not escaped: each form
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

  package init(summary: RunSummary) { self.summary = summary }

  package var failures: [RenditionRecord] { renditions.filter { $0.status == .failed } }
  /// Requests of an app that find nothing, although no rendition failed.
  package var unfound: [RenditionRecord] { renditions.filter { $0.found == .nothing } }

  /// Looks how large the files of the entries are: those that this run left alone are only known by their names.
  ///
  /// - Parameter listings: of cache folders, by their paths, where they are known already.
  package mutating func addSizes(_ listings: [String: FolderListing] = [:]) {
    for index in renditions.indices where renditions[index].isInCache {
      guard let name = renditions[index].entryFile, FileStore.isFileName(name) else { continue }
      let cache = renditions[index].cache
      let status =
        listings[cache].map { $0[name] } ?? (try? CacheFileStatus(folder: cache, name: name)) ?? nil
      renditions[index].size = status.map { Int($0.size) }
    }
  }

  /// A cache that was moved together with its state folder is where it was found. A record of several stays as it is.
  package mutating func move(to cache: String) {
    guard caches.count == 1 || Set(renditions.map { ByteText($0.cache) }).count == 1 else { return }
    for index in caches.indices { caches[index].path = cache }
    for index in renditions.indices { renditions[index].cache = cache }
  }

  /// In the order of the jobs, so that two runs of one job read alike.
  package mutating func sort() {
    let places = Dictionary(
      summary.jobs.enumerated().map { (ByteText($1), $0) }, uniquingKeysWith: { first, _ in first })
    // Records have twenty members: their places are sorted first.
    let jobs = renditions.map { places[ByteText($0.job)] ?? .max }
    let order = renditions.indices.sorted { i, j in
      guard jobs[i] == jobs[j] else { return jobs[i] < jobs[j] }
      if renditions[i].file != renditions[j].file { return renditions[i].file < renditions[j].file }
      if renditions[i].line != renditions[j].line { return renditions[i].line < renditions[j].line }
      let (a, b) = (renditions[i], renditions[j])
      // What failed for one reason stands together.
      let texts = (a.failure?.message ?? "", b.failure?.message ?? "")
      return (texts.0, a.source, a.chain, a.scale) < (texts.1, b.source, b.chain, b.scale)
    }
    renditions = order.map { renditions[$0] }
  }
}

/// How long an operation took. Times in seconds.
package struct RecordedOperation: Sendable, Hashable, Codable {
  package var name: String
  package var count: Int
  package var total: Double
  var median: Double
  package var p95: Double
  package var longest: Double
  /// How many ran at once: on average while any did, and at most.
  package var parallel: Double
  package var peak: Int

  package init(_ statistics: OperationStatistics) {
    let seconds = { (nanoseconds: Int64) in Double(nanoseconds) / 1e9 }
    name = statistics.name
    count = statistics.count
    total = seconds(statistics.total)
    median = seconds(statistics.p50)
    p95 = seconds(statistics.p95)
    longest = seconds(statistics.max)
    parallel = statistics.meanParallelism
    peak = statistics.peakParallelism
  }
}

extension RenditionRecord {
  /// Whether its entry is in the cache.
  var isInCache: Bool { status == .made || status == .current }
}
