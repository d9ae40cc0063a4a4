import FileStore
import Foundation

/// The files of a bundle that are about the bundle, wherever they were read from.
package struct BundleHead {
  private let id: Data
  private let signature: Data?
  private let index: Data

  /// - Parameter signature: nil where the bundle has no such file.
  package init(id: Data, signature: Data?, index: Data) {
    self.id = id
    self.signature = signature
    self.index = index
  }

  /// The index, if the three belong together.
  ///
  /// - Parameter trust: whose bundles are taken; nil takes anybody's, and checks no signature.
  /// - Throws: ``BundleFailure``, with `signature` or `rollback` before anything of the index is believed.
  package func checked(
    by trust: BundleTrust?
  ) throws(BundleFailure) -> (index: BundleIndex, proof: BundleProof?) {
    let signature: BundleSignature?
    if let data = self.signature { signature = try BundleSignature(reading: data) } else { signature = nil }
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
}

extension BundleIndex {
  /// Names of the bundle's own files, in the order in which a container has them.
  package var head: [String] {
    signers == nil ? [BundleFormat.idName, BundleFormat.indexName] : BundleFormat.headNames
  }

  /// Where an entry's file is in a container.
  package static func path(of entry: Entry) -> String { BundleFormat.filesFolder + "/" + entry.file }

  /// The date of an entry's file in a container, in seconds since 1970: who unpacks by hand gets the dates of expiry at
  /// least where they do not depend on the day.
  ///
  /// - Parameter base: the date of all other files.
  package func containerDate(of entry: Entry, base: Int) -> Int {
    guard expiry(of: entry.file) == .modificationDate, entry.expiresAfter == nil else { return base }
    let date = entry.expiresAt ?? Int(DistantDate.first.timeIntervalSince1970)
    return min(max(date, ZipEntry.dates.lowerBound), ZipEntry.dates.upperBound)
  }
}
