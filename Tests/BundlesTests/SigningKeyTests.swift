import Testing

@testable import Bundles

/// Keys as OpenSSL makes them, and signatures as RFC 8032 has them.
@Suite(.timeLimit(.minutes(10)))
struct SigningKeyTests {
  /// RFC 8032, section 7.1, the third test.
  private static let pem = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3
    -----END PRIVATE KEY-----

    """
  private static let publicKey = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
  private static let signature =
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func theKeyAndTheSignatureAreThoseOfTheStandard() throws {
    let key = try SigningKey(pem: Array(Self.pem.utf8))
    #expect(hexadecimal(key.publicKey) == Self.publicKey)
    #expect(hexadecimal(try key.signature(of: [0xAF, 0x82])) == Self.signature)
  }

  @Test func aKeyIsShownNowhere() throws {
    let key = try SigningKey(pem: Array(Self.pem.utf8))
    var text = "\(key) \(String(reflecting: key)) \([key]) "
    dump(key, to: &text)
    // The first byte of the secret in decimal, and its beginning in hexadecimal and base64.
    #expect(!text.contains("197") && !text.contains("c5aa") && !text.contains("xaqN"))
  }

  private func refusal(_ text: String) -> SigningKey.Failure? {
    do throws(SigningKey.Failure) {
      _ = try SigningKey(pem: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func otherKeysAreRefusedWithAReason() {
    #expect(refusal("") == .malformed)
    #expect(refusal("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n") == .malformed)
    #expect(
      refusal("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGbMFcG\n-----END ENCRYPTED PRIVATE KEY-----\n")
        == .encrypted)
    #expect(
      refusal(
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
        -----END PUBLIC KEY-----
        """) == .isPublic)
    // X25519, which agrees on secrets and signs nothing.
    #expect(
      refusal(
        """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3
        -----END PRIVATE KEY-----

        """) == .algorithm)
    for failure in [SigningKey.Failure.malformed, .encrypted, .isPublic, .algorithm, .refused] {
      #expect(failure.rawValue.count > 20)
    }
  }
}
