import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore

/// A signed bundle in every form, from the key file to the app.
/// Keys are as OpenSSL makes them, and signatures as RFC 8032 has them.
@Suite(.timeLimit(.minutes(10)))
struct BundleSignerTests {
  private let cache = SampleCache()
  private var folder: TemporaryFolder { cache.temporary }

  /// The third test of RFC 8032, section 7.1.
  private static let secret = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3
    -----END PRIVATE KEY-----

    """
  private static let known = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
    -----END PUBLIC KEY-----

    """

  private func keyFile(mode: Int = 0o600) throws -> String {
    let path = folder.file("key\(mode).pem").path
    try Data(Self.secret.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test(arguments: ["b.zip", "b.bundle"])
  func everyFormIsSignedAndCheckedAlike(output: String) throws {
    let path = try cache.write(["aa", "bb"])
    let signer = try BundleSigner(keys: [keyFile()], counter: 12)
    var options = cache.options(output)
    options.date = 1_700_000_000
    let report = try BundleMaker(options, signer: signer).make(from: path)
    #expect(report.counter == 12 && report.signers == signer.ids)

    let url = folder.file(output)
    let key = try BundlePublicKey(pem: Self.known)
    let (index, proof) = try CacheBundle(at: url).checked(by: BundleTrust([key]))
    #expect(proof == BundleProof(keys: [key.id], counter: 12) && index.date == 1_700_000_000)
    #expect(try SampleCache.proved(url, by: BundleTrust([key])) == index)
    let other = try BundlePublicKey(rawRepresentation: [UInt8](repeating: 9, count: 32))
    let failure = #expect(throws: BundleFailure.self) {
      try SampleCache.proved(url, by: BundleTrust([other]))
    }
    #expect(failure?.code == .signature)
  }

  @Test func theSameInputGivesTheSameBytesAndTheIdOfAnUnsignedBundle() throws {
    let path = try cache.write(["aa", "bb"])
    let signer = try BundleSigner(keys: [keyFile()], counter: 12)
    let first = try BundleMaker(cache.options("1.zip"), signer: signer).make(from: path)
    _ = try BundleMaker(cache.options("2.zip"), signer: signer).make(from: path)
    #expect(try Data(contentsOf: folder.file("1.zip")) == Data(contentsOf: folder.file("2.zip")))
    #expect(try cache.make("3.zip", from: path).id == first.id)
  }

  /// A delta has a signature and a counter of its own.
  @Test func aDeltaIsSignedToo() throws {
    let path = try cache.write(["aa", "bb"])
    let key = try BundlePublicKey(pem: Self.known)
    let installer = BundleInstaller(folder: folder.file("Caches/com.example.catalog"), publicKeys: [key])
    _ = try BundleMaker(cache.options("1.zip"), signer: BundleSigner(keys: [keyFile()], counter: 1))
      .make(from: path)
    try installer.install(folder.file("1.zip"))
    _ = try cache.write(["cc"])
    let options = cache.options("2.zip", since: "1.zip")
    _ = try BundleMaker(options, signer: BundleSigner(keys: [keyFile()], counter: 2)).make(from: path)
    let report = try installer.install(folder.file("2.zip"))
    #expect(report.written == 1 && report.present == 2)
    // The whole bundle of the state before is older now.
    let failure = #expect(throws: BundleFailure.self) { try installer.install(folder.file("1.zip")) }
    #expect(failure?.code == .rollback)
  }

  @Test func aKeyFileThatOthersCanReadIsNamed() throws {
    let loose = try keyFile(mode: 0o644)
    #expect(try BundleSigner(keys: [loose], counter: 1).loosePaths == [loose])
    #expect(try BundleSigner(keys: [keyFile()], counter: 1).loosePaths.isEmpty)
  }

  @Test func whatCannotSignIsRefusedWithAReason() throws {
    let file = folder.file("key.pem")
    for (text, words) in [("", "not a private key"), (Self.known, "public key")] {
      try Data(text.utf8).write(to: file)
      let failure = #expect(throws: ToolError.self) { try BundleSigner(keys: [file.path], counter: 1) }
      #expect(failure?.code == .bundle(.key) && failure?.message.contains(words) == true)
    }
    let absent = #expect(throws: ToolError.self) {
      try BundleSigner(keys: [folder.file("no").path], counter: 1)
    }
    #expect(absent?.code == .bundle(.key))
    let twice = #expect(throws: ToolError.self) {
      try BundleSigner(keys: [keyFile(), keyFile(mode: 0o640)], counter: 1)
    }
    #expect(twice?.message.contains("same key") == true)
  }

  private static let pem = file("MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3")

  private static func file(_ text: String, _ kind: String = "PRIVATE") -> String {
    "-----BEGIN \(kind) KEY-----\n\(text)\n-----END \(kind) KEY-----\n"
  }

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

  @Test(arguments: [
    ("", SigningKey.Failure.malformed), (file("AAAA"), .malformed),
    (file("MIGbMFcG", "ENCRYPTED PRIVATE"), .encrypted),
    (file("MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=", "PUBLIC"), .isPublic),
    // X25519, which agrees on secrets and signs nothing.
    (file("MC4CAQAwBQYDK2VuBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3"), .algorithm),
  ])
  func otherKeysAreRefusedWithAReason(text: String, failure: SigningKey.Failure) {
    #expect(refusal(text) == failure)
    #expect(failure.rawValue.count > 20 && SigningKey.Failure.refused.rawValue.count > 20)
  }
}
