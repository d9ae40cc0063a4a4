import Bodies
import Concurrency
import Fetching
import FileStore
import Foundation
import Planning
import Signposts

/// A whole file on its way into the cache folder.
package struct FinishedFile: Sendable {
  package var bytes: Data
  /// The row to be written once the file is in place; `modified` is filled in then.
  package var entry: LedgerEntry
  /// Dates that mean something to the client, set before the file gets its name.
  package var dates = FileDates()
}

extension FinishedFile {
  /// One of a rendition's files, whose `modified` is not known yet.
  ///
  /// - Parameter start: what expiry is counted from.
  package init(
    _ bytes: [UInt8], _ store: PlannedRendition.Store, identity: String, of task: RenditionTask,
    from body: SourceBody, _ sourceID: String, start: Date
  ) {
    self.bytes = Data(bytes)
    entry = LedgerEntry(
      file: store.fileName, sourceID: sourceID, identity: identity,
      drawing: DrawingVersion.of(source: body.bytes), size: Int64(bytes.count),
      digest: store.content == .original ? body.digest : ContentDigest.sha256(bytes), modified: 0,
      sourceDigest: body.digest, etag: body.etag, lastModified: body.lastModified,
      origin: task.origin(of: store))
    dates = FileDates(modification: store.expiry?.date(from: start))
  }
}

/// Puts finished files into the cache folder, in groups.
///
/// Files are staged in the state folder and published together: one `syncfs` for all of them, then a
/// rename each, then the ledger. A run that is killed in between leaves files that are whole, and at
/// worst unknown to the ledger, so the next run makes them again to the same bytes. What has come about with a file
/// in its place, an `Outcome`, is for the caller that stages to say.
package actor CacheWriter<Outcome: Sendable> {
  private let files: FileStore
  private let ledger: LedgerWriter
  private let signposts: Signposter
  private let settle: @Sendable ([Outcome], _ files: Int, _ bytes: Int) -> Void
  /// Waiting for a disk must not hold one of the few threads that all tasks share.
  private let executor = BlockingExecutor()
  private let maxFiles: Int
  private let maxBytes = 64 << 20
  private let maxAge: Duration
  private var staged: [(file: StagedFile, entry: LedgerEntry)] = []
  private var stagedBytes = 0
  private var waiting: [Outcome] = []
  /// Publishes the group when it is due, also where nothing more is staged because all servers hang.
  private var timer: Task<Void, Never>?
  /// The error of a group that the timer published; the next call throws it.
  private var failure: (any Error)?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - maxFiles: A group is published when it holds this many files
  ///   - maxAge: or when its first file has waited so long: that is what a kill costs at most.
  ///   - settle: Gets outcomes as soon as their files are in place, how many files and bytes; often of many sources.
  package init(
    files: FileStore, ledger: LedgerWriter, maxFiles: Int = 256, maxAge: Duration = .seconds(1),
    signposts: Signposter = .disabled,
    settle: @escaping @Sendable ([Outcome], _ files: Int, _ bytes: Int) -> Void
  ) {
    self.signposts = signposts
    self.files = files
    self.ledger = ledger
    self.maxFiles = maxFiles
    self.maxAge = maxAge
    self.settle = settle
  }

  /// Writes the files of one source aside. `outcomes` are true once all of them are published.
  ///
  /// - Throws: also what an earlier group met that the timer published.
  package func stage(_ finished: [FinishedFile], outcomes: [Outcome]) throws {
    try throwFailure()
    if timer == nil { startTimer() }
    try signposts.withInterval(.stageFile, [.count: .integer(finished.count)]) {
      for file in finished {
        staged.append((try files.stage(file.bytes, as: file.entry.file, dates: file.dates), file.entry))
        stagedBytes += file.bytes.count
      }
    }
    waiting += outcomes
    if staged.count >= maxFiles || stagedBytes >= maxBytes { try publishGroup() }
  }

  /// Publishes all that is staged.
  ///
  /// If one file fails, the others are still published; then the first failure is thrown.
  /// Nothing of the group is tried a second time.
  package func publish() throws {
    publishAndNote()
    try throwFailure()
  }

  /// Lets the disk take in the ledger's log while a run does other things.
  package func checkpoint() { ledger.checkpoint() }

  private func throwFailure() throws {
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  private func startTimer() {
    timer = Task { [weak self, maxAge] in
      try? await Task.sleep(for: maxAge)
      // Another group may have begun since this timer was cancelled.
      if !Task.isCancelled { await self?.publishAndNote() }
    }
  }

  private func publishAndNote() {
    do { try publishGroup() } catch { failure = failure ?? error }
  }

  private func publishGroup() throws {
    timer?.cancel()
    timer = nil
    let group = staged
    let (outcomes, bytes) = (waiting, stagedBytes)
    staged.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    stagedBytes = 0
    if !group.isEmpty { try publish(group) }
    if !outcomes.isEmpty || !group.isEmpty { settle(outcomes, group.count, bytes) }
  }

  private func publish(_ group: [(file: StagedFile, entry: LedgerEntry)]) throws {
    let publishing = signposts.beginInterval(.publishGroup, [.count: .integer(group.count)])
    defer { signposts.endInterval(publishing) }
    do {
      try signposts.withInterval(.synchronizeFiles, in: publishing) {
        try files.synchronize { group.map(\.file.temporaryPath) }
      }
    } catch {
      // Bytes that may not be on the device must not get the names of whole files.
      for (file, _) in group { files.discard(file) }
      throw error
    }
    var entries: [LedgerEntry] = []
    var failure: (any Error)?
    for (file, var entry) in group {
      do {
        try files.publish(file)
        entry.modified =
          try CacheFileStatus(folder: files.path, name: entry.file, calls: files.calls)?.modified ?? 0
        entries.append(entry)
      } catch {
        files.discard(file)
        failure = failure ?? error
      }
    }
    try signposts.withInterval(.ledgerCommit, in: publishing) { try ledger.record(entries) }
    if let failure { throw failure }
  }
}
