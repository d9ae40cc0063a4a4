import Foundation
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore
@testable import Digests

@Suite(.timeLimit(.minutes(10)))
struct BundleMakerTests {
  private let sample = SampleCache()
  private var temporary: TemporaryFolder { sample.temporary }

  private func cache(
    _ names: [String], in folder: String = "cache", client: String = "nuke 12.9.0",
    priorities: [String: Int] = [:], expiry: String? = nil
  ) throws -> String {
    try sample.write(names, in: folder, client: client, priorities: priorities, expiry: expiry)
  }

  @Test func theOrderOfFetchingAndTheFolderLeaveNoTrace() throws {
    let first = try sample.make("1.zip", from: cache(["aa", "bb", "cc"], in: "one"))
    let second = try sample.make("2.zip", from: cache(["cc", "aa", "bb"], in: "two"))
    #expect(first.id == second.id && first.files == 3)
    let bytes = try Data(contentsOf: temporary.file("1.zip"))
    #expect(bytes == (try Data(contentsOf: temporary.file("2.zip"))))
    #expect(try SampleCache.proved(temporary.file("1.zip")).id == first.id)
  }

  @Test func aBundleInstallsAsTheCacheThatItWasMadeOf() throws {
    let cache = try cache(["aa", "bb"])
    for output in ["b.zip", "b.bundle"] {
      try sample.make(output, from: cache)
      let target = temporary.file("device-\(output)/Caches/com.example.catalog")
      let report = try BundleInstaller(folder: target).install(temporary.file(output))
      #expect(report.written == 2)
      for name in ["aa", "bb"] {
        #expect(try Data(contentsOf: target.appendingPathComponent(name)) == Data("picture \(name)".utf8))
      }
    }
  }

  @Test func theIndexSaysWhatEachFileIs() throws {
    let path = try cache(["aa"], client: "kingfisher 8.11.0", expiry: "604800")
    try sample.make("k.zip", from: path)
    let index = try CacheBundle(at: temporary.file("k.zip")).checked(by: nil).index
    #expect(index.client == "kingfisher" && index.clientVersion == "8.11.0")
    #expect(index.folder == "com.example.catalog")
    #expect(index.entries[0].key == "https://e.com/aa" && index.entries[0].expiresAfter == 604_800)
  }

  @Test func aDeltaHoldsOnlyWhatHasChanged() throws {
    let path = try cache(["aa", "bb"])
    try sample.make("old.zip", from: path)
    let state = StateFolder(cache: path)
    try FileManager.default.removeItem(atPath: path + "/aa")
    try LedgerWriter(path: state.ledger).remove(files: ["aa"])
    _ = try cache(["cc"])
    for since in ["old.zip", "old.json"] {
      if since == "old.json" {
        let old = try CacheBundle(at: temporary.file("old.zip")).checked(by: nil).index
        try Data(old.encoded()).write(to: temporary.file(since))
      }
      let report = try sample.make("delta.zip", from: path, since: since)
      #expect(report.files == 1 && report.unchanged == 1 && report.removed == 1)
    }
    let target = temporary.file("Caches/com.example.catalog")
    let installer = BundleInstaller(folder: target)
    try installer.install(temporary.file("old.zip"))
    let report = try installer.install(temporary.file("delta.zip"))
    #expect(report.written == 1 && report.present == 1 && report.removed == 1)
    #expect(try sample.names(in: target) == ["bb", "cc"])
  }

  @Test func aSmallerSizeFailsOrDropsTheLeastUrgent() throws {
    let path = try cache(["aa", "bb", "cc"], priorities: ["aa": -1, "cc": 1])
    #expect(sample.refusal("small.zip", from: path) { $0.maxSize = 19 }?.code == .bundle(.limit))
    let report = try sample.make("small.zip", from: path) { ($0.maxSize, $0.drop) = (19, .sources) }
    #expect(report.dropped == ["aa", "bb"] && report.files == 1)
    #expect(!FileManager.default.fileExists(atPath: temporary.file(".small.zip").path))
  }

