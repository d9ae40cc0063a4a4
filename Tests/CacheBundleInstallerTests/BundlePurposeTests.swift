import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// A key may sign the bundles of several folders and clients: each goes where it belongs.
/// Of a bundle for another version of the client the app would find little and never know.
@Suite(.timeLimit(.minutes(10)))
struct BundlePurposeTests: InstallScene {
  let temporary = TemporaryFolder.new
  private let key: TestKey

  init() throws {
    key = try TestKey(0)
    try SampleBundle().write(asZip: zip)
  }

  private func refusal(
    _ bundle: SampleBundle, client: String? = nil, version: String? = nil, folder: String? = nil
  ) throws -> BundleFailure? {
    try bundle.write(asZip: zip)
    return refusal(
      by: BundleInstaller(
        folder: temporary.file("Caches/cache"), client: client, clientVersion: version, bundleFolder: folder,
        publicKeys: bundle.keys.isEmpty ? nil : [key.known]))
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

  @Test func filesAreReadByNameFromBothForms() throws {
    let sample = SampleBundle()
    try sample.write(asZip: zip)
    try sample.write(asFolder: bundle)
    for source in [zip, bundle] {
      let reader = try BundleReader(CacheBundle(at: source))
      #expect(reader.data(named: "bbbb") == Data("second picture".utf8))
      #expect(reader.contains("aaaa") && !reader.contains("zzzz") && !reader.contains("../id"))
      #expect(reader.data(named: "../index.json") == nil)
    }
  }

  @Test func whatIsDamagedMeanwhileIsNone() throws {
    try SampleBundle().write(asFolder: bundle)
    let reader = try BundleReader(CacheBundle(at: bundle))
    try Data("other bytes...".utf8).write(to: bundle.appendingPathComponent("files/bbbb"))
    #expect(reader.data(named: "bbbb") == nil && reader.contains("bbbb"))
    #expect(reader.data(named: "aaaa") != nil)
  }

  @Test func aDeltaServesOnlyItsOwn() throws {
    var delta = SampleBundle()
    delta.edit = { index in
      index.since = String(repeating: "a", count: 64)
      index.entries[0].included = false
    }
    try delta.write(asZip: zip)
    let reader = try BundleReader(CacheBundle(at: zip))
    #expect(!reader.contains("aaaa") && reader.data(named: "aaaa") == nil && reader.contains("bbbb"))
  }

  /// The code of the refusal of a bundle for nuke 12.9.0; nil where it is installed.
  private func refusal(_ version: String?) -> BundleFailure.Code? {
    let failure = refusal(by: BundleInstaller(folder: folder, clientVersion: version))
    if failure?.code == .client { #expect(failure?.message.contains("nuke") == true) }
    return failure?.code
  }

  @Test(arguments: ["13", "13.2.0", "1", "120.9.0", "12.0", "12.9.1", "12.9.0.0", "", "twelve", "v12"])
  func aBundleForAnotherVersionIsRefusedWhole(version: String) throws {
    #expect(refusal(version) == .client)
    #expect(!FileManager.default.fileExists(atPath: folder.deletingLastPathComponent().path))
  }

  @Test(arguments: ["12", "12.9", "12.9.0", nil])
  func aBundleForTheSameVersionIsInstalled(version: String?) throws {
    #expect(refusal(version) == nil)
    #expect(refusal(version) == nil, "and known the second time")
  }

  /// An update of the app brings the new client, and the old bundle is there already.
  @Test func aMarkerOfAnOlderInstallerIsNoWayAround() throws {
    #expect(refusal("12") == nil && refusal("13") == .client && refusal(nil) == nil)
    let text = try String(contentsOf: marker, encoding: .utf8)
    let fact = #""client":"nuke","clientVersion":"12.9.0","#
    #expect(text.contains(fact))
    try Data(text.replacing(fact, with: "").utf8).write(to: marker)
    #expect(refusal("13") == .client && refusal("12") == nil)
  }

  @Test func aReaderRefusesItToo() throws {
    let bundle = try CacheBundle(at: zip)
    #expect(throws: BundleFailure.self) { try BundleReader(bundle, clientVersion: "13") }
    #expect(try BundleReader(bundle, clientVersion: "12").contains("aaaa"))
  }
}
