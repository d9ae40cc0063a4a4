import CacheCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What was installed into a folder, remembered beside it and never in it: a client takes every file in its folder
/// for an entry.
struct InstallMarker: Codable, Hashable, Sendable {
  /// The bundle's id.
  var id: String
  /// Digests of the files that came from bundles, by name.
  var files: [String: String]

  static let empty = InstallMarker(id: "", files: [:])

  static func name(of folder: URL) -> String { folder.lastPathComponent + ".preheat-bundle.json" }

  /// A marker that makes no sense is none: then every file is compared.
  static func read(beside folder: URL) -> InstallMarker {
    let url = folder.deletingLastPathComponent().appendingPathComponent(name(of: folder))
    return (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? .empty
  }

  func write(beside folder: URL) throws(FileStoreError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = (try? encoder.encode(self)) ?? Data()
    try FileStore(folder: folder.deletingLastPathComponent()).write(data, as: Self.name(of: folder))
  }
}
