#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A bundle for reading: a folder, or a zip whose entries are stored and so need no archive library.
public struct CacheBundle: Sendable {
  private enum Storage: Sendable {
    case folder(String)
    case zip(StoredZip)
  }

  private let storage: Storage

  /// Opens a bundle. Of a zip the directory is read, of a folder nothing.
  public init(at url: URL) throws(BundleFailure) {
    switch PlainFile.kind(of: url.path, followingLinks: true) {
    case .folder:
      // Files behind it are opened without following links; so must be the way to them.
      let files = url.appendingPathComponent(BundleFormat.filesFolder).path
      guard [nil, .folder].contains(PlainFile.kind(of: files)) else {
        throw BundleFailure(.path, "\(BundleFormat.filesFolder) in the bundle is a link or no folder")
      }
      storage = .folder(url.path)
    case .file: storage = .zip(try StoredZip(at: url))
    case .other: throw BundleFailure(.notFound, "\(url.path) is neither a file nor a folder")
    case nil: throw BundleFailure(.notFound, "there is no bundle at \(url.path)")
    }
  }

  /// The id of a bundle without reading more than its beginning; nil where that does not say it.
  public static func id(at url: URL) -> String? {
    let path = url.path
    let data =
      switch PlainFile.kind(of: path, followingLinks: true) {
      case .folder: PlainFile.beginning(of: path + "/" + BundleFormat.idName, count: idBytes + 1)
      case .file: StoredZip.first(at: url, named: BundleFormat.idName)
      case .other, nil: Data?.none
      }
    return data.flatMap(Self.id)
  }

  /// Hexadecimal digits and a line's end.
  private static let idBytes = 65

  private static func id(in data: Data) -> String? {
    guard data.count == idBytes, data.last == UInt8(ascii: "\n") else { return nil }
    let id = String(decoding: data.dropLast(), as: UTF8.self)
    return BundleIndex.isDigest(id) ? id : nil
  }

  /// The index, checked.
  package func index() throws(BundleFailure) -> BundleIndex {
    let index = try BundleIndex(
      reading: try bytes(of: BundleFormat.indexName, limit: BundleFormat.maxIndexBytes))
    // An app that trusts a false one would not install this bundle, or not the next.
    guard try Self.id(in: bytes(of: BundleFormat.idName, limit: Self.idBytes)) == index.id else {
      throw BundleFailure(.digest, "the bundle's id is not that of its index")
    }
    if case .zip(let zip) = storage { try refuseForeign(zip, index) }
    return index
  }

  /// A file that nothing vouches for may be there to be written somewhere.
  private func refuseForeign(_ zip: StoredZip, _ index: BundleIndex) throws(BundleFailure) {
    var known: Set<String> = [
      BundleFormat.indexName, BundleFormat.idName, BundleFormat.filesFolder + "/",
    ]
    for entry in index.entries where entry.isIncluded { known.insert(Self.path(of: entry.file)) }
    for name in zip.names where !known.contains(name) {
      throw BundleFailure(.path, "the archive has an entry that its index does not know")
    }
  }

  /// The bytes of an entry, proved by its digest.
  package func data(for entry: BundleIndex.Entry) throws(BundleFailure) -> Data {
    guard entry.isIncluded else {
      throw BundleFailure(.base, "\(entry.file) is in the state that this bundle only adds to")
    }
    let data = try bytes(of: Self.path(of: entry.file), limit: entry.size)
    guard data.count == entry.size else {
      throw BundleFailure(.digest, "\(entry.file) has \(data.count) bytes, and the index says \(entry.size)")
    }
    guard BundleDigest.sha256(data) == entry.sha256 else {
      throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
    }
    return data
  }

  private static func path(of file: String) -> String { BundleFormat.filesFolder + "/" + file }

  private func bytes(of path: String, limit: Int) throws(BundleFailure) -> Data {
    switch storage {
    case .zip(let zip): try zip.data(named: path, limit: limit)
    case .folder(let folder): try PlainFile.read(folder + "/" + path, named: path, limit: limit)
    }
  }
}

/// Reads a bundle's files by the names that a client computes, for apps that must not copy.
///
/// Every read is proved by the entry's digest; a file that fails is none. The index is read once, so make one reader and
/// keep it.
public struct BundleReader: Sendable {
  private let bundle: CacheBundle
  private let entries: [String: BundleIndex.Entry]

  /// - Parameter clientVersion: of the client that the app is built with; a bundle for another major version is refused.
  /// - Throws: ``BundleFailure`` where the bundle's index is not right.
  public init(_ bundle: CacheBundle, clientVersion: String? = nil) throws(BundleFailure) {
    self.bundle = bundle
    let index = try bundle.index()
    try BundleClient(index).check(against: clientVersion)
    var entries: [String: BundleIndex.Entry] = [:]
    for entry in index.entries where entry.isIncluded { entries[entry.file] = entry }
    self.entries = entries
  }

  /// Whether the bundle itself has a file; false for one that a delta leaves to the state before it.
  public func contains(_ file: String) -> Bool { entries[file] != nil }

  /// A file's bytes; nil where the bundle has none of that name, or not the right ones.
  public func data(named file: String) -> Data? {
    entries[file].flatMap { try? bundle.data(for: $0) }
  }
}
