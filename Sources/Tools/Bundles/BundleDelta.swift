import CacheBundleInstaller
import CacheStore
import ClientKit
import Foundation
import Planning

/// What an older state spares a bundle. A delta's index has the whole state too, so deltas follow one another.
struct BundleDelta {
  private let old: BundleIndex

  /// - Parameter path: the older bundle, or its index.
  init(_ path: String, client: CacheClient, folder: String) throws(ToolError) {
    do throws(BundleFailure) { old = try BundleIndex(ofBundleOrIndex: path) } catch {
      throw ToolError(.bundle(.since), "\(path): \(error.message)")
    }
    guard old.client == client.name, old.folder == folder else {
      throw ToolError(
        .bundle(.since), "\(path) is of \(old.client) and \(old.folder), not of \(client.name) and \(folder)")
    }
  }

  /// Marks the entries that need not be in the bundle.
  func leaveOut(of entries: inout [BundleCandidates.Candidate], _ report: inout BundleReport) {
    let known = Dictionary(old.entries.map { ($0.file, $0.sha256) }) { first, _ in first }
    for position in entries.indices
    where known[entries[position].entry.file] == entries[position].entry.sha256 {
      entries[position].entry.included = false
      report.unchanged += 1
    }
  }

  /// Says in the index what it is a delta to, and what is gone.
  package func complete(_ index: inout BundleIndex, _ report: inout BundleReport) {
    index.since = old.id
    let wanted = Set(index.entries.map(\.file))
    let gone = old.entries.filter { !wanted.contains($0.file) }.sorted { $0.file < $1.file }
    index.removed = gone.map { BundleIndex.Removed(file: $0.file, sha256: $0.sha256) }
    report.removed = gone.count
  }
}

extension BundleIndex {
  /// The index at a path: the JSON itself, or the bundle that holds it.
  package init(ofBundleOrIndex path: String) throws(BundleFailure) {
    let url = URL(fileURLWithPath: path)
    if path.hasSuffix(".json"), let data = try? Data(contentsOf: url) {
      self = try BundleIndex(reading: data)
    } else {
      self = try BundleArchive.index(of: url)
    }
  }
}
