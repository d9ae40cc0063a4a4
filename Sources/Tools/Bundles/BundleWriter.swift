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
  package let files: FileStore
  package let calls: FileCalls

  package func write(_ index: BundleIndex) throws(ToolError) {
    let target = try target()
    let output = URL(fileURLWithPath: target.path)
    // Beside what is no file nothing can be kept.
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
      if options.format == .folder { try writeFolder(index, draft) } else { try writeArchive(index, draft) }
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
      ContentDigest.sha256(data) == entry.sha256
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
    // The library writes by itself; an entry counts as one call.
    do throws(SystemCall.Failure) { try calls.check(.write, "write", options.output) { 0 } } catch {
      throw ToolError(.bundle(.write), error.message)
    }
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
    let base = FileDates(modification: Date(timeIntervalSince1970: Double(options.date)))
    let top = try Self.writing { () throws(FileStoreError) in try FileStore(folder: draft, calls: calls) }
    let entries = try Self.writing { () throws(FileStoreError) in
      try FileStore(folder: folder, calls: calls)
    }
    for (name, bytes) in try head(index) { try put(Data(bytes), as: name, base, in: top) }
    for entry in index.entries where entry.isIncluded {
      let modified = Date(timeIntervalSince1970: Double(date(of: entry, index)))
      try put(Data(try bytes(of: entry)), as: entry.file, FileDates(modification: modified), in: entries)
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
