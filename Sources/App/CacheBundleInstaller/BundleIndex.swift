import Digests
import Foundation
import Text

/// `index.json`: what a bundle holds and what it is for.
package struct BundleIndex: Codable, Hashable, Sendable {
  var format = BundleFormat.name
  var version = BundleFormat.version
  /// Digest of the cache's whole state; equal caches have equal ids.
  package var id: String
  /// The client's name, a short word such as `nuke`. Nothing depends on it.
  package var client: String
  /// The client's version that keys and names are made for, for instance `12.9.0`.
  package var clientVersion: String
  /// Name of the client's folder inside the app's Caches folder.
  package var folder: String
  /// Id of the state that this bundle only adds to; nil for a whole bundle.
  package var since: String?
  /// The client remembers its last sweep, and would sweep a folder without such a note on its first launch
  /// (Nuke 12.1.5 and later).
  var keepsSweepDate: Bool?
  /// The client's rules for an installation.
  package var rules: BundleRules
  /// How entries were drawn, where that is not the device's way; nil for nothing. For people.
  package var drawings: [String]?
  /// Ids of the keys that have signed the bundle, in the order of the lines of its signature; nil where it is unsigned.
  package var signers: [String]?
  /// Grows with each bundle that is signed, so that an older one is known as such; nil where it is unsigned.
  package var counter: Int?
  /// Seconds since 1970 that the container gives to its files; nil for 1980-01-01.
  package var date: Int?
  /// The cache's whole state, most urgent first, also where the bundle is a delta.
  package var entries: [Entry]
  /// Files of the older state that this one does not have.
  package var removed: [Removed]?

  package init(
    client: String, clientVersion: String, folder: String, keepsSweepDate: Bool = false, rules: BundleRules,
    entries: [Entry]
  ) {
    id = Self.id(of: entries)
    self.client = client
    self.clientVersion = clientVersion
    self.folder = folder
    self.keepsSweepDate = keepsSweepDate ? true : nil
    self.rules = rules
    self.entries = entries
  }

  /// One file of the cache.
  package struct Entry: Codable, Hashable, Sendable {
    package var file: String
    /// Bytes.
    package var size: Int
    /// Lower-case hexadecimal.
    package var sha256: String
    /// The request's key, where it holds no secret.
    package var key: String?
    /// The source's URL without credentials.
    package var source: String?
    /// Seconds from the installation until the entry expires, for clients whose entries do.
    package var expiresAfter: Int?
    /// When it expires, in seconds since 1970. With neither of the two it never does.
    package var expiresAt: Int?
    /// False where the file is not in this bundle, since the state before has it.
    package var included: Bool?

    package init(file: String, size: Int, sha256: String) {
      self.file = file
      self.size = size
      self.sha256 = sha256
    }

    package var isIncluded: Bool { included ?? true }

    /// Its members in the order of their names, as the encoder writes them.
    fileprivate func append(to json: inout JSONBytes, _ encoder: JSONEncoder) throws {
      var separator: StaticString = "\n      \""
      func add<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        guard let value else { return }
        json.raw(separator)
        json.raw(name)
        json.raw("\" : ")
        separator = ",\n      \""
        switch value {
        case let number as Int: json.integer(number)
        case let text as String
        where text.hasBytes { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }:
          json.raw("\"")
          json.plain(text)
          json.raw("\"")
        default: json.bytes += try encoder.encode(value)
        }
      }
      try add("expiresAfter", expiresAfter)
      try add("expiresAt", expiresAt)
      try add("file", file)
      try add("included", included)
      try add("key", key)
      try add("sha256", sha256)
      try add("size", size)
      try add("source", source)
    }
  }

  /// A file that is gone, and what it was.
  package struct Removed: Codable, Hashable, Sendable {
    var file: String
    var sha256: String

    package init(file: String, sha256: String) {
      self.file = file
      self.sha256 = sha256
    }
  }

  /// The id of a state: files, bytes and expiry decide, order does not.
  static func id(of entries: [Entry]) -> String {
    let lines = entries.sorted { $0.file < $1.file }.map { entry in
      let expiry = "\(entry.expiresAfter.map(String.init) ?? "-") \(entry.expiresAt.map(String.init) ?? "-")"
      return "\(entry.file) \(entry.sha256) \(entry.size) \(expiry)\n"
    }
    return SHA256.hexadecimal(of: lines.joined())
  }

  /// Deterministic: keys in order, no date of its own. The same bytes as of one call of `JSONEncoder`, which for a
  /// hundred thousand entries would take ten times the memory of the text.
  package func encoded() throws(BundleFailure) -> [UInt8] {
    let encoder = BundleFormat.encoder
    do {
      var frame = self
      frame.entries = []
      let whole = try encoder.encode(frame)
      // A quote within a text is escaped.
      guard !entries.isEmpty, let start = whole.range(of: Data("\n  \"entries\" : [".utf8))?.upperBound,
        let end = whole[start...].firstIndex(of: UInt8(ascii: "]"))
      else { return try [UInt8](encoder.encode(self)) + "\n".utf8 }
      var json = JSONBytes()
      // More than most need; what is not used takes no memory.
      json.bytes.reserveCapacity(entries.count * 512)
      json.bytes += whole[..<start]
      for (place, entry) in entries.enumerated() {
        json.raw(place == 0 ? "\n    {" : ",\n    {")
        try entry.append(to: &json, encoder)
        json.raw("\n    }")
      }
      json.bytes += "\n  ".utf8 + whole[end...] + "\n".utf8
      return json.bytes
    } catch {
      throw BundleFailure(.index, "the index cannot be written: \(error)")
    }
  }
}

