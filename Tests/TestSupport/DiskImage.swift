import Foundation

/// A folder's files with their bytes, dates and inodes at one moment.
struct DiskImage: Sendable {
  private struct File: Hashable, Sendable {
    var number: UInt64
    /// Nil for a folder.
    var bytes: Data?
    var modified: [Int]
  }

  private var files: [String: File] = [:]

  init(_ root: URL) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let path = root.appendingPathComponent(name).path
      var status = stat()
      guard lstat(path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      files[name] = File(
        number: UInt64(status.st_ino),
        bytes: isFolder ? nil : try Data(contentsOf: URL(fileURLWithPath: path)),
        modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec])
    }
  }

  func write(to root: URL) throws {
    let manager = FileManager.default
    try manager.createDirectory(at: root, withIntermediateDirectories: true)
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      // The index of a log is made anew when a database is opened the first time after the machine has started.
      if name.hasSuffix("-shm") { continue }
      let url = root.appendingPathComponent(name)
      guard let bytes = file.bytes else {
        try manager.createDirectory(at: url, withIntermediateDirectories: true)
        continue
      }
      try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: url)
      let time = timespec(tv_sec: file.modified[0], tv_nsec: file.modified[1])
      guard utimensat(AT_FDCWD, url.path, [time, time], 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
  }

  /// The first image, with a part of what happened until the last.
  static func part(of images: [DiskImage], using generator: inout some RandomNumberGenerator) -> DiskImage {
    var result = images[0]
    for (before, after) in zip(images, images.dropFirst()) {
      result.apply(from: before, to: after, using: &generator)
    }
    return result
  }

  private static func isDatabase(_ name: String) -> Bool { name.contains(".sqlite") }

  private mutating func apply(
    from before: DiskImage, to after: DiskImage, using generator: inout some RandomNumberGenerator
  ) {
    let old = Dictionary(before.files.map { ($1.number, $0) }) { first, _ in first }
    var folders: [(old: String, new: String, survives: Bool)] = []
    for (name, file) in after.files.sorted(by: { $0.key < $1.key }) where before.files[name] != file {
      if Self.isDatabase(name) {
        // Of a log that grew any beginning is there; the rest was not written, or the room for it alone.
        var file = file
        if name.hasSuffix("-wal"), let bytes = file.bytes {
          let known = before.files[name]?.bytes?.count ?? 0
          let count = Int.random(in: min(known, bytes.count)...bytes.count, using: &generator)
          let filling = Bool.random(using: &generator) ? Data(count: bytes.count - count) : Data()
          file.bytes = bytes.prefix(count) + filling
        }
        files[name] = file
        continue
      }
      if let source = old[file.number], source != name {
        // With a folder goes all that is in it.
        let folder = folders.first { source.hasPrefix($0.old + "/") && name.hasPrefix($0.new + "/") }
        let survives = folder?.survives ?? Bool.random(using: &generator)
        if file.bytes == nil { folders.append((source, name, survives)) }
        // Of a file that is renamed goes along what has come to the device so far.
        guard survives, let moved = files.removeValue(forKey: source) else { continue }
        files[name] = moved
      } else if Bool.random(using: &generator) {
        files[name] = file.bytes == nil ? file : Self.torn(file, using: &generator)
      }
    }
    for name in before.files.keys.sorted() where after.files[name] == nil {
      let isMoved = before.files[name].map { file in after.files.values.contains { $0.number == file.number }
      }
      if isMoved != true, Self.isDatabase(name) || Bool.random(using: &generator) { files[name] = nil }
    }
  }

  /// A file of which not all bytes have come to the device.
  private static func torn(_ file: File, using generator: inout some RandomNumberGenerator) -> File {
    var file = file
    let bytes = file.bytes ?? Data()
    let count = Int.random(in: 0...bytes.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: file.bytes = Data()
    case 1: file.bytes = bytes.prefix(count)
    case 2: file.bytes = bytes.prefix(count) + Data(count: bytes.count - count)
    default: break
    }
    return file
  }
}
