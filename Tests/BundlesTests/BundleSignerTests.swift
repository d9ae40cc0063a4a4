import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore

/// A signed bundle in every form, from the key file to the app.
@Suite(.timeLimit(.minutes(10)))
struct BundleSignerTests {
  private let cache: SampleCache
  private let folder: TemporaryFolder

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

  init() throws {
    folder = try TemporaryFolder()
    cache = SampleCache(temporary: folder)
  }

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
    #expect(try BundleMaker(cache.options("3.zip")).make(from: path).id == first.id)
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
}
