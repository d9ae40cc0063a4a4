import CCrypto

/// A private Ed25519 key (RFC 8032) as OpenSSL keeps it: PKCS #8 in PEM form.
///
/// Its bytes appear in no description and no message.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let seed: [UInt8]
  /// The 32 bytes of the public key.
  package let publicKey: [UInt8]

  /// The problem, with advice.
  package enum Failure: String, Error, Hashable, Sendable {
    case malformed = "it is not a private key in PEM form; openssl genpkey -algorithm ed25519 makes one"
    case encrypted =
      "the key is encrypted; openssl pkey -in KEY.pem writes it without a passphrase, for instance into a pipe"
    case isPublic = "it is a public key; the private one signs"
    case algorithm = "the key is not one of Ed25519; openssl genpkey -algorithm ed25519 makes one"
    /// It has no memory, or the system's policy forbids the algorithm.
    case refused = "libcrypto does not sign with this key"
  }

  /// - Parameter pem: the key file's bytes.
  package init(pem: [UInt8]) throws(Failure) {
    let text = String(decoding: pem, as: UTF8.self)
    guard !text.contains("ENCRYPTED") else { throw .encrypted }
    guard text.contains("PRIVATE KEY-----") else {
      throw text.contains("PUBLIC KEY-----") ? .isPublic : .malformed
    }
    guard let key = Self.read(pem) else { throw .malformed }
    defer { EVP_PKEY_free(key) }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 else { throw .algorithm }
    seed = try Self.bytes { EVP_PKEY_get_raw_private_key(key, $0, &$1) }
    publicKey = try Self.bytes { EVP_PKEY_get_raw_public_key(key, $0, &$1) }
  }

  /// The key of a text in PEM form, freed by the caller.
  private static func read(_ pem: [UInt8]) -> OpaquePointer? {
    // Without this function libcrypto would ask the terminal for a passphrase.
    let refusePassphrase:
      @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
        { _, _, _, _ in -1 }
    // The buffer keeps the pointer, so it lives and dies while the pointer is good.
    return pem.withUnsafeBytes { text in
      guard let buffer = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
      defer { BIO_free(buffer) }
      return PEM_read_bio_PrivateKey(buffer, nil, refusePassphrase, nil)
    }
  }

  private static let keyBytes = 32
  private static let signatureBytes = 64

  private static func bytes(
    _ read: (UnsafeMutablePointer<UInt8>, inout Int) -> Int32
  ) throws(Failure) -> [UInt8] {
    var count = keyBytes
    var bytes = [UInt8](repeating: 0, count: keyBytes)
    let code = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { read($0, &count) } ?? 0
    }
    guard code == 1, count == keyBytes else { throw .algorithm }
    return bytes
  }

  /// The 64 bytes of the signature; the same bytes have the same signature.
  package func signature(of message: [UInt8]) throws(Failure) -> [UInt8] {
    guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
      throw .refused
    }
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { throw .refused }
    defer { EVP_MD_CTX_free(context) }
    var count = Self.signatureBytes
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
      count == Self.signatureBytes
    else { throw .refused }
    return signature
  }

  package var description: String { "a private Ed25519 key" }

  /// Nothing: a dump of a value that holds a key must not hold it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
