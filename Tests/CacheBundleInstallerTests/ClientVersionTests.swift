import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// A bundle for another version of the client: the app would find little of it and never know.
@Suite(.timeLimit(.minutes(10)))
struct ClientVersionTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let bundle: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.file("Caches/catalog")
    bundle = temporary.file("catalog.zip")
    try SampleBundle().write(asZip: bundle)
  }

  /// The code of the refusal of a bundle for nuke 12.9.0; nil where it is installed.
  private func refusal(_ version: String?) -> BundleFailure.Code? {
    do throws(BundleFailure) {
      _ = try BundleInstaller(folder: folder, clientVersion: version).install(bundle)
      return nil
    } catch {
      if error.code == .client { #expect(error.message.contains("nuke")) }
      return error.code
    }
  }

  private var marker: URL { temporary.file("Caches/catalog.preheat-bundle") }

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
  @Test func whatIsInstalledIsRefusedToo() throws {
    #expect(refusal("12") == nil && refusal("13") == .client && refusal(nil) == nil)
  }

  @Test func aMarkerOfAnOlderInstallerIsNoWayAround() throws {
    #expect(refusal("12") == nil)
    let text = try String(contentsOf: marker, encoding: .utf8)
    let fact = #""client":"nuke","clientVersion":"12.9.0","#
    #expect(text.contains(fact))
    try Data(text.replacing(fact, with: "").utf8).write(to: marker)
    #expect(refusal("13") == .client && refusal("12") == nil)
  }

  @Test func aReaderRefusesItToo() throws {
    let bundle = try CacheBundle(at: bundle)
    #expect(throws: BundleFailure.self) { try BundleReader(bundle, clientVersion: "13") }
    #expect(try BundleReader(bundle, clientVersion: "12").contains("aaaa"))
  }
}
