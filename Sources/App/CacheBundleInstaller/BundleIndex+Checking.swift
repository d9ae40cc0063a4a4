import Digests
import FileStore
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

extension BundleIndex {
  /// Reads an index that may come from anybody.
  package init(reading data: Data) throws(BundleFailure) {
    guard data.count <= BundleFormat.maxIndexBytes else {
      throw BundleFailure(.index, "the index is larger than \(BundleFormat.maxIndexBytes) bytes")
    }
    // A decoder takes some 50 bytes for each value, and reads UTF-16 too.
    let parts = data.withUnsafeBytes { $0.count { ",[{".utf8.contains($0) } }
    guard parts <= BundleFormat.maxParts, !data.contains(0) else {
      throw BundleFailure(
        .index, "the index has more than \(BundleFormat.maxEntries) entries, or more in them than any has")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw BundleFailure(.index, "the index is not what a bundle of version \(BundleFormat.version) has")
    }
    try check()
  }

  /// Nothing in it may reach outside the client's folder, contradict itself, or be larger than an app can hold: whatever
  /// calculates with its numbers or writes its texts down relies on this check.
  ///
  /// - Parameter provesID: false where the id has just been made.
  /// - Throws: ``BundleFailure`` where an installer would refuse it.
  package func check(provesID: Bool = true) throws(BundleFailure) {
    guard format == BundleFormat.name else { throw BundleFailure(.index, "this is not a bundle of Preheat") }
    guard version == BundleFormat.version else {
      throw BundleFailure(
        .version, "the bundle has version \(version), and this installer knows \(BundleFormat.version)")
    }
    guard rules.isKnown else {
      throw BundleFailure(
        .version, "the bundle has rules that this installer does not know; it needs a newer one")
    }
    guard BundleGrammar.isName(folder) else {
      throw BundleFailure(.path, "the folder's name is not one name")
    }
    guard areFactsRight else {
      throw BundleFailure(
        .index, "the index has a client, a state before it, signers, a counter or a date as no bundle has")
    }
    try checkEntries()
    guard !provesID || id == Self.id(of: entries) else {
      throw BundleFailure(.digest, "the index does not have the digest that it states")
    }
  }

  /// Whether everything but the entries has the form that it is written in, and goes together.
  private var areFactsRight: Bool {
    let words = [client] + (drawings ?? [])
    guard words.count <= 9, words.allSatisfy(BundleGrammar.isClientName),
      BundleGrammar.isVersion(clientVersion), date.map(ZipEntry.dates.contains) ?? true
    else { return false }
    // Only a delta leaves files to a state before it.
    guard since.map(BundleGrammar.isDigest) ?? (removed == nil && entries.allSatisfy(\.isIncluded)) else {
      return false
    }
    guard let signers, let counter else { return signers == nil && counter == nil }
    return BundleFormat.counters.contains(counter) && (1...BundleSignature.maxLines).contains(signers.count)
      && Set(signers).count == signers.count && signers.allSatisfy(BundleGrammar.isKeyID)
  }

  private func checkEntries() throws(BundleFailure) {
    guard max(entries.count, removed?.count ?? 0) <= BundleFormat.maxEntries else {
      throw BundleFailure(.index, "the index has more than \(BundleFormat.maxEntries) entries")
    }
    var seen: Set<String> = []
    var bytes = 0
    for entry in entries {
      guard BundleGrammar.isName(entry.file) else {
        throw BundleFailure(.path, "an entry's name is hidden, odd, or reaches outside the cache folder")
      }
      // The devices' file systems may ignore case.
      guard seen.insert(entry.file.lowercased()).inserted else {
        throw BundleFailure(.index, "two entries are named \(entry.file), or differ from it only in case")
      }
      guard (0...BundleFormat.maxEntryBytes).contains(entry.size), BundleGrammar.isDigest(entry.sha256),
        [entry.key, entry.source].allSatisfy({ $0.map(BundleGrammar.isText) ?? true }),
        [entry.expiresAfter, entry.expiresAt].allSatisfy({ $0.map(BundleFormat.times.contains) ?? true })
      else {
        throw BundleFailure(
          .index,
          "the index has no right digest for \(entry.file), more than \(BundleFormat.maxEntryBytes) bytes, or a text or "
            + "a time that no bundle has")
      }
      bytes += entry.size
    }
    guard bytes <= BundleFormat.maxBytes else {
      throw BundleFailure(.index, "the entries have more than \(BundleFormat.maxBytes) bytes")
    }
    for entry in removed ?? [] {
      guard BundleGrammar.isName(entry.file), BundleGrammar.isDigest(entry.sha256),
        !seen.contains(entry.file.lowercased())
      else { throw BundleFailure(.path, "the index removes what it cannot know") }
    }
  }
}

/// The form of every text that an index or a marker may have.
package enum BundleGrammar {
  /// One visible name of a file system that takes 255 bytes.
  static func isName(_ name: String) -> Bool {
    FileStore.isFileName(name) && !FileStore.isHidden(name) && name.utf8.count <= 255
      && isText(name) && !name.utf8.contains(UInt8(ascii: "\\"))
  }

  static func isDigest(_ text: String) -> Bool { text.isHexadecimal(length: 64) }

  /// Of a public key; also the beginning of a bundle's id.
  static func isKeyID(_ text: String) -> Bool { text.isHexadecimal(length: 16) }

  /// Lower-case letters, digits and hyphens.
  static func isClientName(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-")
      }
  }

  /// One to three numbers with dots between them.
  static func isVersion(_ text: String) -> Bool {
    let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...3).contains(numbers.count)
      && numbers.allSatisfy { (1...9).contains($0.count) && $0.allSatisfy(\.isDigit) }
  }

  /// One line without control characters: a key or a source.
  package static func isText(_ text: String) -> Bool { text.hasBytes { $0 >= 0x20 && $0 != 0x7F } }
}

/// SHA-256 as the index spells it: by the system where it has one, since a device does that in hardware.
enum BundleDigest {
  static func sha256(_ data: Data) -> String {
    #if canImport(CryptoKit)
      return hexadecimal(Array(CryptoKit.SHA256.hash(data: data)))
    #else
      return hexadecimal(SHA256.hash(data))
    #endif
  }
}
