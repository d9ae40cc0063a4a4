import Digests
import FileStore
import Foundation
import Text

#if canImport(CryptoKit)
  import CryptoKit
#endif

extension BundleIndex {
  /// Reads an index that may come from anybody.
  package init(reading data: Data) throws(BundleFailure) {
    guard data.count <= BundleFormat.maxIndexBytes else {
      throw BundleFailure(.index, "the index is larger than \(BundleFormat.maxIndexBytes) bytes")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw BundleFailure(.index, "the index is not what a bundle of version \(BundleFormat.version) has")
    }
    try check()
  }

  /// Nothing in it may reach outside the client's folder or contradict itself.
  ///
  /// - Throws: ``BundleFailure`` where an installer would refuse it.
  package func check() throws(BundleFailure) {
    guard format == BundleFormat.name else { throw BundleFailure(.index, "this is not a bundle of Preheat") }
    guard version == BundleFormat.version else {
      throw BundleFailure(
        .version, "the bundle has version \(version), and this installer knows \(BundleFormat.version)")
    }
    guard Self.isClientName(client) else {
      throw BundleFailure(.index, "the bundle's client is not a short word")
    }
    guard rules.isKnown else {
      throw BundleFailure(
        .version, "the bundle has rules that this installer does not know; it needs a newer one")
    }
    try checkSigning()
    guard entries.count <= BundleFormat.maxEntries else {
      throw BundleFailure(.index, "the index has more than \(BundleFormat.maxEntries) entries")
    }
    guard Self.isEntryName(folder) else { throw BundleFailure(.path, "the folder's name is not one name") }
    var seen: Set<String> = []
    for entry in entries {
      guard Self.isEntryName(entry.file) else {
        throw BundleFailure(.path, "an entry's name is hidden, odd, or reaches outside the cache folder")
      }
      // The devices' file systems may ignore case.
      guard seen.insert(entry.file.lowercased()).inserted else {
        throw BundleFailure(.index, "two entries are named \(entry.file), or differ from it only in case")
      }
      guard entry.size >= 0, Self.isDigest(entry.sha256) else {
        throw BundleFailure(.index, "the index has no right size and digest for \(entry.file)")
      }
    }
    for entry in removed ?? [] {
      guard Self.isEntryName(entry.file), Self.isDigest(entry.sha256),
        !seen.contains(entry.file.lowercased())
      else { throw BundleFailure(.path, "the index removes what it cannot know") }
    }
    guard id == Self.id(of: entries) else {
      throw BundleFailure(.digest, "the index does not have the digest that it states")
    }
  }

  private func checkSigning() throws(BundleFailure) {
    guard (signers == nil) == (counter == nil),
      counter.map({ (0...BundleFormat.maxCounter).contains($0) }) ?? true
    else { throw BundleFailure(.index, "the index has no right counter for its signatures") }
    if let signers {
      guard (1...BundleSignature.maxLines).contains(signers.count), Set(signers).count == signers.count,
        signers.allSatisfy({ $0.isHexadecimal(length: 16) })
      else { throw BundleFailure(.index, "the index does not name its signers rightly") }
    }
    guard date.map(ZipEntry.dates.contains) ?? true else {
      throw BundleFailure(.index, "the index states a date that no archive can have")
    }
  }

  /// One visible name of a file system that takes 255 bytes.
  static func isEntryName(_ name: String) -> Bool {
    FileStore.isFileName(name) && !name.hasPrefix(".") && name.utf8.count <= 255
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
  }

  static func isDigest(_ text: String) -> Bool {
    text.isHexadecimal(length: 64)
  }

  /// Lower-case letters, digits and hyphens.
  private static func isClientName(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}

/// SHA-256 as the index spells it: by the system where it has one, since a device does that in hardware.
enum BundleDigest {
  static func sha256(_ data: Data) -> String {
    #if canImport(CryptoKit)
      return hexadecimal(Array(CryptoKit.SHA256.hash(data: data)))
    #else
      return hexadecimal(Digests.SHA256.hash(data))
    #endif
  }
}

/// The client of a bundle by name, and the version that keys and names are made for.
struct BundleClient: Hashable, Sendable {
  var name: String
  var version: String

  init(_ index: BundleIndex) {
    name = index.client
    version = index.clientVersion
  }

  /// `nuke 12.9.0`; nil for anything else.
  init?(text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    name = String(words[0])
    version = String(words[1])
  }

  var text: String { "\(name) \(version)" }

  /// - Parameter other: the app's version; nil for one that nobody named.
  /// - Throws: ``BundleFailure`` with `client` where the major versions differ.
  func check(against other: String?) throws(BundleFailure) {
    guard let other else { return }
    guard let theirs = Self.major(of: other) else {
      throw BundleFailure(.client, "'\(other)' is not a version of \(name), such as \(version)")
    }
    guard Self.major(of: version) == theirs else {
      throw BundleFailure(
        .client, "the bundle is made for \(text), and the app has version \(other); make it for that version")
    }
  }

  private static func major(of version: String) -> Int? {
    version.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { Int($0) }
  }
}
