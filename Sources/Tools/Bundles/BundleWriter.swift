import Bodies
import CacheBundleInstaller
import CacheStore
import FileStore
import Foundation
import Text

/// Writes a bundle beside its place and then renames it, so that it is whole or absent.
struct BundleWriter {
  package let options: BundleOptions
  package let signer: BundleSigner?
  package let files: FileStore
  /// Whether the digests of the index are those of a ledger, and no file has been read yet.
  package let isByLedger: Bool
  package let calls: FileCalls

  package func write(_ index: BundleIndex) throws(ToolError) {
    do {
      try writeDraft(index)
    } catch let error as ToolError {
      throw error
    } catch let error as FileStoreError {
      throw ToolError(.bundle(.write), "\(error)")
    } catch {
      let reason = (error as? SystemCall.Failure)?.reason ?? (error as? BundleFailure)?.message
      throw unwritable(reason ?? "\(error)")
    }
  }

  private func writeDraft(_ index: BundleIndex) throws {
    let target = try target()
    let output = URL(fileURLWithPath: target.path)
    // Beside anything but a file nothing can be kept.
    let folder =
      target.isSpecial ? FileManager.default.temporaryDirectory : output.deletingLastPathComponent()
    let place = BundlePlace(output: folder.appendingPathComponent(output.lastPathComponent), calls: calls)
    try calls.makeFolder(folder.path)
    try place.removeAbandonedDrafts()
    let lock = try place.lock()
    let draft = place.draft(of: lock)
    defer { place.remove(URL(fileURLWithPath: lock.path)) }
    do {
      switch options.format {
      case .folder: try writeFolder(index, draft)
      case .zip: try writeZip(index, draft)
      }
      // A power cut after the rename must not leave an empty file of a good name.
      try FileStore(existing: folder, calls: calls).synchronize {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: draft.path)) ?? []
        return [draft.path] + names.map { "\(draft.path)/\($0)" }
      }
      if target.isSpecial { try copy(draft, to: output) } else { try publish(draft, in: place) }
    } catch {
      place.remove(draft)
      throw error
    }
  }

  /// Where the bundle goes: an archive to the end of all links, or into a device or a pipe.
  private func target() throws(ToolError) -> (path: String, isSpecial: Bool) {
    guard options.format == .zip else { return (options.output, false) }
    do throws(FileStoreError) {
      switch try OutputFile.place(options.output) {
      case .replaced(let path): return (path, false)
      case .writtenTo(let path): return (path, true)
      }
    } catch {
      throw unwritable(error.reason)
    }
  }

  private func unwritable(_ reason: some CustomStringConvertible) -> ToolError {
    ToolError(.bundle(.write), "\(options.output) cannot be written: \(reason)")
  }

  /// Writes the bundle's bytes to a device or a pipe.
  private func copy(_ draft: URL, to output: URL) throws(ToolError) {
    defer { try? FileManager.default.removeItem(at: draft) }
    do throws(FileStoreError) { try OutputFile.copy(draft.path, to: output.path) } catch {
      throw unwritable(error.reason)
    }
  }

  /// Calls `add` with each file of a container, in the order in which it has them: first the bundle's own.
  private func forEachFile(of index: BundleIndex, _ add: (String, [UInt8], Int) throws -> Void) throws {
    try addHead(of: index, add)
    for entry in index.entries {
      // What is left out of a delta is stated as well.
      if !entry.isIncluded, !isByLedger { continue }
      // Not kept from an earlier reading: a cache may be larger than the memory.
      guard let data = try files.read(entry.file, most: entry.size, keepingAccessDate: true), !data.isEmpty
      else {
        throw isByLedger ? BundleCandidates.unreadable(entry.file) : changed(entry)
      }
      guard data.count == entry.size, ContentDigest.sha256(data) == entry.sha256 else {
        throw isByLedger ? BundleCandidates.damaged(entry.file) : changed(entry)
      }
      if !entry.isIncluded { continue }
      try add(BundleIndex.path(of: entry), [UInt8](data), index.containerDate(of: entry))
    }
  }

  /// The bundle's own files. The index is long, and gone from memory before the first entry is read.
  private func addHead(of index: BundleIndex, _ add: (String, [UInt8], Int) throws -> Void) throws {
    let bytes: [UInt8]
    do throws(BundleFailure) { bytes = try index.encoded() } catch {
      throw ToolError(.bundle(.write), error.message)
    }
    try add(BundleFormat.idName, Array("\(index.id)\n".utf8), index.containerDate)
    if let signer {
      let signature = try signer.signature(of: bytes).encoded
      try add(BundleFormat.signatureName, [UInt8](signature), index.containerDate)
    }
    try add(BundleFormat.indexName, bytes, index.containerDate)
  }

  private func changed(_ entry: BundleIndex.Entry) -> ToolError {
    ToolError(.bundle(.damaged), "\(entry.file) has changed while the bundle was being made")
  }

  private func writeZip(_ index: BundleIndex, _ draft: URL) throws {
    var archive = try StoredZipWriter(path: draft.path, calls: calls)
    try forEachFile(of: index) { try archive.add($0, $1, modified: $2) }
    try archive.finish()
  }

  private func writeFolder(_ index: BundleIndex, _ draft: URL) throws {
    let top = try FileStore(folder: draft, calls: calls)
    let entries = try FileStore(
      folder: draft.appendingPathComponent(BundleFormat.filesFolder), calls: calls)
    try forEachFile(of: index) { name, bytes, date in
      let dates = FileDates(modification: Date(timeIntervalSince1970: Double(date)))
      let parts = PathText.parts(of: name)
      try (parts.count > 1 ? entries : top).write(
        Data(bytes), as: parts.last.map(String.init) ?? name, dates: dates)
    }
  }

  private func publish(_ draft: URL, in place: BundlePlace) throws {
    let size = try? FileManager.default.attributesOfItem(atPath: place.output.path)[.size] as? Int
    let isThere = size.map { options.format != .zip || $0 > 0 } ?? false
    if isThere, CacheBundle.id(at: place.output) == nil {
      throw ToolError(
        .bundle(.write), "\(options.output) exists and is not a bundle", advice: "remove it first")
    }
    try place.publish(draft, replacesFolder: options.format != .zip)
  }
}
