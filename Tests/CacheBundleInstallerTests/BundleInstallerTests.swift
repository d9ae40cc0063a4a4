import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import Digests
@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct BundleInstallerTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let zip: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url.appendingPathComponent("Caches/catalog")
    zip = temporary.url.appendingPathComponent("catalog.zip")
  }

  private func install(_ bundle: SampleBundle, now: Date = Date()) throws -> InstallReport {
    try bundle.write(asZip: zip)
    return try BundleInstaller(folder: folder).install(zip, now: now)
  }

  private func put(_ text: String, as name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test func aZipAndAFolderInstallTheSameFiles() throws {
    let bundle = SampleBundle()
    let report = try install(bundle)
    #expect(report.written == 3 && report.kept == 0 && !report.wasInstalled)
    #expect(try tree(folder) == bundle.files)

    let source = temporary.url.appendingPathComponent("catalog.bundle")
    try bundle.write(asFolder: source)
    let other = temporary.url.appendingPathComponent("Caches/other")
    try BundleInstaller(folder: other).install(source)
    #expect(try tree(other) == bundle.files)
  }

  @Test func nothingButEntriesIsLeftInTheClientsFolderAndOnlyTheMarkerBesideIt() throws {
    _ = try install(SampleBundle())
    let caches = try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path)
    #expect(caches.sorted() == ["catalog", "catalog.preheat-bundle"])
  }

  @Test func aSecondInstallationTouchesNothing() throws {
    _ = try install(SampleBundle())
    // Not even a file that is gone meanwhile: the app, or the system, wanted it so.
    try FileManager.default.removeItem(at: folder.appendingPathComponent("aaaa"))
    let report = try install(SampleBundle())
    #expect(report.wasInstalled && report.written == 0)
    #expect(try tree(folder).count == 2)
  }

  @Test func whatTheAppHasFetchedItselfIsNewerAndStays() throws {
    try put("the app's own", as: "bbbb")
    let report = try install(SampleBundle())
    #expect(report.kept == 1 && report.written == 2)
    #expect(try tree(folder)["bbbb"] == "the app's own")
  }

  @Test func aNewerBundleReplacesAndRemovesOnlyWhatTheOlderOneBrought() throws {
    _ = try install(SampleBundle())
    try put("changed by the app", as: "cccc")
    let report = try install(SampleBundle(files: ["bbbb": "second, better", "dddd": "new"]))
    #expect(report.written == 2 && report.removed == 1)
    // `cccc` was dropped but is the app's now; `aaaa` was dropped and is as it was.
    #expect(
      try tree(folder) == ["bbbb": "second, better", "cccc": "changed by the app", "dddd": "new"])
  }

  @Test func kingfishersDatesCountFromTheInstallation() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.25)
    _ = try install(SampleBundle(client: "kingfisher", expiresAfter: 600), now: now)
    let files = try FileStore(folder: folder)
    #expect(try files.entry(named: "aaaa")?.modificationDate == Date(timeIntervalSince1970: 1_800_000_601))
    let never = temporary.url.appendingPathComponent("Caches/never")
    try SampleBundle(client: "kingfisher").write(asZip: zip)
    try BundleInstaller(folder: never).install(zip, now: now)
    let date = try FileStore(folder: never).entry(named: "aaaa")?.modificationDate
    #expect(date == Date(timeIntervalSince1970: 2_145_830_400))
  }

  @Test func whatNeverExpiresLivesInTwentyFortyToo() throws {
    let now = Date(timeIntervalSince1970: 2_208_988_800)
    let report = try install(SampleBundle(client: "kingfisher"), now: now)
    #expect(report.expired == 0 && report.written == 3)
    let date = try #require(try FileStore(folder: folder).entry(named: "aaaa")?.modificationDate)
    #expect(date > now)
  }

  @Test func anExpiredEntryOfTheAppsOwnMakesRoom() throws {
    try put("stale", as: "aaaa")
    let files = try FileStore(folder: folder)
    try files.setDates(FileDates(modification: Date(timeIntervalSinceNow: -10)), of: "aaaa")
    let report = try install(SampleBundle(client: "kingfisher", expiresAfter: 600))
    #expect(report.kept == 0 && report.written == 3)
    #expect(try tree(folder)["aaaa"] == "first")
  }

  @Test func nukesFirstSweepFindsANoteAndTheMostUrgentIsReadLast() throws {
    _ = try install(SampleBundle(keepsSweepDate: true))
    // Before anything is read: that would move the dates.
    let byAge = try FileStore(folder: folder).entries().sorted { $0.accessDate > $1.accessDate }.map(\.name)
    let note = try #require(try tree(folder)[".data-cache-info"])
    #expect(note.contains("lastSweepDate"))
    #expect(byAge == ["aaaa", "bbbb", "cccc"])
  }

  @Test func aDeltaAddsToTheStateThatItWasMadeFor() throws {
    let old = SampleBundle()
    _ = try install(old)
    var new = SampleBundle(files: ["aaaa": "first", "bbbb": "second, better"])
    new.edit = { index in
      index.since = old.index.id
      index.entries[0].included = false
      index.removed = [.init(file: "cccc", sha256: Digests.SHA256.hexadecimal(of: "third"))]
    }
    let report = try install(new)
    #expect(report.written == 1 && report.present == 1 && report.removed == 1)
    #expect(try tree(folder) == new.files)
  }

  @Test func aDeltaToAnotherStateIsRefusedWhole() throws {
    try put("the app's own", as: "bbbb")
    var delta = SampleBundle()
    delta.edit = { index in
      index.since = String(repeating: "a", count: 64)
      index.entries[0].included = false
    }
    let failure = #expect(throws: BundleFailure.self) { try install(delta) }
    #expect(failure?.code == .base)
    #expect(try tree(folder) == ["bbbb": "the app's own"])
  }
}
