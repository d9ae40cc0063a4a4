import CacheCore

#if canImport(CryptoKit)
  import CryptoKit
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// SHA-256 as the index spells it: by the system where it has one, since a device does that in hardware.
enum BundleDigest {
  static func sha256(_ data: Data) -> String {
    #if canImport(CryptoKit)
      return hexadecimal(Array(CryptoKit.SHA256.hash(data: data)))
    #else
      return hexadecimal(CacheCore.SHA256.hash(data))
    #endif
  }
}
