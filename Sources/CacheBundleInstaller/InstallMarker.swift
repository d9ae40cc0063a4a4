import CacheCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What was installed into a folder, remembered beside it and never in it: a client takes every file in its folder
/// for an entry.
///
/// Lines: the bundle's id, then a digest, a space and a name for each file. An app reads the first line alone at each
/// launch.
struct InstallMarker: Hashable, Sendable {
  /// The bundle's id; nil while an installation is on its way, or none was.
  var id: String?
  /// Digests of what bundles brought, by name: two where an installation was killed between an old file and a
  /// new one.
  var files: [String: Set<String>]

  static let empty = InstallMarker(id: nil, files: [:])

  static func name(of folder: URL) -> String { folder.lastPathComponent + ".preheat-bundle" }

  private static let idLength = 64
  /// What stands in the id's place while an installation is on its way.
  private static let unfinished = String(repeating: "-", count: idLength)
  private static let maxBytes = 256 << 20

  private static func path(beside folder: URL) -> String {
    folder.deletingLastPathComponent().appendingPathComponent(name(of: folder)).path
  }

  /// The installed bundle's id, from the marker's beginning.
  static func id(beside folder: URL) -> String? {
    let line = PlainFile.beginning(of: path(beside: folder), count: idLength + 1)
    guard let line, line.count == idLength + 1, line.last == UInt8(ascii: "\n") else { return nil }
    let id = String(decoding: line.dropLast(), as: UTF8.self)
    return id == unfinished ? nil : id
  }

  /// A marker that makes no sense is none: then every file is compared.
  static func read(beside folder: URL) -> InstallMarker {
    let path = path(beside: folder)
    guard let data = try? PlainFile.read(path, named: path, limit: maxBytes) else { return .empty }
    var marker = InstallMarker(id: id(beside: folder), files: [:])
    for line in data.split(separator: UInt8(ascii: "\n")).dropFirst() {
      guard line.count > idLength + 1 else { continue }
      let digest = String(decoding: line.prefix(idLength), as: UTF8.self)
      marker.files[String(decoding: line.dropFirst(idLength + 1), as: UTF8.self), default: []].insert(digest)
    }
    return marker
  }

  /// - Parameter staging: where the unfinished file lies; the next installation clears what a kill leaves there.
  func write(beside folder: URL, staging: URL) throws(FileStoreError) {
    var text = (id ?? Self.unfinished) + "\n"
    for (file, digests) in files.sorted(by: { $0.key < $1.key }) {
      for digest in digests.sorted() { text += "\(digest) \(file)\n" }
    }
    try FileStore(folder: folder.deletingLastPathComponent(), temporaryFolder: staging)
      .write(Data(text.utf8), as: Self.name(of: folder))
  }
}
