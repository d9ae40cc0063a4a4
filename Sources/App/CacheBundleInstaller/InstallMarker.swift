import FileStore
import Foundation

/// What was installed into a folder, remembered beside it and never in it: a client takes every file in its folder
/// for an entry.
///
/// Lines: the bundle's id, `client nuke 12.9.0`, `counter 7 1d21c3ca5f3c02a1` and `key 0123456789abcdef` where a signature
/// was checked, then a digest, a space and a name for each file. An app reads the beginning alone at each launch.
struct InstallMarker: Hashable, Sendable {
  /// The bundle's id; nil while an installation is on its way, or none was.
  var id: String?
  /// Digests of what bundles brought, by name: two where an installation was killed between an old file and a
  /// new one.
  var files: [String: Set<String>] = [:]
  /// The client whose cache was installed last.
  var client: BundleClient?
  /// The highest counter of all bundles that were installed with their signature checked.
  var counter: InstalledCounter?
  /// Ids of the keys by which the installed bundle was proved; none where nothing was checked.
  var keys: [String] = []
}

extension InstallMarker {
  static func name(of folder: URL) -> String { folder.lastPathComponent + ".preheat-bundle" }

  private static let idLength = 64
  /// Stands in the id's place while an installation is on its way.
  private static let unfinished = String(repeating: "-", count: idLength)
  private static let maxBytes = 256 << 20
  /// Enough for all lines before the first file.
  private static let beginningBytes = 1024

  private static func path(beside folder: URL) -> String {
    folder.deletingLastPathComponent().appendingPathComponent(name(of: folder)).path
  }

  /// The beginning of the marker: everything but the files.
  static func beginning(beside folder: URL) -> InstallMarker {
    let data = PlainFile.beginning(of: path(beside: folder), count: beginningBytes)
    return data.map { InstallMarker(reading: $0, withFiles: false) } ?? InstallMarker()
  }

  /// An invalid marker is ignored: then every file is compared.
  static func read(beside folder: URL) -> InstallMarker {
    let path = path(beside: folder)
    let data = try? PlainFile.read(path, named: path, limit: maxBytes)
    return data.map { InstallMarker(reading: $0, withFiles: true) } ?? InstallMarker()
  }

  private init(reading data: Data, withFiles: Bool) {
    self.init()
    let newline = UInt8(ascii: "\n")
    guard data.count > Self.idLength, data[data.startIndex + Self.idLength] == newline else { return }
    let first = String(decoding: data.prefix(Self.idLength), as: UTF8.self)
    id = first == Self.unfinished ? nil : first
    for line in data.dropFirst(Self.idLength + 1).split(separator: newline) {
      guard line.count > Self.idLength + 1 else {
        readFact(String(decoding: line, as: UTF8.self))
        continue
      }
      // The facts stand before the files.
      guard withFiles else { break }
      let digest = String(decoding: line.prefix(Self.idLength), as: UTF8.self)
      files[String(decoding: line.dropFirst(Self.idLength + 1), as: UTF8.self), default: []].insert(digest)
    }
  }

  private mutating func readFact(_ line: String) {
    guard let space = line.firstIndex(of: " ") else { return }
    let value = line[line.index(after: space)...]
    switch line[..<space] {
    case "client": client = BundleClient(text: value)
    case "counter": counter = InstalledCounter(text: value)
    case "key": keys.append(String(value))
    default: break
    }
  }

  /// - Throws: ``BundleFailure`` with `rollback` where the bundle is older than an installed one, or as old and another.
  func check(_ proof: BundleProof?, of index: BundleIndex) throws(BundleFailure) {
    guard let proof, let counter else { return }
    guard proof.counter < counter.value || proof.counter == counter.value && !counter.isOf(id: index.id)
    else {
      return
    }
    throw BundleFailure(
      .rollback,
      "the bundle has counter \(proof.counter), and one with \(counter.value) was installed before; "
        + "a newer bundle needs a higher one")
  }

  /// The proof of the installed bundle, if it is enough for an app that accepts these keys.
  func proof(by trust: BundleTrust) -> BundleProof? {
    let accepted = keys.filter { key in trust.publicKeys.contains { $0.id == key } }
    guard let id, let counter, counter.isOf(id: id), counter.value >= trust.minimumCounter, !accepted.isEmpty
    else { return nil }
    return BundleProof(keys: accepted, counter: counter.value)
  }

  /// - Parameter staging: where the unfinished file lies; the next installation clears what a kill leaves there.
  func write(beside folder: URL, staging: URL, calls: FileCalls = .system) throws(FileStoreError) {
    var text = (id ?? Self.unfinished) + "\n"
    let facts =
      [client.map { "client \($0.text)" }, counter.map { "counter \($0.text)" }] + keys.map { "key \($0)" }
    // A line for a file is longer than a digest; a fact is shorter.
    for fact in facts.compactMap({ $0 }) where fact.utf8.count <= Self.idLength { text += fact + "\n" }
    for (file, digests) in files.sorted(by: { $0.key < $1.key }) {
      for digest in digests.sorted() { text += "\(digest) \(file)\n" }
    }
    try FileStore(folder: folder.deletingLastPathComponent(), temporaryFolder: staging, calls: calls)
      .write(Data(text.utf8), as: Self.name(of: folder))
  }
}

/// The counter of a signed bundle that was installed, and which state it stood for.
struct InstalledCounter: Hashable, Sendable {
  var value: Int
  /// The beginning of the bundle's id.
  private var state: Substring

  init(_ value: Int, id: String) {
    self.value = value
    state = id.prefix(16)
  }

  /// `7 1d21c3ca5f3c02a1`; nil for anything else.
  init?(text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count == 2, let value = Int(words[0]), value >= 0 else { return nil }
    self.init(value, id: String(words[1]))
  }

  var text: String { "\(value) \(state)" }

  /// Whether it is that of this bundle, whole or as a delta.
  func isOf(id: String) -> Bool { !state.isEmpty && id.hasPrefix(state) }
}
