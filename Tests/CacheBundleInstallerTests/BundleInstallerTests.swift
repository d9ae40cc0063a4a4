import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import Concurrency
@testable import Digests
@testable import FileStore

/// The forms that do not block their caller.
@Suite(.timeLimit(.minutes(10)))
struct BundleInstallerTests: InstallScene {
  let temporary = TemporaryFolder.new

  private func put(_ text: String, as name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test func aZipAndAFolderInstallTheSameFiles() throws {
    let sample = SampleBundle()
    let report = try install(sample)
    #expect(report.written == 3 && report.kept == 0 && !report.wasInstalled)
    #expect(try tree(folder) == sample.files)
    // Nothing but entries is left in the client's folder, and only the marker beside it.
    let caches = try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path)
    #expect(caches.sorted() == ["catalog", "catalog.preheat-bundle"])
    try sample.write(asFolder: bundle)
    let other = temporary.file("Caches/other")
    try BundleInstaller(folder: other).install(bundle)
    #expect(try tree(other) == sample.files)
  }

  @Test func aSecondInstallationTouchesNothing() throws {
    try install(SampleBundle())
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
    try install(SampleBundle())
    try put("changed by the app", as: "cccc")
    let report = try install(SampleBundle(files: ["bbbb": "second, better", "dddd": "new"]))
    #expect(report.written == 2 && report.removed == 1)
    // `cccc` was dropped but is the app's now; `aaaa` was dropped and is as it was.
    #expect(
      try tree(folder) == ["bbbb": "second, better", "cccc": "changed by the app", "dddd": "new"])
  }

  @Test func kingfishersDatesCountFromTheInstallation() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.25)
    try install(SampleBundle(client: "kingfisher", expiresAfter: 600), now: now)
    let files = try FileStore(folder: folder)
    #expect(try files.entry(named: "aaaa")?.modificationDate == Date(timeIntervalSince1970: 1_800_000_601))
    let never = temporary.file("Caches/never")
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
    try install(SampleBundle(keepsSweepDate: true))
    // Before anything is read: that would move the dates.
    let byAge = try FileStore(folder: folder).entries().sorted { $0.accessDate > $1.accessDate }.map(\.name)
    let note = try #require(try tree(folder)[".data-cache-info"])
    #expect(note.contains("lastSweepDate"))
    #expect(byAge == ["aaaa", "bbbb", "cccc"])
  }

  @Test func aDeltaAddsToTheStateThatItWasMadeFor() throws {
    let old = SampleBundle()
    try install(old)
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
    try delta.write(asZip: zip)
    #expect(refusal()?.code == .base)
    #expect(try tree(folder) == ["bbbb": "the app's own"])
  }

  private let sample = SampleBundle(
    files: Dictionary(uniqueKeysWithValues: (0..<50).map { ("f\($0)", "picture \($0)") }))

  init() throws { try sample.write(asZip: zip) }

  @Test func theAsyncFormInstallsAndTellsOfProgress() async throws {
    let heard = Locked<[InstallProgress]>([])
    let report = try await BundleInstaller(folder: folder).install(zip) { progress in
      heard.withLock { $0.append(progress) }
    }
    #expect(report.written == 50)
    #expect(try tree(folder) == sample.files)
    let values = heard.withLock { $0 }
    #expect(values.last?.fraction == 1 && values.last?.files == 50 && values.last?.totalFiles == 50)
    #expect(values.first?.files == 1)
    #expect(values.map(\.bytes) == values.map(\.bytes).sorted())
    // Installed before: nothing to tell.
    heard.withLock { $0 = [] }
    #expect(try await BundleInstaller(folder: folder).install(zip).wasInstalled)
    #expect(heard.withLock { $0 }.isEmpty)
  }

  @Test func aCancelledTaskLeavesTheCacheAsItWasAndTheNextOneInstalls() async throws {
    let installer = BundleInstaller(folder: folder)
    let zip = zip
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await installer.install(zip) { _ in
        // The installing thread goes on when the task has been cancelled.
        isCancelled.wait()
        isCancelled.signal()
      }
    }
    task.cancel()
    isCancelled.signal()
    let result = await task.result
    let failure = #expect(throws: BundleFailure.self) { try result.get() }
    #expect(failure?.code == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try await installer.install(zip).written == 50)
  }

  /// In the midst of the files, as an app's time in the background ends.
  @Test func anInstallationIsCancelledBetweenTwoFiles() async throws {
    try put("mine", as: "own")
    let control = Locked<InstallControl?>(nil)
    let installer = BundleInstaller(folder: folder)
    let made = InstallControl { _ in control.withLock { $0?.cancel() } }
    control.withLock { $0 = made }
    let failure = #expect(throws: BundleFailure.self) {
      try installer.install(zip, now: Date(), control: made)
    }
    #expect(failure?.code == .cancelled)
    #expect(try tree(temporary.file("Caches")) == ["catalog/own": "mine"])
    #expect(try await installer.install(zip).written == 50)
  }

  @Test func whoWaitsForAnotherInstallationCanBeCancelledToo() throws {
    let lock = try InstallLock(folder: staging.path)
    defer { lock.release() }
    let control = InstallControl()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { control.cancel() }
    let failure = #expect(throws: BundleFailure.self) {
      try BundleInstaller(folder: folder).install(zip, now: Date(), control: control)
    }
    #expect(failure?.code == .cancelled)
  }
}
