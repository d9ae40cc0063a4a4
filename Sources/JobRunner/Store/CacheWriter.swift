import CacheCore
import Glibc

/// Puts finished files into the cache folder: whole or not at all.
///
/// Files are written into the state folder and published in groups: one `syncfs` for all of them, then
/// a rename each, then the ledger. A run that is killed in between leaves files that are whole, and at
/// worst unknown to the ledger, so the next run makes them again to the same bytes.
actor CacheWriter {
  private let state: StateFolder
  private let ledger: Ledger
  private let executor = QueueExecutor(label: "preheat.store")
  private let maxFiles: Int
  private let maxBytes: Int
  private let folder: Int32
  private var staged: [(temporary: String, entry: LedgerEntry)] = []
  private var stagedBytes = 0
  private var waiting: [RenditionOutcome] = []
  private var serial = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - maxFiles: A group is published when it holds this many files
  ///   - maxBytes: or this many bytes.
  init(state: StateFolder, ledger: Ledger, maxFiles: Int = 512, maxBytes: Int = 64 << 20) throws(StoreFailure) {
    self.state = state
    self.ledger = ledger
    self.maxFiles = maxFiles
    self.maxBytes = maxBytes
    do throws(SystemCall.Failure) {
      folder = try SystemCall.check("open", state.cache) {
        open(state.cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  deinit { close(folder) }

  /// Writes the files of one source aside. `outcomes` are true once all of them are published.
  ///
  /// - Returns: The outcomes that have become true by now; often none, often those of many sources.
  func stage(
    _ files: [StagedFile], outcomes: [RenditionOutcome]
  ) throws(StoreFailure) -> [RenditionOutcome] {
    do throws(SystemCall.Failure) {
      for file in files { try write(file) }
    } catch {
      throw StoreFailure(error)
    }
    waiting += outcomes
    guard staged.count >= maxFiles || stagedBytes >= maxBytes else { return [] }
    return try publish()
  }

  /// Publishes all that is staged.
  func publish() throws(StoreFailure) -> [RenditionOutcome] {
    var entries: [LedgerEntry] = []
    do throws(SystemCall.Failure) {
      if !staged.isEmpty {
        try SystemCall.check("sync", state.cache) { syncfs(folder) }
      }
      for (temporary, entry) in staged {
        entries.append(try rename(temporary, entry))
      }
      if !staged.isEmpty {
        try SystemCall.check("sync", state.cache) { fsync(folder) }
      }
    } catch {
      throw StoreFailure(error)
    }
    try ledger.record(entries)
    defer {
      staged.removeAll(keepingCapacity: true)
      stagedBytes = 0
      waiting.removeAll(keepingCapacity: true)
    }
    return waiting
  }

  private func write(_ file: StagedFile) throws(SystemCall.Failure) {
    serial += 1
    // The final name in it tells a person who finds it after a crash what it was to become.
    let path = "\(state.temporary)/\(serial).\(file.entry.file)"
    let descriptor = try SystemCall.check("create", path) {
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    }
    var failure: SystemCall.Failure?
    do throws(SystemCall.Failure) {
      try SystemCall.write(file.bytes, to: descriptor, path: path)
    } catch {
      failure = error
    }
    // Some file systems report a full disk only at close.
    if close(descriptor) == -1, errno != EINTR, failure == nil {
      failure = SystemCall.Failure(errno: errno, call: "close", path: path)
    }
    if let failure {
      unlink(path)
      throw failure
    }
    staged.append((path, file.entry))
    stagedBytes += file.bytes.count
  }

  private func rename(_ temporary: String, _ entry: LedgerEntry) throws(SystemCall.Failure) -> LedgerEntry {
    let destination = state.cache + "/" + entry.file
    do throws(SystemCall.Failure) {
      try SystemCall.check("move into the cache as", destination) { Glibc.rename(temporary, destination) }
    } catch {
      // The app's side recreates a cache folder that was deleted meanwhile; so do we, once.
      guard error.errno == ENOENT else { throw error }
      try SystemCall.makeFolder(state.cache)
      try SystemCall.check("move into the cache as", destination) { Glibc.rename(temporary, destination) }
    }
    var info = Glibc.stat()
    try SystemCall.check("look at", destination) { lstat(destination, &info) }
    var entry = entry
    entry.modified = info.modified
    return entry
  }
}

extension stat {
  /// Modification time in nanoseconds since 1970.
  var modified: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
}
