import Digests
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// An Ed25519 key (RFC 8032) whose signatures an app accepts.
public struct BundlePublicKey: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the key.
  public let rawRepresentation: Data

  private static let length = 32
  /// The bytes before the key in its DER form (RFC 8410, section 4).
  private static let prefix: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// Points of a small order, whose signatures anybody can make, without the sign: all orders up to 8, in every spelling.
  private static let weakKeys: Set<String> = [
    String(repeating: "0", count: 64), "01" + String(repeating: "0", count: 62),
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ec" + String(repeating: "f", count: 60) + "7f", "ed" + String(repeating: "f", count: 60) + "7f",
    "ee" + String(repeating: "f", count: 60) + "7f",
  ]

  /// - Parameter rawRepresentation: the 32 bytes of the key.
  /// - Throws: ``BundleFailure`` with `signature` for another count of bytes, or a key that proves nothing.
  public init(rawRepresentation: some Sequence<UInt8>) throws(BundleFailure) {
    let data = Data(rawRepresentation)
    guard data.count == Self.length else {
      throw BundleFailure(.signature, "an Ed25519 public key has 32 bytes, and this one \(data.count)")
    }
    var point = Array(data)
    point[Self.length - 1] &= 0x7F
    guard !Self.weakKeys.contains(hexadecimal(point)) else {
      throw BundleFailure(.signature, "this public key is a point of small order: anybody can sign for it")
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

  /// The kind of key and its ``id``.
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
      guard let isRight = LibCrypto.verifies(signature, of: message, key: rawRepresentation) else {
        throw BundleFailure(
          .signature,
          "signatures cannot be checked on this machine: install libcrypto of OpenSSL (\(LibCrypto.names[0]))"
        )
      }
      return isRight
    #endif
  }
}

#if !canImport(CryptoKit)
  /// Ed25519 by OpenSSL's libcrypto, on systems without CryptoKit.
  ///
  /// It is loaded when the first signature is checked, so that a package with the installer needs neither headers nor a
  /// library to be built.
  enum LibCrypto {
    static let names = ["libcrypto.so.3", "libcrypto.so.1.1"]

    // The signatures are those of openssl/evp.h, the same in all versions that have the functions.
    private typealias MakeKey =
      @convention(c) (Int32, OpaquePointer?, UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    private typealias MakeContext = @convention(c) () -> OpaquePointer?
    private typealias Begin =
      @convention(c) (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
      ) -> Int32
    private typealias Verify =
      @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int) -> Int32
    private typealias Free = @convention(c) (OpaquePointer?) -> Void

    /// `EVP_PKEY_ED25519` of openssl/evp.h.
    private static let ed25519: Int32 = 1087

    /// Nil where the machine has no such library.
    static func verifies(_ signature: Data, of message: Data, key: Data) -> Bool? {
      // The library stays loaded: nothing unloads what a program may use elsewhere.
      let handles = names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }
      guard let handle = handles.first else { return nil }
      func function<Function>(_ name: String) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
      }
      guard let makeKey: MakeKey = function("EVP_PKEY_new_raw_public_key"),
        let freeKey: Free = function("EVP_PKEY_free"),
        let makeContext: MakeContext = function("EVP_MD_CTX_new"),
        let freeContext: Free = function("EVP_MD_CTX_free"),
        let begin: Begin = function("EVP_DigestVerifyInit"), let verify: Verify = function("EVP_DigestVerify")
      else { return nil }
      let made = key.withUnsafeBytes {
        makeKey(ed25519, nil, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
      }
      guard let made else { return false }
      defer { freeKey(made) }
      guard let context = makeContext() else { return false }
      defer { freeContext(context) }
      guard begin(context, nil, nil, nil, made) == 1 else { return false }
      return signature.withUnsafeBytes { signature in
        message.withUnsafeBytes { message in
          verify(
            context, signature.bindMemory(to: UInt8.self).baseAddress, signature.count,
            message.bindMemory(to: UInt8.self).baseAddress, message.count) == 1
        }
      }
    }
  }
#endif
