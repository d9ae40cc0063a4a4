import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One installation on its way: prove, stage, rename, remember.
struct Installation {
  private let bundle: CacheBundle
  private let index: BundleIndex
  private let marker: InstallMarker
  private let files: FileStore
  private let folder: URL
  private let now: Date
  private var report: InstallReport
  /// What the marker will say.
  private var installed: [String: Set<String>] = [:]
  private var staged: [StagedFile] = []
  /// Files that are right but for their dates.
  private var dated: [(file: String, dates: FileDates)] = []

  init(
    bundle: CacheBundle, index: BundleIndex, marker: InstallMarker, files: FileStore, folder: URL, now: Date
  ) {
    self.bundle = bundle
    self.index = index
    self.marker = marker
    self.files = files
    self.folder = folder
    self.now = now
    report = InstallReport(id: index.id)
  }

  mutating func run() throws(BundleFailure) -> InstallReport {
    for (rank, entry) in index.entries.enumerated() {
      try stage(entry, dates: dates(of: entry, rank: rank))
    }
    try BundleFailure.writing { () throws(FileStoreError) in
      if !staged.isEmpty {
        try files.synchronize()
        // Whatever bundle comes after a kill, it knows that these files are no work of the app's.
        try InstallMarker(id: nil, files: marker.files.merging(installed) { $0.union($1) })
          .write(beside: folder, staging: files.temporaryFolder)
      }
      for file in staged { try files.publish(file) }
      for (file, dates) in dated { try files.setDates(dates, of: file) }
      try removeDropped()
      try keepFromFirstSweep()
      try InstallMarker(id: index.id, files: installed).write(beside: folder, staging: files.temporaryFolder)
    }
    return report
  }

  /// Where the modification date is the expiry it has whole seconds. Elsewhere the first to go in a sweep is what was
  /// read the longest ago, so the most urgent entries are the newest.
  private func dates(of entry: BundleIndex.Entry, rank: Int) -> FileDates {
    guard index.expiry(of: entry.file) == .modificationDate else {
      return FileDates(access: now.addingTimeInterval(-Double(rank)))
    }
    let expiry =
      entry.expiresAfter.map { now.timeIntervalSince1970.rounded(.up) + Double($0) }
      ?? entry.expiresAt.map(Double.init) ?? DistantDate.from(now).timeIntervalSince1970
    return FileDates(modification: Date(timeIntervalSince1970: expiry))
  }

  private mutating func stage(_ entry: BundleIndex.Entry, dates: FileDates) throws(BundleFailure) {
    // Proved even where it is not needed: a bundle is right as a whole or refused.
    let data = entry.isIncluded ? try bundle.data(for: entry) : nil
    if let expiry = dates.modification, expiry <= now {
      report.expired += 1
      return
    }
    let found = files.entry(named: entry.file)
    if let found, !found.isRegularFile {
      throw BundleFailure(.write, "\(entry.file) in the cache folder is no file")
    }
    let digest = found == nil ? nil : digest(of: entry.file)
    if digest == entry.sha256 {
      report.present += 1
      installed[entry.file] = [entry.sha256]
      // An app's own reading prolongs an entry's life; that must not be undone.
      let isLonger = dates.modification.map { $0 > found?.modificationDate ?? .distantPast } ?? false
      if isLonger { dated.append((entry.file, dates)) }
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
    report.written += 1
    installed[entry.file] = [entry.sha256]
  }

  private func isExpired(_ entry: FileEntry) -> Bool {
    index.expiry(of: entry.name) == .modificationDate && entry.modificationDate <= now
  }

  private func digest(of file: String) -> String? {
    ((try? files.read(file, keepingAccessDate: true)) ?? nil).map(BundleDigest.sha256)
  }

  /// What an earlier bundle brought and this one has dropped goes, unless the app has changed it.
  private mutating func removeDropped() throws(FileStoreError) {
    let wanted = Set(index.entries.map(\.file))
    for (file, digests) in marker.files.sorted(by: { $0.key < $1.key }) where !wanted.contains(file) {
      guard let digest = digest(of: file), digests.contains(digest) else { continue }
      try files.remove(file)
      report.removed += 1
    }
  }

  /// Without a note of a sweep Nuke 12.1.5 and later sweeps five seconds after its first launch.
  private func keepFromFirstSweep() throws(FileStoreError) {
    let name = ".data-cache-info"
    guard index.keepsSweepDate == true, !files.contains(name) else { return }
    let seconds = now.timeIntervalSinceReferenceDate
    try files.write(Data("{\"lastSweepDate\":\(seconds)}".utf8), as: name)
  }
}
