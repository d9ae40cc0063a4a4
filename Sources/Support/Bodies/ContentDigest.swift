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

  /// The digest of bytes that come in pieces.
  package static func sha256<Failure>(
    pieces: ((UnsafeRawBufferPointer) -> Void) throws(Failure) -> Void
  ) throws(Failure) -> String {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    let isReady = context != nil && EVP_DigestInit_ex(context, algorithm, nil) == 1
    var whole: [UInt8] = []
    try pieces { bytes in
      if isReady { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) } else { whole += bytes }
    }
    guard isReady else { return hexadecimal(SHA256.hash(whole)) }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return hexadecimal(digest)
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
