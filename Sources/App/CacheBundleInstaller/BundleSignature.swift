import FileStore
import Foundation

/// A bundle's file `signature`: a line for each key that has signed the index, two while a key is being replaced.
///
/// A line is `ed25519`, the public key and the signature, both in base64. The index names its signers, and every line is
/// checked: so no byte of a signed bundle can change, not even of the signature of a key that the app does not know.
package struct BundleSignature: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package var key: BundlePublicKey
    /// 64 bytes.
    package var signature: Data
  }

  package var lines: [Line]

  /// A file with more is refused unread.
  static let maxLines = 8
  static let maxBytes = maxLines * lineBytes

  private static let lineBytes = 142
  private static let algorithm = "ed25519"

  package init(_ lines: [(key: BundlePublicKey, signature: Data)]) { self.lines = lines.map(Line.init) }

  /// - Throws: ``BundleFailure`` with `signature` where the file is not exactly as ``encoded`` writes it.
  init(reading data: Data) throws(BundleFailure) {
    lines = []
    for line in data.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.count == 3, words[0] == Self.algorithm, let key = Data(base64Encoded: String(words[1])),
        let signature = Data(base64Encoded: String(words[2])), signature.count == 64
      else { throw Self.malformed }
      lines.append(Line(key: try BundlePublicKey(rawRepresentation: key), signature: signature))
    }
    // Base64 can say the same bytes in several ways.
    guard encoded == data, (1...Self.maxLines).contains(lines.count) else { throw Self.malformed }
  }

  private static var malformed: BundleFailure {
    BundleFailure(.signature, "the bundle's signature is damaged, or of a later version")
  }

  /// The file's bytes.
  package var encoded: Data {
    let text = lines.map {
      let key = $0.key.rawRepresentation.base64EncodedString()
      return "\(Self.algorithm) \(key) \($0.signature.base64EncodedString())\n"
    }
    return Data(text.joined().utf8)
  }

  /// What is signed: the exact bytes of `index.json`, and words before them that keep a signature of something else
  /// from being taken for one of a bundle.
  package static func message<Bytes: RangeReplaceableCollection<UInt8>>(of index: Bytes) -> Bytes {
    Bytes("preheat bundle v1\n".utf8) + index
  }

  /// Checks all signatures.
  ///
  /// - Returns: Ids of those keys that `trusted` has.
  func check(_ index: Data, trusted: [BundlePublicKey]) throws(BundleFailure) -> [String] {
    let known = lines.filter { trusted.contains($0.key) }
    guard !known.isEmpty else {
      let names = lines.map(\.key.description).joined(separator: " and ")
      throw BundleFailure(
        .signature, "the bundle is signed by \(names), and that is not a key that is accepted here")
    }
    let message = Self.message(of: index)
    for line in known + lines.filter({ !trusted.contains($0.key) }) {
      guard try line.key.verifies(line.signature, of: message) else {
        throw BundleFailure(.signature, "the signature of \(line.key) is not that of this bundle")
      }
    }
    return known.map(\.key.id)
  }
}

/// The keys whose bundles are accepted.
package struct BundleTrust: Hashable, Sendable {
  /// One of them must have signed.
  package var publicKeys: [BundlePublicKey]
  /// A bundle with a lower counter is refused.
  var minimumCounter: Int

  /// Nil where an app asks for nothing. An empty list of keys accepts no bundle at all.
  package init?(_ publicKeys: [BundlePublicKey]?, minimumCounter: Int = 0) {
    guard publicKeys != nil || minimumCounter > 0 else { return nil }
    self.publicKeys = publicKeys ?? []
    self.minimumCounter = minimumCounter
  }
}

/// The result of checking a bundle's signature.
package struct BundleProof: Hashable, Sendable {
  /// Of the accepted keys, those that have signed.
  package var keys: [String]
  /// It grows with each bundle that is signed.
  package var counter: Int
}

extension BundleIndex {
  /// The index, if the three files of a bundle that are about the bundle belong together.
  ///
  /// - Parameters:
  ///   - signature: nil where the bundle has no such file.
  ///   - trust: whose bundles are taken; nil takes anybody's, and checks no signature.
  /// - Throws: ``BundleFailure``, with `signature` or `rollback` before anything of the index is used.
  package static func checked(
    _ index: Data, id: Data, signature: Data?, by trust: BundleTrust?
  ) throws(BundleFailure) -> (index: BundleIndex, proof: BundleProof?) {
    let signature = try signature.map { data throws(BundleFailure) in try BundleSignature(reading: data) }
    var keys: [String]?
    if let trust {
      guard let signature else {
        throw BundleFailure(.signature, "the bundle is not signed, and only signed ones are accepted here")
      }
      keys = try signature.check(index, trusted: trust.publicKeys)
    }
    let index = try BundleIndex(reading: index)
    // An app that trusts a false one would not install this bundle, or not the next.
    guard id == Data("\(index.id)\n".utf8) else {
      throw BundleFailure(.digest, "the bundle's id is not that of its index")
    }
    guard index.signers == signature?.lines.map(\.key.id) else {
      throw BundleFailure(.signature, "the bundle is not signed by the keys that its index names")
    }
    guard let keys, let trust else { return (index, nil) }
    guard let counter = index.counter, counter >= trust.minimumCounter else {
      throw BundleFailure(
        .rollback,
        "the bundle has counter \(index.counter ?? 0), and \(trust.minimumCounter) is the lowest that is accepted"
      )
    }
    return (index, BundleProof(keys: keys, counter: counter))
  }

  /// Names of the bundle's own files, in the order in which a container has them.
  package var head: [String] {
    BundleFormat.headNames.filter { $0 != BundleFormat.signatureName || signers != nil }
  }

  /// All files of a container with their dates, in their order.
  package var containerFiles: [(name: String, date: Int)] {
    head.map { ($0, containerDate) }
      + entries.filter(\.isIncluded).map { (Self.path(of: $0), containerDate(of: $0)) }
  }

  /// The date of the bundle's own files in a container, in seconds since 1970.
  package var containerDate: Int { date ?? ZipEntry.dates.lowerBound }

  /// Where an entry's file is in a container.
  package static func path(of entry: Entry) -> String { BundleFormat.filesFolder + "/" + entry.file }

  /// The date of an entry's file in a container, in seconds since 1970: the date of expiry where that does not depend on
  /// the day of the installation, for those who unpack by hand.
  package func containerDate(of entry: Entry) -> Int {
    guard rules.expiry == .modificationDate, entry.expiresAfter == nil else { return containerDate }
    let date = entry.expiresAt ?? Int(DistantDate.first.timeIntervalSince1970)
    return min(max(date, ZipEntry.dates.lowerBound), ZipEntry.dates.upperBound)
  }
}
