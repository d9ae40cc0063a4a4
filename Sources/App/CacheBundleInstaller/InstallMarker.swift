import FileStore
import Foundation

/// What was installed into a folder, remembered beside it and never in it: a client takes every file in its folder
/// for an entry.
///
/// Lines: the bundle's id, its facts as JSON, which no text in them can leave, and a digest, a space and a name for each
/// file. An app reads the beginning alone at each launch. What is not exactly as ``encoded`` writes it counts as absent.
struct InstallMarker: Hashable, Sendable {
  /// The bundle's id; nil while an installation is on its way, or none was.
  var id: String?
  /// Digests of what bundles brought, by name: two where an installation was killed between an old file and a
  /// new one.
  var files: [String: Set<String>] = [:]
  var facts = Facts()

  struct Facts: Codable, Hashable, Sendable {
    /// The client whose cache was installed last, and its version.
    var client: String?
    var clientVersion: String?
    /// The highest counter of all bundles that were installed with their signature checked, and the beginning of the id
    /// of the state that it stood for.
    var counter: Int?
    var state: String?
    /// Ids of the keys by which the installed bundle was proved; none where nothing was checked.
    var keys: [String] = []

    /// - Parameters:
    ///   - proof: nil where none was asked for.
    ///   - earlier: keeps its counter, also after a bundle without a signature.
    init(_ index: BundleIndex, _ proof: BundleProof?, after earlier: Facts) {
      (client, clientVersion, keys) = (index.client, index.clientVersion, proof?.keys ?? [])
      count(index, proof, after: earlier)
    }

    init() {}

    /// Takes over nothing but the counter.
    mutating func count(_ index: BundleIndex, _ proof: BundleProof?, after earlier: Facts) {
      counter = proof?.counter ?? earlier.counter
      state = proof == nil ? earlier.state : String(index.id.prefix(16))
    }

    fileprivate var isRight: Bool {
      (client == nil) == (clientVersion == nil) && (counter == nil) == (state == nil)
        && client.map(BundleGrammar.isClientName) ?? true
        && clientVersion.map(BundleGrammar.isVersion) ?? true
        && counter.map(BundleFormat.counters.contains) ?? true && state.map(BundleGrammar.isKeyID) ?? true
        && keys.count <= BundleSignature.maxLines && keys.allSatisfy(BundleGrammar.isKeyID)
    }

    /// Whether the counter is that of this state, whole or as a delta.
    fileprivate func isOf(id: String) -> Bool { state.map(id.hasPrefix) ?? false }
  }
}

extension InstallMarker {
  static func name(of folder: URL) -> String { folder.lastPathComponent + ".preheat-bundle" }

  private static let idLength = 64
  /// Stands in the id's place while an installation is on its way.
  private static let unfinished = String(repeating: "-", count: idLength)
  private static let maxBytes = 256 << 20
  /// Enough for id and facts.
  private static let beginningBytes = 1024

  private static func path(beside folder: URL) -> String {
    folder.deletingLastPathComponent().appendingPathComponent(name(of: folder)).path
  }

  /// The beginning of the marker: everything but the files.
  static func beginning(beside folder: URL) throws(BundleFailure) -> InstallMarker {
    let data = try PlainFile.beginning(of: path(beside: folder), count: beginningBytes)
    return data.flatMap { InstallMarker(reading: $0, withFiles: false) } ?? InstallMarker()
  }

  /// An invalid marker is ignored: then every file is compared.
  static func read(beside folder: URL) throws(BundleFailure) -> InstallMarker {
    let path = path(beside: folder)
    do throws(BundleFailure) {
      let data = try PlainFile.read(path, named: path, limit: maxBytes)
      return InstallMarker(reading: data, withFiles: true) ?? InstallMarker()
    } catch {
      if error.code == .unreadable { throw error }
      return InstallMarker()
    }
  }

  /// Nil for anything but what ``encoded`` writes.
  init?(reading data: Data, withFiles: Bool) {
    let lines = data.split(
      separator: UInt8(ascii: "\n"), maxSplits: withFiles ? .max : 2, omittingEmptySubsequences: false)
    guard lines.count > 2, let facts = try? JSONDecoder().decode(Facts.self, from: Data(lines[1])) else {
      return nil
    }
    let first = String(decoding: lines[0], as: UTF8.self)
    id = first == Self.unfinished ? nil : first
    self.facts = facts
    guard id.map(BundleGrammar.isDigest) ?? true, facts.isRight, data.starts(with: head) else { return nil }
    guard withFiles else { return }
    for line in lines[2...] {
      let name = String(decoding: line.dropFirst(Self.idLength + 1), as: UTF8.self)
      files[name, default: []].insert(String(decoding: line.prefix(Self.idLength), as: UTF8.self))
    }
    guard files.removeValue(forKey: "") == [""],
      files.allSatisfy({ BundleGrammar.isName($0.key) && $0.value.allSatisfy(BundleGrammar.isDigest) }),
      encoded == data
    else { return nil }
  }

  /// - Throws: ``BundleFailure`` with `rollback` where the bundle is older than an installed one, or as old and another.
  func check(_ proof: BundleProof?, of index: BundleIndex) throws(BundleFailure) {
    guard let proof, let counter = facts.counter else { return }
    guard proof.counter < counter || proof.counter == counter && !facts.isOf(id: index.id) else { return }
    throw BundleFailure(
      .rollback,
      "the bundle has counter \(proof.counter), and one with \(counter) was installed before; "
        + "a newer bundle needs a higher one")
  }

  /// The proof of the installed bundle, if it is enough for an app that accepts these keys.
  func proof(by trust: BundleTrust) -> BundleProof? {
    let accepted = facts.keys.filter { key in trust.publicKeys.contains { $0.id == key } }
    guard let id, let counter = facts.counter, facts.isOf(id: id), counter >= trust.minimumCounter,
      !accepted.isEmpty
    else { return nil }
    return BundleProof(keys: accepted, counter: counter)
  }

  /// The first two lines.
  private var head: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Data("\(id ?? Self.unfinished)\n".utf8) + ((try? encoder.encode(facts)) ?? Data())
      + Data("\n".utf8)
  }

  /// The file's bytes.
  var encoded: Data {
    var text = ""
    for (file, digests) in files.sorted(by: { $0.key < $1.key }) {
      for digest in digests.sorted() { text += "\(digest) \(file)\n" }
    }
    return head + Data(text.utf8)
  }

  /// - Parameter staging: where the unfinished file lies; the next installation clears what a kill leaves there.
  func write(beside folder: URL, staging: URL, calls: FileCalls = .system) throws(FileStoreError) {
    try FileStore(folder: folder.deletingLastPathComponent(), temporaryFolder: staging, calls: calls)
      .write(encoded, as: Self.name(of: folder))
  }
}