  /// Nuke counts blocks of the device: 2 files of 10 bytes take 8,192.
  @Test func theAppsLimitCountsAsTheClientCounts() throws {
    let nuke = try cache(["aa", "bb"], in: "n")
    #expect(sample.refusal("limited.zip", from: nuke) { $0.limit = 8191 } != nil)
    let kingfisher = try cache(["aa", "bb"], in: "k", client: "kingfisher 8.11.0", expiry: "never")
    #expect(sample.refusal("limited.zip", from: kingfisher) { $0.limit = 8191 } == nil)
  }

  @Test func damageIsFoundAndForeignFilesStayOut() throws {
    let path = try cache(["aa", "bb"])
    try Data("notes".utf8).write(to: URL(fileURLWithPath: path + "/notes.txt"))
    #expect(try sample.make("f.zip", from: path).foreign == ["notes.txt"])
    try Data("other".utf8).write(to: URL(fileURLWithPath: path + "/aa"))
    #expect(sample.refusal("g.zip", from: path)?.code == .bundle(.damaged))
    #expect(!FileManager.default.fileExists(atPath: temporary.file("g.zip").path))
  }

  @Test func keysStayOutOfTheIndexWhereTheNamesAreDigests() throws {
    let report = try sample.make("d.zip", from: cache(["aa", "bb"])) { $0.keys = .digests }
    let index = try CacheBundle(at: temporary.file("d.zip")).checked(by: nil).index
    #expect(index.entries.allSatisfy { $0.key == nil && $0.source == nil } && index.entries.count == 2)
    #expect(try sample.make("p.zip", from: cache(["aa", "bb"])).id == report.id)
  }

  @Test func aNameThatIsTheKeyCannotBeHidden() throws {
    let path = try cache(["aa"])
    let ledger = try LedgerWriter(path: StateFolder(cache: path).ledger)
    var entry = try #require(try ledger.entry(file: "aa"))
    entry.origin.key = "a"
    try ledger.record([entry])
    #expect(sample.refusal("d.zip", from: path) { $0.keys = .digests }?.code == .bundle(.input))
  }

  @Test func aFolderThatIsNoBundleIsNotOverwritten() throws {
    let path = try cache(["aa"])
    try FileManager.default.createDirectory(at: temporary.file("mine"), withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: temporary.file("mine/file"))
    #expect(sample.refusal("mine", from: path) != nil)
    #expect(FileManager.default.fileExists(atPath: temporary.file("mine/file").path))
  }

  /// More entries than a zip without its 64-bit extension can name: another reader finds them all, too.
  @Test func moreThan65535EntriesOfAZip() throws {
    let folder = try TemporaryFolder()
    let zip = folder.file("many.zip")
    let bytes = Array("picture".utf8)
    let digest = hexadecimal(SHA256.hash(bytes))
    let names = (0..<65_600).map { "f\($0)" }
    let index = BundleIndex(
      client: "nuke", clientVersion: "12.9.0", folder: "many",
      rules: BundleRules(expiry: .never, eviction: .accessDate),
      entries: names.map { BundleIndex.Entry(file: $0, size: bytes.count, sha256: digest) })
    var archive = try StoredZipWriter(path: zip.path, calls: .system)
    try archive.add("id", Array("\(index.id)\n".utf8), modified: 315_532_800)
    try archive.add("index.json", index.encoded(), modified: 315_532_800)
    for name in names { try archive.add("files/" + name, bytes, modified: 315_532_800) }
    try archive.finish()

    let reader = try BundleReader(CacheBundle(at: zip))
    #expect(reader.contains("f0") && reader.data(named: "f65599") == Data(bytes))
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    other.arguments = [
      "-c", "import sys, zipfile; sys.exit(len(zipfile.ZipFile(sys.argv[1]).infolist()) != 65602)", zip.path,
    ]
    try other.run()
    other.waitUntilExit()
    #expect(other.terminationStatus == 0)
  }
}
