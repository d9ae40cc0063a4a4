import CCrypto
import Digests

/// SHA-256 of bodies and files: megabytes at a time, for which libcrypto has instructions of its own (1.8 GB/s where the
/// portable `SHA256` reaches 0.26). Keys and names are short, and apps make them too: they stay with `Digests`.
package enum ContentDigest {
  /// The digest of `bytes` as lower-case hexadecimal text.
  ///
  /// - Parameter bytes: read in place where they are contiguous.
  package static func sha256(_ bytes: some Sequence<UInt8>) -> String {
    let inPlace = bytes.withContiguousStorageIfAvailable { sha256(UnsafeRawBufferPointer($0)) }
    return inPlace ?? Array(bytes).withUnsafeBytes { sha256($0) }
  }

  /// To look it up for each file takes as long as to digest a kilobyte. Never changed, so that all threads may use it.
  nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  private static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    let isDone = EVP_Digest(bytes.baseAddress, bytes.count, &digest, &count, algorithm, nil)
    // A system whose policy refuses, or no memory: nothing that is worth an error.
    guard isDone == 1, count == 32 else { return hexadecimal(SHA256.hash(bytes)) }
    return hexadecimal(digest)
  }
}

/// Tells the sources of a part from the others, millions of them one after the other. Used on one thread.
package final class ShardFilter {
  package let shard: Shard
  /// Made once: to look libcrypto's algorithm up for each URL takes longer than its digest.
  private let context = EVP_MD_CTX_new()
  private let algorithm = EVP_MD_fetch(nil, "SHA256", nil)
  private var digest = [UInt8](repeating: 0, count: 32)

  package init(_ shard: Shard) { self.shard = shard }

  deinit {
    EVP_MD_CTX_free(context)
    EVP_MD_free(algorithm)
  }

  /// - Parameter url: with or without its fragment.
  package func holds(_ url: some Collection<UInt8>) -> Bool {
    url.withContiguousStorageIfAvailable { holds($0) } ?? Array(url).withUnsafeBufferPointer { holds($0) }
  }

  private func holds(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let address = UnsafeBufferPointer(
      rebasing: url[..<(url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex)])
    if let context, let algorithm, EVP_DigestInit_ex2(context, algorithm, nil) == 1,
      EVP_DigestUpdate(context, address.baseAddress, address.count) == 1,
      EVP_DigestFinal_ex(context, &digest, nil) == 1
    {
      return shard.holds(digest)
    }
    // A system whose policy refuses, or no memory.
    return shard.holds(SHA256.hash(address))
  }
}
