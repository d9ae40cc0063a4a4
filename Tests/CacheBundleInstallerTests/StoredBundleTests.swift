import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Bundles that lie beside the tests: a change of the form shows here.
@Suite(.timeLimit(.minutes(10)))
struct StoredBundleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/bundles")

  @Test(arguments: ["nuke.zip", "kingfisher.zip"])
  func aStoredBundleStaysInstallable(name: String) throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.file("Caches/catalog")
    let report = try BundleInstaller(folder: folder).install(Self.folder.appendingPathComponent(name))
    #expect(report.written == 2 && report.signedBy.isEmpty)
    #expect(try tree(folder).count == (name == "nuke.zip" ? 3 : 2))
  }

  @Test func aStoredSignedBundleStaysInstallable() throws {
    let temporary = try TemporaryFolder()
    let pem = try String(contentsOf: Self.folder.appendingPathComponent("signed.pub.pem"), encoding: .utf8)
    let installer = BundleInstaller(
      folder: temporary.file("Caches/com.example.catalog"), client: "nuke", clientVersion: "12.9.0",
      publicKeys: [try BundlePublicKey(pem: pem)])
    let report = try installer.install(Self.folder.appendingPathComponent("signed.zip"))
    #expect(report.written == 2 && report.signedBy.count == 1)
  }

  /// Its file is not mapped: a cut would end the app.
  @Test func anArchiveThatIsCutWhileItIsReadIsAnError() throws {
    let temporary = try TemporaryFolder()
    let url = temporary.file("cut.zip")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("nuke.zip"), to: url)
    let zip = try StoredZip(at: url)
    #expect(truncate(url.path, 0) == 0)
    for entry in zip.entries {
      let failure = #expect(throws: BundleFailure.self) { try zip.data(named: entry.name, limit: 1 << 20) }
      #expect(failure?.code == .archive)
    }
    #expect(throws: BundleFailure.self) { try StoredZip(at: url) }
  }

  /// The bytes that are written now.
  @Test(arguments: ["nuke.zip", "kingfisher.zip"])
  func theContainerIsTheSame(name: String) throws {
    let url = Self.folder.appendingPathComponent(name)
    let zip = try StoredZip(at: url)
    let files = try zip.entries.map {
      (name: $0.name, data: try zip.data(named: $0.name, limit: 1 << 20), date: $0.date)
    }
    #expect(files.count == 4 && Set(files.map(\.date)).count == (name == "nuke.zip" ? 1 : 3))
    #expect(try SampleBundle.zip(files) == Data(contentsOf: url))
  }
}
