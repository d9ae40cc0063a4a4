import Foundation

/// All that is in a folder and what lies below it: bytes, dates and inodes, to show that nothing was touched.
public struct FolderSnapshot: Equatable, CustomStringConvertible {
  private struct Item: Equatable {
    var bytes: Data?
    var modified: Date?
    var number: UInt64?
  }

  private let items: [String: Item]

  /// - Parameter ignored: ends of names that are left out.
  public init(_ folder: URL, ignoring ignored: String? = nil) throws {
    let manager = FileManager.default
    var items: [String: Item] = [:]
    for name in try manager.subpathsOfDirectory(atPath: folder.path) + ["."] {
      if let ignored, name.hasSuffix(ignored) { continue }
      let path = folder.appendingPathComponent(name).path
      let attributes = try manager.attributesOfItem(atPath: path)
      items[name] = Item(
        bytes: manager.contents(atPath: path), modified: attributes[.modificationDate] as? Date,
        number: attributes[.systemFileNumber] as? UInt64)
    }
    self.items = items
  }

  public var names: [String] { items.keys.sorted() }

  public var description: String {
    items.sorted { $0.key < $1.key }.map { name, item in
      "\(name) \(item.bytes?.count ?? 0) bytes, \(item.modified?.timeIntervalSince1970 ?? 0)"
    }.joined(separator: "\n")
  }
}
