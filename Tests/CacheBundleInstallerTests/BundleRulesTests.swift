import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import Digests
@testable import FileStore

@Suite("Rules of a bundle's client", .timeLimit(.minutes(10)))
struct BundleRulesTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let bundle: URL
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url.appendingPathComponent("Caches/catalog")
    bundle = temporary.url.appendingPathComponent("catalog.bundle")
  }

  /// An index as it was written before it could have rules.
  private static func oldIndex(client: String, version: String, file: String, expiry: String = "") -> String {
    let digest = Digests.SHA256.hexadecimal(of: "picture")
    let days = expiry.isEmpty ? "- -" : "600 -"
    let id = Digests.SHA256.hexadecimal(of: "\(file) \(digest) 7 \(days)\n")
    return """
      {
        "client" : "\(client)",
        "clientVersion" : "\(version)",
        "entries" : [
          {
      \(expiry)      "file" : "\(file)",
            "sha256" : "\(digest)",
            "size" : 7
          }
        ],
        "folder" : "catalog",
        "format" : "preheat-bundle",
        "id" : "\(id)",
        "version" : 1
      }

      """
  }

  private static let nukeFile = "b07387e6e8776d7498962a7cc7be7233fbe5c2c8"
  private static let kingfisherFile = Digests.SHA256.hexadecimal(of: "https://e.com/a.jpg")

  private func write(_ index: String, file: String) throws {
    let files = bundle.appendingPathComponent("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data("picture".utf8).write(to: files.appendingPathComponent(file))
    try Data(index.utf8).write(to: bundle.appendingPathComponent("index.json"))
    let id = try BundleIndex(reading: Data(index.utf8)).id
    try Data("\(id)\n".utf8).write(to: bundle.appendingPathComponent("id"))
  }

  private func installed(_ file: String) throws -> FileEntry {
    try BundleInstaller(folder: folder).install(bundle, now: now)
    return try #require(FileStore(folder: folder).entry(named: file))
  }

  @Test func anOldIndexOfNukeInstallsAsBefore() throws {
    let index = Self.oldIndex(client: "nuke", version: "12.9.0", file: Self.nukeFile)
    try write(index, file: Self.nukeFile)
    let entry = try installed(Self.nukeFile)
    #expect(entry.accessDate == now)
    #expect(abs(entry.modificationDate.timeIntervalSinceNow) < 3600, "it is the moment of the installation")
  }

  @Test(arguments: [kingfisherFile, "9e107d9d372bb6826bd81d3542a419d6", kingfisherFile + ".jpg"])
  func anOldIndexOfKingfisherInstallsAsBefore(file: String) throws {
    let expiry = "      \"expiresAfter\" : 600,\n"
    try write(Self.oldIndex(client: "kingfisher", version: "8.11.0", file: file, expiry: expiry), file: file)
    #expect(try installed(file).modificationDate == now.addingTimeInterval(600))
  }

  /// Apps in the field compare bytes and ids.
  @Test func whatTheTwoOldestClientsNeedIsWrittenAsBefore() throws {
    for (client, version, file, expiry) in [
      ("nuke", "12.9.0", Self.nukeFile, BundleRules.Expiry.never),
      ("kingfisher", "8.11.0", Self.kingfisherFile, .modificationDate),
    ] {
      let bytes = Data(Self.oldIndex(client: client, version: version, file: file).utf8)
      var index = try BundleIndex(reading: bytes)
      index.state(BundleRules(expiry: expiry))
      #expect(index.rules == nil)
      #expect(try index.encoded() == bytes)
    }
  }

  @Test func rulesHoldOverWhatTheNamesWouldSay() throws {
    for (client, file, expiry) in [
      ("nuke", "own-name", BundleRules.Expiry.never), ("kingfisher", Self.nukeFile, .modificationDate),
    ] {
      let version = "1.0.0"
      var index = try BundleIndex(
        reading: Data(Self.oldIndex(client: client, version: version, file: file).utf8))
      #expect(index.expiry(of: file) != expiry)
      index.state(BundleRules(expiry: expiry))
      let text = String(decoding: try index.encoded(), as: UTF8.self)
      #expect(text.contains(#""expiry" : "\#(expiry.rawValue)""#))
      #expect(try BundleIndex(reading: Data(text.utf8)).expiry(of: file) == expiry)
      try write(text, file: file)
      let entry = try installed(file)
      #expect(
        entry.modificationDate == Date(timeIntervalSince1970: 2_145_830_400) || expiry == .never)
      #expect(entry.accessDate == now || expiry == .modificationDate)
      try FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }
  }

  /// Where nobody can set the date of creation, the order of making is all there is.
  @Test func whatIsSweptByItsAgeIsMadeInTheOrderOfTheSweep() throws {
    var sample = SampleBundle(client: "kingfisher")
    sample.files = Dictionary(uniqueKeysWithValues: (10..<40).map { ("f\($0)", "picture \($0)") })
    try sample.write(asFolder: bundle)
    #expect(sample.index.eviction(of: "f10") == .creationDate)
    try BundleInstaller(folder: folder).install(bundle, now: now)
    let files = try FileStore(folder: folder)
    let names = sample.index.entries.map(\.file)
    let births = names.compactMap { files.birthDate(of: $0) }
    #expect(births.count == names.count && births == births.sorted(by: >))
    let uses = names.compactMap { files.entry(named: $0)?.accessDate }
    #expect(uses == names.indices.map { now.addingTimeInterval(-Double($0)) })
  }

  @Test func evictionIsARuleWhereTheExpiryDoesNotSayIt() throws {
    for (expiry, eviction) in [
      (BundleRules.Expiry.never, BundleRules.Eviction.creationDate), (.modificationDate, .accessDate),
    ] {
      var sample = SampleBundle()
      sample.edit = { $0.state(BundleRules(expiry: expiry, eviction: eviction)) }
      let text = String(decoding: try sample.index.encoded(), as: UTF8.self)
      #expect(text.contains("\"eviction\" : \"\(eviction.rawValue)\""))
      #expect(try BundleIndex(reading: Data(text.utf8)).eviction(of: "aaaa") == eviction)
    }
    let implied = BundleRules(expiry: .modificationDate, eviction: .creationDate)
    #expect(implied == BundleRules(expiry: .modificationDate))
  }

  @Test func theBundleOfAClientThatCameLaterInstalls() throws {
    var sample = SampleBundle(client: "third-client")
    sample.edit = { $0.rules = BundleRules(expiry: .modificationDate) }
    sample.expiresAt = 1_900_000_000
    try sample.write(asFolder: bundle)
    #expect(try installed("aaaa").modificationDate == Date(timeIntervalSince1970: 1_900_000_000))
    #expect(try tree(folder) == sample.files)
  }
}
