import CacheBundleInstaller
import CacheStore
import ClientKit
import ContentDigests
import FileStore
import Foundation
import Planning
import Text

/// Writes a bundle beside its place and then renames it, so that it is whole or absent.
struct BundleWriter {
  package let options: BundleOptions
  package let signer: BundleSigner?
  package let files: FileStore
  package let calls: FileCalls

  package func write(_ index: BundleIndex) throws(ToolError) {
    let target = try target()
    let output = URL(fileURLWithPath: target.path)
    // Beside anything but a file nothing can be kept.
    let folder =
      target.isSpecial ? FileManager.default.temporaryDirectory : output.deletingLastPathComponent()
    let draft = folder.appendingPathComponent(
      Self.draftPrefix(output) + "\(ProcessInfo.processInfo.processIdentifier)")
    let place = BundlePlace(output: folder.appendingPathComponent(output.lastPathComponent), calls: calls)
    do throws(ToolError) {
      try Self.writing { () throws(FileStoreError) in
        try place.removeAbandonedDrafts(prefix: Self.draftPrefix(output))
        try calls.makeFolder(folder.path)
      }
      switch options.format {
      case .folder: try writeFolder(index, draft)
      case .zip: try writeZip(index, draft)
      case .tar: try writeTar(index, draft, isCompressed: false)
      case .tarZstandard: try writeTar(index, draft, isCompressed: true)
      }
      // A power cut after the rename must not leave an empty file of a good name.
      try Self.writing { () throws(FileStoreError) in
        try FileStore(existing: folder, calls: calls).synchronize { Self.files(of: draft) }
      }
      if target.isSpecial { try copy(draft, to: output) } else { try publish(draft, in: place) }
    } catch {
      place.remove(draft)
      throw error
    }
  }

  /// Where the bundle goes: an archive to the end of all links, or into a device or a pipe.
  private func target() throws(ToolError) -> (path: String, isSpecial: Bool) {
    guard options.format != .folder else { return (options.output, false) }
    do throws(FileStoreError) {
      switch try OutputFile.place(options.output) {
      case .replaced(let path): return (path, false)
      case .writtenTo(let path): return (path, true)
      }
    } catch {
      throw ToolError(.bundle(.write), "\(options.output) cannot be written: \(error.reason)")
    }
  }

  /// Writes the bundle's bytes to a device or a pipe.
  private func copy(_ draft: URL, to output: URL) throws(ToolError) {
    defer { try? FileManager.default.removeItem(at: draft) }
    guard let data = try? Data(contentsOf: draft, options: .alwaysMapped) else {
      throw ToolError(.bundle(.write), "\(draft.path) cannot be read")
    }
    do throws(FileStoreError) { try OutputFile.write(data, to: output.path) } catch {
      throw ToolError(.bundle(.write), "\(options.output) cannot be written: \(error.reason)")
    }
  }

