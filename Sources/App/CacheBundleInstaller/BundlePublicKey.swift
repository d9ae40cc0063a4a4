import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// An Ed25519 key (RFC 8032) whose signatures an app accepts.
public struct BundlePublicKey: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the key.
  public let rawRepresentation: Data

  private static let length = 32
  /// What stands before the key in its DER form (RFC 8410, section 4).
  private static let prefix: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// - Parameter rawRepresentation: the 32 bytes of the key.
  /// - Throws: ``BundleFailure`` with `signature` for another count of bytes.
  public init(rawRepresentation: some Sequence<UInt8>) throws(BundleFailure) {
    let data = Data(rawRepresentation)
    guard data.count == Self.length else {
      throw BundleFailure(.signature, "an Ed25519 public key has 32 bytes, and this one \(data.count)")
    }
    self.rawRepresentation = data
  }

  /// - Parameter pem: the text that `openssl pkey -in KEY.pem -pubout` prints.
  /// - Throws: ``BundleFailure`` with `signature` for anything else.
  public init(pem: String) throws(BundleFailure) {
    let lines = pem.split { $0.isNewline }.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    if lines.contains(where: { $0.hasSuffix("PRIVATEKEY-----") }) {
      throw BundleFailure(
        .signature,
        "this is a private key, which no app may have; take the public one (openssl pkey -in KEY.pem -pubout)"
      )
    }
    guard lines.first == "-----BEGINPUBLICKEY-----", lines.last == "-----ENDPUBLICKEY-----",
      let data = Data(base64Encoded: lines.dropFirst().dropLast().joined())
    else {
      throw BundleFailure(
        .signature, "this is not a public key in PEM form (openssl pkey -in KEY.pem -pubout prints one)")
    }
    guard data.starts(with: Self.prefix), data.count == Self.prefix.count + Self.length else {
      throw BundleFailure(
        .signature, "the public key is not one of Ed25519 (openssl genpkey -algorithm ed25519 makes a pair)")
    }
    try self.init(rawRepresentation: data.dropFirst(Self.prefix.count))
  }

  /// A short name: the first 16 digits of the key's SHA-256.
  public var id: String { String(BundleDigest.sha256(rawRepresentation).prefix(16)) }

  public var description: String { "Ed25519 key \(id)" }

  /// Whether the key has signed these bytes.
  ///
  /// - Throws: ``BundleFailure`` with `signature` where the system cannot check signatures.
  func verifies(_ signature: Data, of message: Data) throws(BundleFailure) -> Bool {
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: rawRepresentation) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    #else
      guard let library = LibCrypto.shared else {
        throw BundleFailure(
          .signature,
          "signatures cannot be checked on this machine: install libcrypto of OpenSSL (\(LibCrypto.names[0]))"
        )
      }
      return library.verifies(signature, of: message, key: rawRepresentation)
    #endif
  }
}