/// Facts about a bundle that its maker and its installer share.
///
/// A bundle is a folder or a zip whose entries are stored: ``idName`` first, then ``signatureName`` if it is signed,
/// ``indexName``, and the cache's files under ``filesFolder``.
package enum BundleFormat {
  /// Value of the index's `format`.
  static let name = "preheat-bundle"
  /// Version of the index; it grows when a field changes its meaning.
  static let version = 1
  /// Name of the index at the bundle's top.
  package static let indexName = "index.json"
  /// A file with the bundle's id alone, so that an app sees without reading the index that it has it already.
  package static let idName = "id"
  /// A file with signatures of the index.
  package static let signatureName = "signature"
  /// All files of the bundle's own that a bundle may have.
  static let headNames = [idName, signatureName, indexName]
  /// Hexadecimal digits and a line's end.
  static let idBytes = 65
  /// Folder of the cache's files.
  package static let filesFolder = "files"

  /// Equal values have equal bytes.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return encoder
  }

  /// An index larger than this is not read.
  package static let maxIndexBytes = 128 << 20
  /// No bundle has more entries.
  static let maxEntries = 250_000
  /// Values of an index, by the marks before them: an entry has eight, and its key may have commas.
  static let maxParts = 48 * maxEntries
  /// The most bytes of an entry, and of all together. An app holds an entry in memory.
  package static let maxEntryBytes = 128 << 20
  static let maxBytes = 256 << 30
  /// The largest counter, 2^53 - 1: every reader of JSON can tell it from its neighbours.
  package static let maxCounter = 9_007_199_254_740_991
  static let counters = 0...maxCounter
  /// Seconds until an entry expires, or since 1970: up to the year 9999.
  static let times = 0...253_402_300_799
}

/// What an installer has to know of the client whose cache a bundle holds, so that it needs no client's name: the
/// index's `rules`, an object of words.
package struct BundleRules: Codable, Hashable, Sendable {
  package enum Expiry: String, Hashable, Sendable, CaseIterable {
    /// Entries stay until the client's sweep removes them; it begins with those that were read the longest ago.
    case never = "none"
    /// A file's modification date is the moment at which it expires.
    case modificationDate
  }

  /// Which date says what the client's sweep for size removes first: the oldest goes.
  package enum Eviction: String, Hashable, Sendable, CaseIterable {
    case accessDate
    case creationDate
  }

  /// As they stand in the index, with those that this installer does not know.
  private var words: [String: String]

  package init(expiry: Expiry, eviction: Eviction) {
    words = ["expiry": expiry.rawValue, "eviction": eviction.rawValue]
  }

  package init(from decoder: any Decoder) throws {
    words = try decoder.singleValueContainer().decode([String: String].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(words)
  }

  /// Whether these are exactly the rules that an installation can follow.
  var isKnown: Bool { self == BundleRules(expiry: expiry, eviction: eviction) }

  package var expiry: Expiry { words["expiry"].flatMap(Expiry.init) ?? .never }

  package var eviction: Eviction { words["eviction"].flatMap(Eviction.init) ?? .accessDate }
}
