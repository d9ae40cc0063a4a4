import Foundation
import TestSupport

@testable import Bundles
@testable import CacheBundleInstaller
@testable import Digests

/// A bundle of a few made-up files, as a folder or as a zip.
struct SampleBundle {
  var files: [String: String] = ["aaaa": "first", "bbbb": "second picture", "cccc": "third"]
  var client = "nuke"
  var folder = "catalog"
  var keepsSweepDate = false
  var expiresAfter: Int?
  /// Seconds since 1970.
  var expiresAt: Int?
  /// Private keys that sign it.
  var keys: [TestKey] = []
  var counter = 1
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
      client: client, clientVersion: "12.9.0", folder: folder, keepsSweepDate: keepsSweepDate,
      rules: client == "kingfisher"
        ? BundleRules(expiry: .modificationDate, eviction: .creationDate)
        : BundleRules(expiry: .never, eviction: .accessDate),
      entries: entries)
    if !keys.isEmpty {
      index.signers = keys.map(\.known.id)
      index.counter = counter
    }
    edit(&index)
    return index
  }

  /// Name and bytes of everything in the bundle, in the order in which it stands there.
  func contents() throws -> [(name: String, data: Data)] {
    let index = index
    let list = Data(try index.encoded())
    var contents = [(name: "id", data: Data((index.id + "\n").utf8))]
    if let signature = try signature(of: list) { contents.append(("signature", signature.encoded)) }
    contents.append(("index.json", list))
    for entry in index.entries where entry.isIncluded {
      contents.append(("files/" + entry.file, Data((files[entry.file] ?? "").utf8)))
    }
    return contents
  }

  private func signature(of index: Data) throws -> BundleSignature? {
    guard !keys.isEmpty else { return nil }
    return BundleSignature(
      try keys.map { key in
        let message = [UInt8](BundleSignature.message(of: index))
        return (key: key.known, signature: Data(try key.secret.signature(of: message)))
      })
  }

  func write(asFolder url: URL) throws {
    for (name, data) in try contents() {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
  }

  /// - Parameters:
  ///   - extra: entries behind those of the bundle.
  ///   - edit: changes names and bytes before they are written.
  func write(
    asZip url: URL, extra: [(name: String, data: Data)] = [],
    edit: (inout [(name: String, data: Data)]) -> Void = { _ in }
  ) throws {
    var all = try contents() + extra
    edit(&all)
    let dates = Dictionary(
      index.entries.map { (BundleIndex.path(of: $0), index.containerDate(of: $0)) }
    ) { first, _ in first }
    try Self.zip(
      all.map { (name: $0.name, data: $0.data, date: dates[$0.name] ?? index.containerDate) }
    ).write(to: url)
  }

  /// An archive in the canonical form, whatever it holds.
  static func zip(_ files: [(name: String, data: Data, date: Int)]) -> Data {
    var zip = Data()
    var entries: [ZipEntry] = []
    for (name, data, date) in files {
      let entry = ZipEntry(
        name: name, size: data.count, date: date, checksum: CRC32.sum([UInt8](data), 0..<data.count),
        offset: zip.count)
      zip += Data(entry.header) + data + Data(entry.trailer)
      entries.append(entry)
    }
    let records = entries.reduce(Data()) { $0 + Data($1.record) }
    return zip + records
      + Data(ZipEntry.ending(count: entries.count, start: zip.count, size: records.count))
  }
}

/// The folders of a device, and a bundle that has come there.
protocol InstallScene {
  var temporary: TemporaryFolder { get }
}

extension InstallScene {
  var folder: URL { temporary.file("Caches/catalog") }
  var zip: URL { temporary.file("catalog.zip") }
  var bundle: URL { temporary.file("catalog.bundle") }
  var marker: URL { temporary.file("Caches/catalog.preheat-bundle") }
  var staging: URL { temporary.file("Caches/catalog.preheat-install") }

  /// What an installer says against a bundle, the zip if no other; nil where it installs it.
  func refusal(of source: URL? = nil, by installer: BundleInstaller? = nil) -> BundleFailure? {
    do throws(BundleFailure) {
      try (installer ?? BundleInstaller(folder: folder)).install(source ?? zip)
      return nil
    } catch {
      return error
    }
  }

  /// Installs a bundle as a zip.
  @discardableResult
  func install(_ bundle: SampleBundle, now: Date = Date()) throws -> InstallReport {
    try bundle.write(asZip: zip)
    return try BundleInstaller(folder: folder).install(zip, now: now)
  }
}

/// A pair of keys for tests.
struct TestKey: Sendable {
  let secret: SigningKey
  let known: BundlePublicKey

  /// Private keys as `openssl genpkey -algorithm ed25519` printed them.
  private static let texts = [
    "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3",
    "MC4CAQAwBQYDK2VwBCIEICRd5wofhnecdHmeCHlo7/72gtFsISJV2uhPMMBbCyc0",
    "MC4CAQAwBQYDK2VwBCIEIG/C4LN/rkaSZDWWwokB7dpwAYxbrAkg3RLO+aKvU9wp",
  ]

  /// - Parameter number: 0, 1 or 2.
  init(_ number: Int) throws {
    let pem = "-----BEGIN PRIVATE KEY-----\n\(Self.texts[number])\n-----END PRIVATE KEY-----\n"
    secret = try SigningKey(pem: Array(pem.utf8))
    known = try BundlePublicKey(rawRepresentation: secret.publicKey)
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