  /// The draft, and all that is in it where it is a folder.
  private static func files(of draft: URL) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: draft.path)) ?? []
    return [draft.path] + names.map { "\(draft.path)/\($0)" }
  }

  private static func draftPrefix(_ output: URL) -> String { ".\(output.lastPathComponent).preheat-" }

  /// The bundle's own files, before the cache's.
  private func head(_ index: BundleIndex) throws(ToolError) -> [(name: String, bytes: [UInt8])] {
    let data: Data
    do throws(BundleFailure) { data = try index.encoded() } catch {
      throw ToolError(.bundle(.write), error.message)
    }
    let signature = try signer.map { signer throws(ToolError) in
      (BundleFormat.signatureName, [UInt8](try signer.signature(of: data).encoded))
    }
    return [(BundleFormat.idName, Array("\(index.id)\n".utf8))] + [signature].compactMap { $0 }
      + [(BundleFormat.indexName, [UInt8](data))]
  }

  /// Calls `add` with each file of a container, in the order in which it has them.
  private func forEachFile(
    of index: BundleIndex, _ add: (String, [UInt8], Int) throws(ToolError) -> Void
  ) throws(ToolError) {
    for (name, bytes) in try head(index) { try add(name, bytes, index.containerDate) }
    for entry in index.entries where entry.isIncluded {
      try add(BundleIndex.path(of: entry), try bytes(of: entry), index.containerDate(of: entry))
    }
  }

  private func bytes(of entry: BundleIndex.Entry) throws(ToolError) -> [UInt8] {
    // Read once more rather than kept: a cache may be larger than the memory.
    guard let data = (try? files.read(entry.file, keepingAccessDate: true)) ?? nil,
      ContentDigest.sha256(data) == entry.sha256
    else {
      throw ToolError(.bundle(.damaged), "\(entry.file) has changed while the bundle was being made")
    }
    return [UInt8](data)
  }

  private func writeZip(_ index: BundleIndex, _ draft: URL) throws(ToolError) {
    var archive = try writing { () throws(SystemCall.Failure) in
      try StoredZipWriter(path: draft.path, calls: calls)
    }
    try forEachFile(of: index) { name, bytes, date throws(ToolError) in
      try writing { () throws(SystemCall.Failure) in try archive.add(name, bytes, modified: date) }
    }
    try writing { () throws(SystemCall.Failure) in try archive.finish() }
  }

  private func writing<T: ~Copyable>(_ body: () throws(SystemCall.Failure) -> T) throws(ToolError) -> T {
    do throws(SystemCall.Failure) { return try body() } catch { throw unwritable(error.reason) }
  }

  private func writeTar(
    _ index: BundleIndex, _ draft: URL, isCompressed: Bool
  ) throws(ToolError) {
    do throws(BundleFailure) {
      var archive = try ArchiveWriter(path: draft.path, isCompressed: isCompressed)
      do throws(ToolError) {
        try forEachFile(of: index) { name, bytes, date throws(ToolError) in
          try add(name, bytes, date, to: archive)
        }
      } catch {
        throw BundleFailure(.archive, error.message)
      }
      try archive.close()
    } catch {
      throw unwritable(error.message)
    }
  }

  private func unwritable(_ reason: String) -> ToolError {
    ToolError(.bundle(.write), "\(options.output) cannot be written: \(reason)")
  }

  private func add(
    _ name: String, _ bytes: [UInt8], _ date: Int, to archive: borrowing ArchiveWriter
  ) throws(ToolError) {
    // The library writes by itself; an entry counts as one call.
    do throws(SystemCall.Failure) { try calls.check(.write, "write", options.output) { 0 } } catch {
      throw ToolError(.bundle(.write), error.message)
    }
    do throws(BundleFailure) { try archive.add(name, bytes, modified: date) } catch {
      throw ToolError(.bundle(.write), error.message)
    }
  }

  private func writeFolder(_ index: BundleIndex, _ draft: URL) throws(ToolError) {
    let folder = draft.appendingPathComponent(BundleFormat.filesFolder)
    let top = try Self.writing { () throws(FileStoreError) in try FileStore(folder: draft, calls: calls) }
    let entries = try Self.writing { () throws(FileStoreError) in
      try FileStore(folder: folder, calls: calls)
    }
    try forEachFile(of: index) { name, bytes, date throws(ToolError) in
      let dates = FileDates(modification: Date(timeIntervalSince1970: Double(date)))
      let parts = name.split(separator: "/")
      try put(
        Data(bytes), as: parts.last.map(String.init) ?? name, dates, in: parts.count > 1 ? entries : top)
    }
  }

  @discardableResult
  private static func writing<T>(_ body: () throws(FileStoreError) -> T) throws(ToolError) -> T {
    do throws(FileStoreError) { return try body() } catch { throw ToolError(.bundle(.write), "\(error)") }
  }

  private func put(
    _ data: Data, as name: String, _ dates: FileDates, in store: FileStore
  ) throws(ToolError) {
    try Self.writing { () throws(FileStoreError) in try store.write(data, as: name, dates: dates) }
  }

  private func publish(_ draft: URL, in place: BundlePlace) throws(ToolError) {
    let isThere = FileManager.default.fileExists(atPath: options.output)
    if options.format == .folder, isThere, CacheBundle.id(at: place.output) == nil {
      throw ToolError(
        .bundle(.write), "\(options.output) exists and is not a bundle", advice: "remove it first")
    }
    do throws(SystemCall.Failure) {
      try place.publish(draft, replacesFolder: options.format == .folder && isThere)
    } catch {
      throw ToolError(
        .bundle(.write), "\(options.output) cannot be written: \(SystemCall.words(error.errno))")
    }
  }
}
