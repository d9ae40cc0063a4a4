import Foundation
import TestSupport

@testable import CacheBundleInstaller
@testable import Digests

/// A bundle of a few made-up files, as a folder or as a zip.
struct SampleBundle {
  var files: [String: String] = ["aaaa": "first", "bbbb": "second picture", "cccc": "third"]
  var client = "nuke"
  var keepsSweepDate = false
  var expiresAfter: Int?
  /// Seconds since 1970.
  var expiresAt: Int?
  /// Changes entries before they are written.
  var edit: (inout BundleIndex) -> Void = { _ in }

  var index: BundleIndex {
    var entries: [BundleIndex.Entry] = []
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      var entry = BundleIndex.Entry(
        file: name, size: text.utf8.count, sha256: Digests.SHA256.hexadecimal(of: text))
      entry.expiresAfter = expiresAfter
      entry.expiresAt = expiresAt
      entries.append(entry)
    }
    var index = BundleIndex(
      client: client, clientVersion: "12.9.0", folder: "catalog", keepsSweepDate: keepsSweepDate,
      entries: entries)
    // Its names say nothing.
    index.state(BundleRules(expiry: client == "kingfisher" ? .modificationDate : .never))
    edit(&index)
    return index
  }

  /// Name and bytes of everything in the bundle, in the order in which it stands there.
  func contents() throws -> [(name: String, data: Data)] {
    let index = index
    var contents = [
      (name: "id", data: Data((index.id + "\n").utf8)), (name: "index.json", data: try index.encoded()),
    ]
    for entry in index.entries where entry.isIncluded {
      contents.append(("files/" + entry.file, Data((files[entry.file] ?? "").utf8)))
    }
    return contents
  }

  func write(asFolder url: URL) throws {
    for (name, data) in try contents() {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
  }

  /// A zip as the format's specification has it, written by hand so that lies can be put into it.
  func write(
    asZip url: URL, method: UInt16 = 0, extra: [(name: String, data: Data)] = [],
    edit: (inout [(name: String, data: Data)]) -> Void = { _ in }
  ) throws {
    var zip = Data()
    var directory = Data()
    var all = try contents() + extra
    edit(&all)
    for (name, data) in all {
      let offset = UInt32(zip.count)
      var common = Data()
      common.append(little: UInt16(20))
      common.append(little: UInt16(0))
      common.append(little: method)
      common.append(little: UInt32(0))
      common.append(little: UInt32(0))
      common.append(little: UInt32(data.count))
      common.append(little: UInt32(data.count))
      common.append(little: UInt16(name.utf8.count))
      common.append(little: UInt16(0))
      zip.append(little: UInt32(0x0403_4B50))
      zip += common + Data(name.utf8) + data
      directory.append(little: UInt32(0x0201_4B50))
      directory.append(little: UInt16(20))
      directory += common
      directory.append(little: UInt16(0))
      directory.append(little: UInt32(0))
      directory.append(little: UInt32(0))
      directory.append(little: offset)
      directory += Data(name.utf8)
    }
    let start = UInt32(zip.count)
    zip += directory
    zip.append(little: UInt32(0x0605_4B50))
    zip.append(little: UInt32(0))
    zip.append(little: UInt16(all.count))
    zip.append(little: UInt16(all.count))
    zip.append(little: UInt32(directory.count))
    zip.append(little: start)
    zip.append(little: UInt16(0))
    try zip.write(to: url)
  }
}

extension Data {
  fileprivate mutating func append(little value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}

/// All files under a folder with their bytes, hidden ones included.
func tree(_ url: URL) throws -> [String: String] {
  var found: [String: String] = [:]
  for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
    var isFolder: ObjCBool = false
    let file = url.appendingPathComponent(path)
    _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    if !isFolder.boolValue { found[path] = String(decoding: try Data(contentsOf: file), as: UTF8.self) }
  }
  return found
}
