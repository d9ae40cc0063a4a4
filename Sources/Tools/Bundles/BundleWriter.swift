import CacheBundleInstaller
import CacheStore
import ClientKit
import Digests
import FileStore
import Foundation
import Planning
import Text

/// Writes a bundle beside its place and then renames it, so that it is whole or absent.
struct BundleWriter {
  package let options: BundleOptions
  package let files: FileStore

  package func write(_ index: BundleIndex) throws(ToolError) {
    let place = try place()
    let output = URL(fileURLWithPath: place.path)
    let folder = place.isSpecial ? FileManager.default.temporaryDirectory : output.deletingLastPathComponent()
    let draft = folder.appendingPathComponent(
      Self.draftPrefix(output) + "\(ProcessInfo.processInfo.processIdentifier)")
    do throws(ToolError) {
      try removeAbandonedDrafts(of: output, in: folder)
      try makeFolder(folder)
      if options.format == .folder { try writeFolder(index, draft) } else { try writeArchive(index, draft) }
      // A power cut after the rename must not leave an empty file of a good name.
      try Self.writing { () throws(FileStoreError) in
        try FileStore(folder: folder).synchronize { Self.files(of: draft) }
      }
      if place.isSpecial { try copy(draft, to: output) } else { try publish(draft, as: output) }
    } catch {
      try? FileManager.default.removeItem(at: draft)
      throw error
    }
  }

  /// Where the bundle goes: an archive to the end of all links, or into a device or a pipe.
  private func place() throws(ToolError) -> (path: String, isSpecial: Bool) {
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

  /// The bundle's bytes into something that is no file.
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

  /// Those of processes that were killed.
  private func removeAbandonedDrafts(of output: URL, in folder: URL) throws(ToolError) {
    let prefix = Self.draftPrefix(output)
    let names = try Self.writing { () throws(FileStoreError) in try FileStore(existing: folder).names() }
    for name in names {
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// The bundle's own files, before the cache's.
  private func head(_ index: BundleIndex) throws(ToolError) -> [(name: String, bytes: [UInt8])] {
    do throws(BundleFailure) {
      return [
        (BundleFormat.idName, Array("\(index.id)\n".utf8)),
        (BundleFormat.indexName, [UInt8](try index.encoded())),
      ]
    } catch {
      throw ToolError(.bundle(.write), error.message)
    }
  }

  private func bytes(of entry: BundleIndex.Entry) throws(ToolError) -> [UInt8] {
    // Read once more rather than kept: a cache may be larger than the memory.
    guard let data = (try? files.read(entry.file, keepingAccessDate: true)) ?? nil,
      hexadecimal(SHA256.hash(data)) == entry.sha256
    else {
      throw ToolError(.bundle(.damaged), "\(entry.file) has changed while the bundle was being made")
    }
    return [UInt8](data)
  }

  private func writeArchive(_ index: BundleIndex, _ draft: URL) throws(ToolError) {
    let format: ArchiveWriter.Format =
      switch options.format {
      case .zip: .storedZip
      case .tar: .tar
      case .tarZstandard, .folder: .tarZstandard
      }
    do throws(ArchiveWriter.Failure) {
      var archive = try ArchiveWriter(path: draft.path, format: format)
      do throws(ToolError) {
        for (name, bytes) in try head(index) { try add(name, bytes, options.date, to: archive) }
        for entry in index.entries where entry.isIncluded {
          let name = BundleFormat.filesFolder + "/" + entry.file
          try add(name, try bytes(of: entry), date(of: entry, index), to: archive)
        }
      } catch {
        throw ArchiveWriter.Failure(reason: error.message)
      }
      try archive.close()
    } catch {
      throw ToolError(.bundle(.write), "\(options.output) cannot be written: \(error.reason)")
    }
  }

  private func add(
    _ name: String, _ bytes: [UInt8], _ date: Int, to archive: borrowing ArchiveWriter
  ) throws(ToolError) {
    do throws(ArchiveWriter.Failure) { try archive.add(name, bytes, modified: date) } catch {
      throw ToolError(.bundle(.write), error.reason)
    }
  }

  /// Who unpacks by hand gets the dates of expiry at least where they do not depend on the day.
  private func date(of entry: BundleIndex.Entry, _ index: BundleIndex) -> Int {
    guard index.expiry(of: entry.file) == .modificationDate, entry.expiresAfter == nil else {
      return options.date
    }
    return entry.expiresAt ?? Int(DistantDate.first.timeIntervalSince1970)
  }

  private func writeFolder(_ index: BundleIndex, _ draft: URL) throws(ToolError) {
    let folder = draft.appendingPathComponent(BundleFormat.filesFolder)
    try makeFolder(folder)
    let base = FileDates(modification: Date(timeIntervalSince1970: Double(options.date)))
    let top = try Self.writing { () throws(FileStoreError) in try FileStore(folder: draft) }
    let entries = try Self.writing { () throws(FileStoreError) in try FileStore(folder: folder) }
    for (name, bytes) in try head(index) { try put(Data(bytes), as: name, base, in: top) }
    for entry in index.entries where entry.isIncluded {
      let modified = Date(timeIntervalSince1970: Double(date(of: entry, index)))
      try put(Data(try bytes(of: entry)), as: entry.file, FileDates(modification: modified), in: entries)
    }
  }

  private static func writing<T>(_ body: () throws(FileStoreError) -> T) throws(ToolError) -> T {
    do throws(FileStoreError) { return try body() } catch { throw ToolError(.bundle(.write), "\(error)") }
  }

  private func put(
    _ data: Data, as name: String, _ dates: FileDates, in store: FileStore
  ) throws(ToolError) {
    try Self.writing { () throws(FileStoreError) in try store.write(data, as: name, dates: dates) }
  }

  private func makeFolder(_ url: URL) throws(ToolError) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw ToolError(.bundle(.write), "the folder \(url.path) cannot be made")
    }
  }

  private func publish(_ draft: URL, as output: URL) throws(ToolError) {
    // A folder cannot be renamed over one that has files.
    let replacesFolder = options.format == .folder && FileManager.default.fileExists(atPath: output.path)
    guard replacesFolder else { return try move(draft, to: output) }
    guard CacheBundle.id(at: output) != nil else {
      throw ToolError(.bundle(.write), "\(options.output) exists and is no bundle", advice: "remove it first")
    }
    let old = URL(fileURLWithPath: draft.path + "-old")
    try move(output, to: old)
    try move(draft, to: output)
    try? FileManager.default.removeItem(at: old)
  }

  private func move(_ source: URL, to target: URL) throws(ToolError) {
    guard rename(source.path, target.path) == 0 else {
      throw ToolError(.bundle(.write), "\(options.output) cannot be written: \(SystemCall.words())")
    }
  }
}
