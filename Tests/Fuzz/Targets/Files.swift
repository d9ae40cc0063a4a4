import Foundation
import Reporting

@testable import CacheBundleInstaller
@testable import Signposts

extension FuzzTarget {
  static let files = [bundleIndex, installMarker, zip, signpostLog, runRecord]

  private static let bundleIndex = FuzzTarget(name: "bundle-index") { bytes in
    guard let index = try? BundleIndex(reading: Data(bytes)) else { return }
    for entry in index.entries {
      try hold(isOneName(entry.file), "an entry lies in the client's folder: \(entry.file)")
      try hold(entry.size >= 0, "an entry has a size")
    }
    try hold(isOneName(index.folder), "the client's folder is one: \(index.folder)")
    let again = try BundleIndex(reading: Data(index.encoded()))
    try hold(again == index, "an index that was written is the same")
    let bytes = index.entries.reduce(0) { $0 + $1.size }
    try hold(bytes <= BundleFormat.maxBytes, "sizes can be added")
    let marker = InstallMarker(
      id: index.id, files: Dictionary(uniqueKeysWithValues: index.entries.map { ($0.file, [$0.sha256]) }),
      facts: .init(index, nil, after: .init()))
    try hold(
      InstallMarker(reading: marker.encoded, withFiles: true) == marker, "no text leads a marker astray")
  }

  private static let installMarker = FuzzTarget(name: "install-marker") { bytes in
    let data = Data(bytes)
    let beginning = InstallMarker(reading: data, withFiles: false)
    guard let marker = InstallMarker(reading: data, withFiles: true) else { return }
    try hold(marker.encoded == data, "a marker is read only as it is written")
    try hold(beginning?.id == marker.id && beginning?.facts == marker.facts, "its beginning says the same")
    for name in marker.files.keys { try hold(isOneName(name), "a file lies in the client's folder: \(name)") }
    try hold((0...BundleFormat.maxCounter).contains(marker.facts.counter ?? 0), "a counter can be passed")
  }

  private static let zip = FuzzTarget(name: "zip") { bytes in
    let zip: StoredZip? = try withFile(of: bytes, "zip") { file in
      _ = try StoredZip.first(at: file, named: BundleFormat.idName)
      return try? StoredZip(at: file)
    }
    guard let zip else { return }
    var room = bytes.count
    let names = zip.entries.map(\.name)
    try hold(Set(names).count == names.count, "each entry has its own name")
    for name in names {
      guard let data = try? zip.data(named: name, limit: bytes.count) else { continue }
      room -= data.count
      try hold(room >= 0, "all entries together are no larger than the archive")
      try hold(data.isEmpty || Data(bytes).range(of: data) != nil, "an entry is a part of the archive")
    }
  }

  private static let signpostLog = FuzzTarget(name: "signpost-log") { bytes in
    try withFile(of: bytes, "signpost-log") { file in
      for grouping in [nil] + SignpostGrouping.allCases { try checkLog(file.path, by: grouping) }
    }
  }

  private static func checkLog(_ path: String, by grouping: SignpostGrouping?) throws(Broken) {
    var statistics = SignpostStatistics(by: grouping)
    do {
      try statistics.add(path)
      // The runs of two logs are counted together.
      try statistics.add(path)
    } catch { return }
    for operation in statistics.operations() {
      try hold(
        0 <= operation.p50 && operation.p50 <= operation.p95 && operation.p95 <= operation.p99
          && operation.p99 <= operation.max && operation.max <= operation.total,
        "times are in order: \(operation)")
      try hold(operation.count == 0 || operation.peakParallelism > 0, "what ran, ran: \(operation)")
      try hold(operation.unfinished >= 0 && operation.meanParallelism.isFinite, "it is countable")
    }
  }

  private static let runRecord = FuzzTarget(name: "run-record") { bytes in
    guard let record = try? RunRecord(lines: Data(bytes), path: "fuzz.ndjson") else { return }
    let again = try RunRecord(lines: try record.lines(), path: "fuzz.ndjson")
    try hold(again == record, "a record that was written is the same")
    var sorted = record
    sorted.sort()
    try hold(sorted.renditions.count == record.renditions.count, "sorting loses nothing")
    _ = (record.failures.count, record.unfound.count)
    try RecordReaders.check(record)
  }

  /// For what reads files: one on a file system in memory, where there is one.
  private static func withFile<Result>(
    of bytes: [UInt8], _ target: String, _ body: (URL) throws -> Result
  ) throws -> Result {
    let file = folder.appendingPathComponent(
      "preheat-fuzz-\(target)-\(ProcessInfo.processInfo.processIdentifier)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }

  private static let folder: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let files = FileManager.default
    return files.isWritableFile(atPath: memory.path) ? memory : files.temporaryDirectory
  }()
}

extension RunRecord {
  func lines() throws -> Data {
    var data = Data()
    try forEachPiece { data += $0 }
    return data
  }
}
