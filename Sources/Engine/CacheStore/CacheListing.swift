import Bodies
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import Planning
import Text

/// A cache folder as it lies there: its files, and what the ledger beside it says of them.
package struct CacheListing: Sendable {
  package let path: String
  package let files: FileStore
  /// All that is visible, in the order of the names.
  package let all: [FileEntry]
  /// Regular visible files in the order of their names.
  package let entries: [FileEntry]
  /// Rows of the ledger by file name; empty where there is no ledger.
  package let ledger: LedgerRows
  package let hasLedger: Bool
  /// Why the ledger cannot be read; the listing is then as if there were none.
  package let damage: LedgerFailure?

  /// Changes nothing.
  ///
  /// - Parameter acceptsDamage: for those whose work can be done without a ledger that is damaged, in use or of a later
  ///   release, or is to find damage.
  /// - Throws: where the folder or its ledger cannot be read.
  package init(_ folder: String, acceptsDamage: Bool = false, calls: FileCalls = .system) throws {
    let path = PathText.real(folder)
    self.path = path
    files = FileStore(existing: URL(fileURLWithPath: path), calls: calls)
    guard let status = try calls.status(of: path, followsLinks: true) else {
      throw StoreFailure(.notWritable, "there is no \(path)")
    }
    // It may be meant as a bundle.
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileStoreError(.list, path: path, reason: .notAFolder)
    }
    all = try files.entries()
    entries = all.allSatisfy(\.isRegularFile) ? all : all.filter(\.isRegularFile)
    var rows: LedgerRows?
    var damage: LedgerFailure?
    do throws(LedgerFailure) {
      rows = try LedgerReader(path: StateFolder(cache: path).ledger, calls: calls).rows()
    } catch {
      guard acceptsDamage, error.reason != .unreadable else { throw error }
      damage = error
    }
    self.damage = damage
    hasLedger = rows != nil
    ledger = rows ?? LedgerRows()
  }

  /// Of a place that need not be a cache yet: nil where there is no folder.
  package static func ifThere(_ folder: String) throws(StoreFailure) -> CacheListing? {
    try StoreFailure.storing {
      try FileCalls.system.isFolder(folder) ? CacheListing(folder, acceptsDamage: true) : nil
    }
  }

  /// The client of the cache, by the ledger: of several versions the newest.
  package var client: CacheClient? { clients.last }

  package static func open(
    _ folder: String, acceptsDamage: Bool = false, calls: FileCalls = .system
  ) throws(ToolError) -> CacheListing {
    try ToolError.of(isReading: true) { try CacheListing(folder, acceptsDamage: acceptsDamage, calls: calls) }
  }

  /// What the client's own sweep would see. Without a ledger the folder may be any: then only what has a name of the
  /// client's form is taken for its entry.
  package func sweptFiles(
    of client: any FolderClient, _ files: FileStore, _ all: [FileEntry]
  ) throws(FileStoreError) -> [SweptFile] {
    var rules = client.folder
    if hasLedger { return try rules.sweptFiles(in: files, all) }
    rules.sweepsSubfolders = false
    return try rules.sweptFiles(
      in: files, all.filter { $0.isRegularFile && client.isName($0.name, ofKey: nil) })
  }

  /// The client that was named, else the one that the ledger names.
  package func client(_ named: CacheClient?) throws(ToolError) -> any ImageClient {
    if let client = (named ?? client).flatMap({ ClientRegistry.make($0) }) { return client }
    let fact = damage.map { "\($0.fact), so it names no client" }
    throw ToolError(
      .cache(.client), fact ?? "cannot tell which client \(path) belongs to (no ledger found)",
      advice: ToolError.nameTheClient)
  }

  /// SHA-256 of a file's bytes: from the ledger where the file is untouched since it was written.
  ///
  /// - Parameters:
  ///   - row: of the file, where it is at hand.
  ///   - readsAll: read files whatever their date.
  package func digest(
    of file: FileEntry, _ row: LedgerEntry? = nil, readsAll: Bool = false
  ) throws(ToolError) -> String {
    try ToolError.of(isReading: true) {
      if !readsAll, let row = row ?? ledger[file.name], try status(of: file.name) == row.status {
        return row.digest
      }
      // It may be of any size: a cache can come from anywhere.
      return try ContentDigest.sha256 { add throws(FileStoreError) in
        guard try files.forEachPiece(of: file.name, add) else {
          throw FileStoreError(.read, path: "\(path)/\(file.name)", reason: .notFound)
        }
      }
    }
  }

  /// Of a file as it is now, to the nanosecond.
  package func status(of file: String) throws(FileStoreError) -> CacheFileStatus? {
    try CacheFileStatus(folder: path, name: file, calls: files.calls)
  }

  /// The clients in the ledger, by name and then by release.
  package var clients: [CacheClient] {
    ledger.clients.compactMap(ClientRegistry.client).sorted()
  }

  /// Files that the ledger has and the folder had not when it was listed.
  package var missing: [String] {
    let present = Set(entries.lazy.map { ByteText($0.name) })
    return ledger.names.filter { !present.contains(ByteText($0)) }
  }
}
