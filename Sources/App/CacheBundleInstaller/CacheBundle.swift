import Foundation

/// A bundle for reading: a folder, or a zip whose entries are stored and so need no archive library.
public struct CacheBundle: Sendable {
  private enum Storage: Sendable {
    case folder(String)
    case zip(StoredZip)
  }

  private let storage: Storage

  /// Opens a bundle. Of a zip everything but the contents is checked, of a folder nothing yet.
  public init(at url: URL) throws(BundleFailure) {
    switch try PlainFile.kind(of: url.path, followingLinks: true) {
    case .folder:
      // Files behind it are opened without following links; so must be the way to them.
      let files = url.appendingPathComponent(BundleFormat.filesFolder).path
      guard [nil, .folder].contains(try PlainFile.kind(of: files)) else {
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
    let (path, name) = (url.path, BundleFormat.idName)
    let found: Data?? =
      switch try? PlainFile.kind(of: path, followingLinks: true) {
      case .folder: try? PlainFile.beginning(of: path + "/" + name, count: BundleFormat.idBytes + 1)
      case .file: try? StoredZip.first(at: url, named: name)
      case .other, nil: nil
      }
    guard let data = found ?? nil, data.count == BundleFormat.idBytes, data.last == UInt8(ascii: "\n") else {
      return nil
    }
    let id = String(decoding: data.dropLast(), as: UTF8.self)
    return BundleGrammar.isDigest(id) ? id : nil
  }

  /// The index, checked, and what its signature proves.
  ///
  /// - Parameter trust: whose bundles are taken; nil takes anybody's, and checks no signature.
  package func checked(
    by trust: BundleTrust?
  ) throws(BundleFailure) -> (index: BundleIndex, proof: BundleProof?) {
    let data = try bytes(of: BundleFormat.indexName, limit: BundleFormat.maxIndexBytes)
    let signature = try signature()
    let id = try bytes(of: BundleFormat.idName, limit: BundleFormat.idBytes)
    let (index, proof) = try BundleIndex.checked(data, id: id, signature: signature, by: trust)
    if case .zip(let archive) = storage { try checkLayout(of: archive, index) }
    return (index, proof)
  }

  private func signature() throws(BundleFailure) -> Data? {
    let name = BundleFormat.signatureName
    let isThere =
      switch storage {
      case .zip(let zip): zip.entries.dropFirst().first?.name == name
      case .folder(let folder): try PlainFile.kind(of: folder + "/" + name) != nil
      }
    return isThere ? try bytes(of: name, limit: BundleSignature.maxBytes) : nil
  }

  /// An archive has exactly what its index says, in that order and with those dates.
  private func checkLayout(of archive: StoredZip, _ index: BundleIndex) throws(BundleFailure) {
    let expected = index.containerFiles
    let known = Set(expected.map(\.name))
    guard archive.entries.allSatisfy({ known.contains($0.name) }) else {
      throw BundleFailure(.path, "the archive has an entry that its index does not know")
    }
    guard archive.entries.elementsEqual(expected, by: { $0.name == $1.name && $0.date == $1.date }) else {
      throw BundleFailure(
        .archive, "the archive does not have the entries of its index, in its order and with its dates")
    }
  }

  /// The bytes of an entry, proved by its digest.
  package func data(for entry: BundleIndex.Entry) throws(BundleFailure) -> Data {
    guard entry.isIncluded else {
      throw BundleFailure(.base, "\(entry.file) is in the state that this bundle only adds to")
    }
    let data = try bytes(of: BundleIndex.path(of: entry), limit: entry.size)
    guard data.count == entry.size else {
      throw BundleFailure(.digest, "\(entry.file) has \(data.count) bytes, and the index says \(entry.size)")
    }
    guard BundleDigest.sha256(data) == entry.sha256 else {
      throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
    }
    return data
  }

  private func bytes(of path: String, limit: Int) throws(BundleFailure) -> Data {
    switch storage {
    case .zip(let zip): try zip.data(named: path, limit: limit)
    case .folder(let folder): try PlainFile.read(folder + "/" + path, named: path, limit: limit)
    }
  }
}

/// Reads a bundle's files by the names that a client computes, for apps that must not copy.
///
/// Every read is proved by the entry's digest; a file that fails counts as missing. The index is read once, so make one reader and
/// keep it.
public struct BundleReader: Sendable {
  private let bundle: CacheBundle
  private let entries: [String: BundleIndex.Entry]

  /// - Parameters:
  ///   - bundle: the bundle that is read.
  ///   - folder: the name of the cache folder that the bundle has to be made of; nil takes any.
  ///   - client: the client that the app is built with, such as `nuke`; a bundle for another one is refused.
  ///   - clientVersion: its version, compared by as many numbers as are given.
  ///   - publicKeys: one of them must have signed the bundle; nil takes bundles of anybody.
  ///   - minimumCounter: a signed bundle with a lower counter is refused. A reader remembers no counter of its own.
  /// - Throws: ``BundleFailure`` where the bundle's index or its signature is not right.
  public init(
    _ bundle: CacheBundle, folder: String? = nil, client: String? = nil, clientVersion: String? = nil,
    publicKeys: [BundlePublicKey]? = nil, minimumCounter: Int = 0
  ) throws(BundleFailure) {
    self.bundle = bundle
    let (index, _) = try bundle.checked(by: BundleTrust(publicKeys, minimumCounter: minimumCounter))
    try BundlePurpose(folder: folder, client: client, version: clientVersion).check(index.purpose)
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
