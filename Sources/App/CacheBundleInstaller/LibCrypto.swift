#if !canImport(CryptoKit)
  import Foundation

  /// Ed25519 by OpenSSL's libcrypto, on systems without CryptoKit.
  ///
  /// It is loaded when the first signature is checked, so that a package with the installer needs neither headers nor a
  /// library to be built.
  struct LibCrypto: Sendable {
    static let names = ["libcrypto.so.3", "libcrypto.so.1.1"]

    /// Nil where the machine has none.
    static let shared = LibCrypto()

    private typealias MakeKey =
      @Sendable @convention(c) (
        Int32, OpaquePointer?, UnsafePointer<UInt8>?, Int
      ) -> OpaquePointer?
    private typealias MakeContext = @Sendable @convention(c) () -> OpaquePointer?
    private typealias Begin =
      @Sendable @convention(c) (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
      ) -> Int32
    private typealias Verify =
      @Sendable @convention(c) (
        OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int
      ) -> Int32
    private typealias Free = @Sendable @convention(c) (OpaquePointer?) -> Void

    private let makeKey: MakeKey
    private let freeKey: Free
    private let makeContext: MakeContext
    private let freeContext: Free
    private let begin: Begin
    private let verify: Verify

    /// `EVP_PKEY_ED25519` of openssl/evp.h.
    private static let ed25519: Int32 = 1087

    private init?() {
      // The library stays loaded: nothing unloads what a program may use elsewhere.
      let handles = Self.names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }
      guard let handle = handles.first,
        let makeKey = dlsym(handle, "EVP_PKEY_new_raw_public_key"),
        let freeKey = dlsym(handle, "EVP_PKEY_free"), let makeContext = dlsym(handle, "EVP_MD_CTX_new"),
        let freeContext = dlsym(handle, "EVP_MD_CTX_free"),
        let begin = dlsym(handle, "EVP_DigestVerifyInit"), let verify = dlsym(handle, "EVP_DigestVerify")
      else { return nil }
      // The signatures are those of openssl/evp.h, the same in all versions that have the functions.
      self.makeKey = unsafeBitCast(makeKey, to: MakeKey.self)
      self.freeKey = unsafeBitCast(freeKey, to: Free.self)
      self.makeContext = unsafeBitCast(makeContext, to: MakeContext.self)
      self.freeContext = unsafeBitCast(freeContext, to: Free.self)
      self.begin = unsafeBitCast(begin, to: Begin.self)
      self.verify = unsafeBitCast(verify, to: Verify.self)
    }

    func verifies(_ signature: Data, of message: Data, key: Data) -> Bool {
      let made = key.withUnsafeBytes {
        makeKey(Self.ed25519, nil, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
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
