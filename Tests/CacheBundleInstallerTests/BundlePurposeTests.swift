import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// A key may sign the bundles of several folders and clients: each goes where it belongs.
@Suite(.timeLimit(.minutes(10)))
struct BundlePurposeTests {
  private let temporary: TemporaryFolder
  private let zip: URL
  private let key: TestKey

  init() throws {
    temporary = try TemporaryFolder()
    zip = temporary.file("bundle.zip")
    key = try TestKey(0)
  }

  private func refusal(
    _ bundle: SampleBundle, client: String? = nil, version: String? = nil, folder: String? = nil
  ) throws -> BundleFailure? {
    try bundle.write(asZip: zip)
    let installer = BundleInstaller(
      folder: temporary.file("Caches/cache"), client: client, clientVersion: version, bundleFolder: folder,
      publicKeys: bundle.keys.isEmpty ? nil : [key.known])
    do throws(BundleFailure) {
      try installer.install(zip)
      return nil
    } catch {
      return error
    }
  }

  @Test func aSignedBundleOfAnotherFolderIsRefused() throws {
    let stickers = SampleBundle(folder: "stickers", keys: [key])
    let failure = try refusal(stickers)
    #expect(failure?.code == .client && failure?.message.contains("'stickers'") == true)
    #expect(failure?.message.contains("'cache'") == true)
    #expect(!FileManager.default.fileExists(atPath: temporary.file("Caches").path))
    #expect(try refusal(stickers, folder: "other")?.code == .client)
    #expect(try refusal(stickers, folder: "stickers") == nil)
  }

  /// Nobody has said what such a bundle is for, and its folder may have any name.
  @Test func anUnsignedBundleGoesWhereTheAppSays() throws {
    #expect(try refusal(SampleBundle(folder: "out"), folder: "cache")?.code == .client)
    #expect(try refusal(SampleBundle(folder: "out")) == nil)
  }

  @Test func aSignedBundleOfAnotherClientOrVersionIsRefused() throws {
    let bundle = SampleBundle(client: "kingfisher", folder: "cache", keys: [key])
    #expect(try refusal(bundle, client: "nuke")?.code == .client)
    #expect(try refusal(bundle, client: "kingfisher", version: "12.8.0")?.code == .client)
    #expect(try refusal(bundle, client: "kingfisher", version: "12.9.0") == nil)
    // Also one that is there already.
    #expect(try refusal(bundle, client: "nuke")?.code == .client)
    #expect(try refusal(bundle, client: "kingfisher", version: "12.9.1")?.code == .client)
  }

  @Test func aReaderComparesWhatItIsGiven() throws {
    try SampleBundle(folder: "stickers", keys: [key]).write(asZip: zip)
    let bundle = try CacheBundle(at: zip)
    #expect(try BundleReader(bundle, folder: "stickers", client: "nuke").contains("aaaa"))
    for (folder, client) in [("cache", "nuke"), ("stickers", "kingfisher")] {
      let failure = #expect(throws: BundleFailure.self) {
        try BundleReader(bundle, folder: folder, client: client, publicKeys: [key.known])
      }
      #expect(failure?.code == .client)
    }
  }

  /// For these everybody can make signatures that are right for one message in eight or more.
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func aKeyOfSmallOrderIsRefusedWhenItIsRead(text: String) throws {
    var bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    for _ in 0..<2 {
      let failure = #expect(throws: BundleFailure.self) { try BundlePublicKey(rawRepresentation: bytes) }
      #expect(failure?.code == .signature && failure?.message.contains("small order") == true)
      let line = "ed25519 \(Data(bytes).base64EncodedString()) \(Data(count: 64).base64EncodedString())\n"
      #expect(throws: BundleFailure.self) { try BundleSignature(reading: Data(line.utf8)) }
      // The other sign of x.
      bytes[31] ^= 0x80
    }
  }
}
