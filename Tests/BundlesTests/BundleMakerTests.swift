import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore

@Suite(.timeLimit(.minutes(10)))
struct BundleMakerTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func cache(
    _ names: [String], in folder: String = "cache", client: String = "nuke 12.9.0",
    priorities: [String: Int] = [:], expiry: String? = nil
  ) throws -> String {
    try SampleCache(temporary: temporary)
      .write(names, in: folder, client: client, priorities: priorities, expiry: expiry)
  }

  private func options(_ output: String) -> BundleOptions {
    SampleCache(temporary: temporary).options(output)
  }

  @Test func theOrderOfFetchingAndTheFolderLeaveNoTrace() throws {
    let first = try BundleMaker(options("1.zip")).make(from: cache(["aa", "bb", "cc"], in: "one"))
    let second = try BundleMaker(options("2.zip")).make(from: cache(["cc", "aa", "bb"], in: "two"))
    #expect(first.id == second.id && first.files == 3)
    let bytes = try Data(contentsOf: temporary.file("1.zip"))
    #expect(bytes == (try Data(contentsOf: temporary.file("2.zip"))))
    #expect(try SampleCache.proved(temporary.file("1.zip")).id == first.id)
  }

  @Test func aBundleInstallsAsTheCacheThatItWasMadeOf() throws {
    let cache = try cache(["aa", "bb"])
    for output in ["b.zip", "b.bundle"] {
      _ = try BundleMaker(options(output)).make(from: cache)
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
    _ = try BundleMaker(options("k.zip")).make(from: path)
    let index = try CacheBundle(at: temporary.file("k.zip")).checked(by: nil).index
    #expect(index.client == "kingfisher" && index.clientVersion == "8.11.0")
    #expect(index.folder == "com.example.catalog")
    #expect(index.entries[0].key == "https://e.com/aa" && index.entries[0].expiresAfter == 604_800)
  }

  @Test func aDeltaHoldsOnlyWhatHasChanged() throws {
    let path = try cache(["aa", "bb"])
    _ = try BundleMaker(options("old.zip")).make(from: path)
    let state = StateFolder(cache: path)
    try FileManager.default.removeItem(atPath: path + "/aa")
    try LedgerWriter(path: state.ledger).remove(files: ["aa"])
    _ = try cache(["cc"])
    for since in ["old.zip", "old.json"] {
      if since == "old.json" {
        let old = try CacheBundle(at: temporary.file("old.zip")).checked(by: nil).index
        try Data(old.encoded()).write(to: temporary.file(since))
      }
      var delta = options("delta.zip")
      delta.since = temporary.file(since).path
      let report = try BundleMaker(delta).make(from: path)
      #expect(report.files == 1 && report.unchanged == 1 && report.removed == 1)
    }
    let target = temporary.file("Caches/com.example.catalog")
    let installer = BundleInstaller(folder: target)
    try installer.install(temporary.file("old.zip"))
    let report = try installer.install(temporary.file("delta.zip"))
    #expect(report.written == 1 && report.present == 1 && report.removed == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: target.path).filter { $0.count == 2 }.sorted() == [
        "bb", "cc",
      ])
  }

  @Test func aSmallerSizeFailsOrDropsTheLeastUrgent() throws {
    let path = try cache(["aa", "bb", "cc"], priorities: ["aa": -1, "cc": 1])
    var small = options("small.zip")
    small.maxSize = 19
    let failure = #expect(throws: ToolError.self) { try BundleMaker(small).make(from: path) }
    #expect(failure?.code == .bundle(.limit))
    small.drop = .sources
    let report = try BundleMaker(small).make(from: path)
    #expect(report.dropped == ["aa", "bb"] && report.files == 1)
    #expect(!FileManager.default.fileExists(atPath: temporary.file(".small.zip").path))
  }

  /// Nuke counts blocks of the device: 2 files of 10 bytes take 8,192.
  @Test func theAppsLimitCountsAsTheClientCounts() throws {
    var limited = options("limited.zip")
    limited.limit = 8191
    let nuke = try cache(["aa", "bb"], in: "n")
    #expect(throws: ToolError.self) { try BundleMaker(limited).make(from: nuke) }
    let kingfisher = try cache(["aa", "bb"], in: "k", client: "kingfisher 8.11.0", expiry: "never")
    #expect(throws: Never.self) { try BundleMaker(limited).make(from: kingfisher) }
  }

  @Test func damageIsFoundAndForeignFilesStayOut() throws {
    let path = try cache(["aa", "bb"])
    try Data("notes".utf8).write(to: URL(fileURLWithPath: path + "/notes.txt"))
    #expect(try BundleMaker(options("f.zip")).make(from: path).foreign == ["notes.txt"])
    try Data("other".utf8).write(to: URL(fileURLWithPath: path + "/aa"))
    let failure = #expect(throws: ToolError.self) { try BundleMaker(options("g.zip")).make(from: path) }
    #expect(failure?.code == .bundle(.damaged))
    #expect(!FileManager.default.fileExists(atPath: temporary.file("g.zip").path))
  }

  @Test func keysStayOutOfTheIndexWhereTheNamesAreDigests() throws {
    var options = options("d.zip")
    options.keys = .digests
    let report = try BundleMaker(options).make(from: cache(["aa", "bb"]))
    let index = try CacheBundle(at: temporary.file("d.zip")).checked(by: nil).index
    #expect(index.entries.allSatisfy { $0.key == nil && $0.source == nil } && index.entries.count == 2)
    #expect(try BundleMaker(self.options("p.zip")).make(from: cache(["aa", "bb"])).id == report.id)
  }

  @Test func aNameThatIsTheKeyCannotBeHidden() throws {
    let path = try cache(["aa"])
    let ledger = try LedgerWriter(path: StateFolder(cache: path).ledger)
    var entry = try #require(try ledger.entry(file: "aa"))
    entry.origin.key = "a"
    try ledger.record([entry])
    var options = options("d.zip")
    options.keys = .digests
    let failure = #expect(throws: ToolError.self) { try BundleMaker(options).make(from: path) }
    #expect(failure?.code == .bundle(.input))
  }

  @Test func aFolderThatIsNoBundleIsNotOverwritten() throws {
    let path = try cache(["aa"])
    try FileManager.default.createDirectory(at: temporary.file("mine"), withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: temporary.file("mine/file"))
    #expect(throws: ToolError.self) { try BundleMaker(options("mine")).make(from: path) }
    #expect(FileManager.default.fileExists(atPath: temporary.file("mine/file").path))
  }
}
