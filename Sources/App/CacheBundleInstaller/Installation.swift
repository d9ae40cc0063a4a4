import FileStore
import Foundation

/// One installation on its way: prove, stage, rename, remember.
struct Installation {
  let bundle: CacheBundle
  let index: BundleIndex
  let proof: BundleProof?
  let marker: InstallMarker
  let files: FileStore
  let folder: URL
  let now: Date
  let control: InstallControl
  var report = InstallReport(id: "")
  /// The files that the marker will name.
  var installed: [String: Set<String>] = [:]
  var staged: [StagedFile] = []
  /// When files that are written are to have been created.
  var created: [(file: String, date: Date)] = []
  /// Files that are right except for their dates.
  var dated: [(file: String, dates: FileDates)] = []

  mutating func run() throws(BundleFailure) -> InstallReport {
    report = InstallReport(id: index.id)
    report.signedBy = proof?.keys ?? []
    let bytes = index.entries.reduce(0) { $0 + $1.size }
    var progress = InstallProgress(totalFiles: index.entries.count, totalBytes: bytes)
    // The last to be made is the last to go where the client's sweep begins with the oldest file.
    for (rank, entry) in index.entries.enumerated().reversed() {
      try control.check()
      try stage(entry, dates: dates(of: entry, rank: rank), rank: rank)
      progress.files += 1
      progress.bytes += entry.size
      if progress.files % (progress.totalFiles / 100 + 1) == 0 || progress.files == progress.totalFiles {
        control.progress?(progress)
      }
    }
    try control.check()
    // A kill leaves the most urgent ones in place.
    staged.reverse()
    try BundleFailure.writing { () throws(FileStoreError) in
      if !staged.isEmpty {
        try files.synchronize { staged.map(\.temporaryPath) }
        // Whatever bundle comes after a kill, it knows that the app has not made these files.
        var unfinished = InstallMarker(files: marker.files.merging(installed) { $0.union($1) })
        unfinished.facts.count(index, proof, after: marker.facts)
        try unfinished.write(beside: folder, staging: files.temporaryFolder, calls: files.calls)
      }
      for file in staged { try files.publish(file) }
      for (file, date) in created { files.setCreationDate(date, of: file) }
      for (file, dates) in dated { try files.setDates(dates, of: file) }
      try removeDropped()
      try keepFromFirstSweep()
      try InstallMarker(id: index.id, files: installed, facts: .init(index, proof, after: marker.facts))
        .write(beside: folder, staging: files.temporaryFolder, calls: files.calls)
    }
    return report
  }

  /// Where the modification date is the expiry it has whole seconds. The first to go in a sweep is what was read or made
  /// the longest ago, so the most urgent entries are the newest. Where the creation date decides, the access date stands
  /// for it on systems that do not let it be set; a whole second tells it from the system's own.
  private func dates(of entry: BundleIndex.Entry, rank: Int) -> FileDates {
    let base =
      index.rules.eviction == .accessDate
      ? now : Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    let access = base.addingTimeInterval(-Double(rank))
    guard index.rules.expiry == .modificationDate else { return FileDates(access: access) }
    let expiry =
      entry.expiresAfter.map { now.timeIntervalSince1970.rounded(.up) + Double($0) }
      ?? entry.expiresAt.map(Double.init) ?? DistantDate.from(now).timeIntervalSince1970
    return FileDates(access: access, modification: Date(timeIntervalSince1970: expiry))
  }

  /// Files of one installation were created so far apart: near enough for a period that is counted from the creation.
  private static let creationStep = 0.001

  private mutating func stage(
    _ entry: BundleIndex.Entry, dates: FileDates, rank: Int
  ) throws(BundleFailure) {
    // Proved even where it is not needed: a bundle is right as a whole or refused.
    let data = entry.isIncluded ? try bundle.data(for: entry) : nil
    if let expiry = dates.modification, expiry <= now {
      report.expired += 1
      return
    }
    let (found, digest) = try BundleFailure.writing { () throws(FileStoreError) in
      let found = try files.entry(named: entry.file)
      return try (found, found.flatMap { entry throws(FileStoreError) in try self.digest(of: entry) })
    }
    guard found?.isRegularFile != false else {
      throw BundleFailure(.write, "\(entry.file) in the cache folder is not a file")
    }
    if digest == entry.sha256 {
      report.present += 1
      installed[entry.file] = [entry.sha256]
      // An app's own reading prolongs an entry's life; that must not be undone.
      let isLonger = dates.modification.map { $0 > found?.modificationDate ?? .distantPast } ?? false
      if isLonger { dated.append((entry.file, FileDates(modification: dates.modification))) }
      return
    }
    if let found, let digest, marker.files[entry.file]?.contains(digest) != true, !isExpired(found) {
      report.kept += 1
      return
    }
    guard let data else {
      throw BundleFailure(
        .base, "\(entry.file) is not what the state before had; install the whole bundle instead")
    }
    staged.append(
      try BundleFailure.writing { () throws(FileStoreError) in
        try files.stage(data, as: entry.file, dates: dates)
      })
    if index.rules.eviction == .creationDate {
      created.append((entry.file, now.addingTimeInterval(-Double(rank) * Self.creationStep)))
    }
    report.written += 1
    installed[entry.file] = [entry.sha256]
  }

  private func isExpired(_ entry: FileEntry) -> Bool {
    index.rules.expiry == .modificationDate && entry.modificationDate <= now
  }

  private func digest(of entry: FileEntry) throws(FileStoreError) -> String? {
    // No bundle has brought a larger one, or something else than a file.
    guard entry.isRegularFile, entry.size <= BundleFormat.maxEntryBytes else { return "" }
    return try files.read(entry.name, keepingAccessDate: true).map(BundleDigest.sha256)
  }

  /// Removes files of an earlier bundle that this one has dropped, unless the app has changed them.
  private mutating func removeDropped() throws(FileStoreError) {
    let wanted = Set(index.entries.map(\.file))
    for (file, digests) in marker.files.sorted(by: { $0.key < $1.key }) where !wanted.contains(file) {
      guard let entry = try files.entry(named: file), let digest = try digest(of: entry),
        digests.contains(digest)
      else { continue }
      try files.remove(file)
      report.removed += 1
    }
  }

  /// Without a note of a sweep Nuke 12.1.5 and later sweeps five seconds after its first launch.
  private func keepFromFirstSweep() throws(FileStoreError) {
    let name = ".data-cache-info"
    guard index.keepsSweepDate == true, try files.entry(named: name) == nil else { return }
    let seconds = now.timeIntervalSinceReferenceDate
    try files.write(Data("{\"lastSweepDate\":\(seconds)}".utf8), as: name)
  }
}
