import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// Bundles that lie beside the tests show a change of the form.
@Suite("Rules of a bundle's client", .timeLimit(.minutes(10)))
struct BundleRulesTests: InstallScene {
  let temporary = TemporaryFolder.new
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func sample(_ rules: BundleRules, file: String = "aaaa") -> SampleBundle {
    SampleBundle(files: [file: "picture"], client: "third-client", edit: { $0.rules = rules })
  }

  private func installed(_ file: String) throws -> FileEntry {
    try BundleInstaller(folder: folder).install(bundle, now: now)
    return try #require(try FileStore(folder: folder).entry(named: file))
  }

  @Test func anIndexStatesItsRules() throws {
    for expiry in BundleRules.Expiry.allCases {
      for eviction in BundleRules.Eviction.allCases {
        let rules = BundleRules(expiry: expiry, eviction: eviction)
        let text = String(decoding: try sample(rules).index.encoded(), as: UTF8.self)
        #expect(text.contains("\"expiry\" : \"\(expiry.rawValue)\""))
        #expect(text.contains("\"eviction\" : \"\(eviction.rawValue)\""))
        #expect(try BundleIndex(reading: Data(text.utf8)).rules == rules)
      }
    }
  }

  /// It is written in pieces; the bytes, which signatures are about, are those of one piece.
  @Test(arguments: [0, 1, 2, 501, 502, 1204]) func anIndexOfAnyLengthIsTheTextOfOneEncoder(count: Int) throws
  {
    var index = sample(BundleRules(expiry: .never, eviction: .accessDate)).index
    index.folder = "\n  \"entries\" : [\n"
    index.entries = (0..<count).map { number in
      var entry = BundleIndex.Entry(file: "f\(number)", size: number, sha256: "d")
      if number % 2 == 0 { entry.source = "\(number)/é\u{2028}\u{7F}#😀" }
      if number % 5 == 0 { entry.file = "\"\\\u{1}\u{8}\t\u{1F}/é" }
      if number % 4 == 1 { entry.included = number % 8 == 1 }
      if number % 6 == 1 { entry.expiresAt = -number }
      if number % 3 == 0 { entry.key = "\n]\n  \"entries\" : [\n\(number)" }
      if number % 7 == 0 { entry.expiresAfter = number }
      return entry
    }
    index.removed = count % 2 == 0 ? nil : [.init(file: "f", sha256: "e")]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    #expect(try Data(index.encoded()) == encoder.encode(index) + Data("\n".utf8))
  }

  @Test func anIndexWithoutRulesIsRefused() throws {
    let index = sample(BundleRules(expiry: .never, eviction: .accessDate)).index
    let text = String(decoding: try index.encoded(), as: UTF8.self)
    let bare = text.replacing(/"rules" : \{[^}]*\},/) { _ in "" }
    try #require(bare != text)
    #expect(throws: BundleFailure.self) { try BundleIndex(reading: Data(bare.utf8)) }
  }

  /// The form of a name says nothing.
  @Test(arguments: [
    "own-name", "b07387e6e8776d7498962a7cc7be7233fbe5c2c8", "9e107d9d372bb6826bd81d3542a419d6.jpg",
  ])
  func theRulesAloneSayHowAnEntryExpires(file: String) throws {
    try sample(BundleRules(expiry: .never, eviction: .accessDate), file: file).write(asFolder: bundle)
    let stays = try installed(file)
    #expect(stays.accessDate == now)
    #expect(abs(stays.modificationDate.timeIntervalSinceNow) < 3600, "it is the moment of the installation")
    try FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    try sample(BundleRules(expiry: .modificationDate, eviction: .creationDate), file: file)
      .write(asFolder: bundle)
    #expect(try installed(file).modificationDate == Date(timeIntervalSince1970: 2_145_830_400))
  }

  /// Where nobody can set the date of creation, the access date stands for it.
  @Test func whatIsSweptByItsAgeIsDatedInTheOrderOfTheSweep() throws {
    var sample = SampleBundle(client: "kingfisher")
    sample.files = Dictionary(uniqueKeysWithValues: (10..<40).map { ("f\($0)", "picture \($0)") })
    try sample.write(asFolder: bundle)
    #expect(sample.index.rules.eviction == .creationDate)
    try BundleInstaller(folder: folder).install(bundle, now: now)
    let files = try FileStore(folder: folder)
    let names = sample.index.entries.map(\.file)
    let uses = try names.compactMap { try files.entry(named: $0)?.accessDate }
    #expect(uses == names.indices.map { now.addingTimeInterval(-Double($0)) })
  }

  @Test func theBundleOfAClientThatCameLaterInstalls() throws {
    var sample = SampleBundle(client: "third-client")
    sample.edit = { $0.rules = BundleRules(expiry: .modificationDate, eviction: .creationDate) }
    sample.expiresAt = 1_900_000_000
    try sample.write(asFolder: bundle)
    #expect(try installed("aaaa").modificationDate == Date(timeIntervalSince1970: 1_900_000_000))
    #expect(try tree(folder) == sample.files)
  }

  private static let folder = Fixtures.folder.appendingPathComponent("bundles")

  @Test(arguments: ["nuke.zip", "kingfisher.zip"])
  func aStoredBundleStaysInstallable(name: String) throws {
    let report = try BundleInstaller(folder: folder).install(Self.folder.appendingPathComponent(name))
    #expect(report.written == 2 && report.signedBy.isEmpty)
    #expect(try tree(folder).count == (name == "nuke.zip" ? 3 : 2))
  }

  @Test func aStoredSignedBundleStaysInstallable() throws {
    let pem = try String(contentsOf: Self.folder.appendingPathComponent("signed.pub.pem"), encoding: .utf8)
    let installer = BundleInstaller(
      folder: temporary.file("Caches/com.example.catalog"), client: "nuke", clientVersion: "12.9.0",
      publicKeys: [try BundlePublicKey(pem: pem)])
    let report = try installer.install(Self.folder.appendingPathComponent("signed.zip"))
    #expect(report.written == 2 && report.signedBy.count == 1)
  }

  /// Its file is not mapped: a cut would end the app.
  @Test func anArchiveThatIsCutWhileItIsReadIsAnError() throws {
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
