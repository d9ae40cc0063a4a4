import FileStore
import Glibc
import Planning
import Signposts

/// Puts finished files into the cache folder, in groups.
///
/// Files are staged in the state folder and published together: one `syncfs` for all of them, then a
/// rename each, then the ledger. A run that is killed in between leaves files that are whole, and at
/// worst unknown to the ledger, so the next run makes them again to the same bytes.
package actor CacheWriter {
  private let files: FileStore
  private let ledger: LedgerWriter
  private let signposts: Signposter
  private let executor = QueueExecutor(label: "preheat.store")
  private let maxFiles: Int
  private let maxBytes: Int
  private let maxAge: Duration
  private var staged: [(file: StagedFile, entry: LedgerEntry)] = []
  private var stagedBytes = 0
  private var waiting: [RenditionOutcome] = []
  /// When the group's first file was staged.
  private var start = ContinuousClock.now

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - maxFiles: A group is published when it holds this many files
  ///   - maxBytes: or this many bytes,
  ///   - maxAge: or when its first file has waited so long: that is what a kill costs at most.
  package init(
    files: FileStore, ledger: LedgerWriter, maxFiles: Int = 512, maxBytes: Int = 64 << 20,
    maxAge: Duration = .seconds(1), signposts: Signposter = .disabled
  ) {
    self.signposts = signposts
    self.files = files
    self.ledger = ledger
    self.maxFiles = maxFiles
    self.maxBytes = maxBytes
    self.maxAge = maxAge
  }

  /// Writes the files of one source aside. `outcomes` are true once all of them are published.
  ///
  /// - Returns: The outcomes that have become true by now; often none, often those of many sources.
  package func stage(
    _ finished: [FinishedFile], outcomes: [RenditionOutcome]
  ) throws(StoreFailure) -> [RenditionOutcome] {
    if staged.isEmpty { start = .now }
    do throws(FileStoreError) {
      try signposts.withInterval(.stageFile, [.count: .integer(finished.count)]) {
        () throws(FileStoreError) in
        for file in finished {
          staged.append((try files.stage(file.bytes, as: file.entry.file, dates: file.dates), file.entry))
          stagedBytes += file.bytes.count
        }
      }
    } catch {
      throw StoreFailure(error)
    }
    waiting += outcomes
    let isDue = staged.count >= maxFiles || stagedBytes >= maxBytes || .now - start >= maxAge
    guard isDue else { return [] }
    return try publish()
  }

  /// Publishes all that is staged.
  ///
  /// What one file meets does not keep the others from their places; then the first failure is thrown.
  /// Nothing of the group is tried a second time.
  package func publish() throws(StoreFailure) -> [RenditionOutcome] {
    let group = staged
    let outcomes = waiting
    staged.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    stagedBytes = 0
    guard !group.isEmpty else { return outcomes }
    let publishing = signposts.beginInterval(.publishGroup, [.count: .integer(group.count)])
    defer { signposts.endInterval(publishing) }
    var entries: [LedgerEntry] = []
    var failure: FileStoreError?
    do throws(FileStoreError) {
      try signposts.withInterval(.synchronizeFiles, in: publishing) { () throws(FileStoreError) in
        try files.synchronize()
      }
    } catch {
      // Bytes that may not be on the device must not get the names of whole files.
      for (file, _) in group { files.discard(file) }
      throw StoreFailure(error)
    }
    for (file, entry) in group {
      do throws(FileStoreError) {
        try files.publish(file)
        entries.append(dated(entry))
      } catch {
        files.discard(file)
        failure = failure ?? error
      }
    }
    try signposts.withInterval(.ledgerCommit, in: publishing) { () throws(StoreFailure) in
      try ledger.record(entries)
    }
    if let failure { throw StoreFailure(failure) }
    return outcomes
  }

  private func dated(_ entry: LedgerEntry) -> LedgerEntry {
    var entry = entry
    entry.modified = CacheFileStatus(folder: files.folder.path, name: entry.file)?.modified ?? 0
    return entry
  }
}
