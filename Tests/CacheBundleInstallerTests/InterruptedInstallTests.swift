import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// What a killed installation leaves, and what others do meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct InterruptedInstallTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let zip: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.file("Caches/catalog")
    zip = temporary.file("catalog.zip")
  }

  @discardableResult
  private func install(_ bundle: SampleBundle) throws -> InstallReport {
    try bundle.write(asZip: zip)
    return try BundleInstaller(folder: folder).install(zip)
  }

  /// As a kill between two renames of `bundle` leaves it: the marker half-way, some files new.
  private func leaveHalf(of bundle: SampleBundle, renamed names: [String]) throws {
    var marker = try InstallMarker.read(beside: folder)
    marker.id = nil
    for entry in bundle.index.entries { marker.files[entry.file, default: []].insert(entry.sha256) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let staging = temporary.file("Caches/catalog.preheat-install")
    try marker.write(beside: folder, staging: staging)
    let files = try FileStore(folder: folder, temporaryFolder: staging)
    for name in names { try files.write(Data((bundle.files[name] ?? "").utf8), as: name) }
    // Staged by the one that died.
    _ = try files.stage(Data("half".utf8), as: "cccc")
  }

  @Test func aThirdBundleReplacesWhatAKilledSecondOneHasRenamed() throws {
    let second = SampleBundle(files: ["aaaa": "first, better", "bbbb": "second, better", "dddd": "new"])
    let third = SampleBundle(files: ["aaaa": "first, best", "cccc": "third"])
    try install(SampleBundle())
    try leaveHalf(of: second, renamed: ["aaaa", "dddd"])
    let report = try install(third)
    // `bbbb` of the first and `dddd` of the second are gone, none was taken for the app's own.
    #expect(report.kept == 0 && report.removed == 2)
    #expect(try tree(folder) == third.files)
    let beside = try FileManager.default.contentsOfDirectory(atPath: temporary.file("Caches").path)
    #expect(beside.sorted() == ["catalog", "catalog.preheat-bundle"])
  }

  @Test func aHalfWayMarkerIsNoInstallation() throws {
    let bundle = SampleBundle()
    try leaveHalf(of: bundle, renamed: ["bbbb"])
    let report = try install(bundle)
    #expect(!report.wasInstalled && report.written == 2 && report.present == 1)
    #expect(try tree(folder) == bundle.files)
    #expect(try install(bundle).wasInstalled)
  }

  /// A kill leaves a folder, and in it what was not yet renamed by one that proved an installed bundle again.
  @Test func whatAKillAfterTheLastStepLeavesGoesAtTheNextLaunch() throws {
    try install(SampleBundle())
    let staging = temporary.file("Caches/catalog.preheat-install").path
    try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
    let lock = try InstallLock(folder: staging)
    try Data("half".utf8).write(to: URL(fileURLWithPath: staging + "/.preheat-tmp-1"))
    #expect(try install(SampleBundle()).wasInstalled)
    #expect(FileManager.default.fileExists(atPath: staging + "/.preheat-tmp-1"))
    lock.release()
    #expect(try install(SampleBundle()).wasInstalled)
    #expect(!FileManager.default.fileExists(atPath: staging))
  }

  @Test(arguments: ["", "no marker at all\n", "{\"id\":1}"])
  func aMarkerThatMakesNoSenseIsNone(text: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: temporary.file("Caches/catalog.preheat-bundle"))
    #expect(try install(SampleBundle()).written == 3)
    #expect(try install(SampleBundle()).wasInstalled)
  }

  @Test func installersOfOneFolderTakeTurns() async throws {
    let bundle = SampleBundle(files: Dictionary(uniqueKeysWithValues: (0..<60).map { ("f\($0)", "p\($0)") }))
    try bundle.write(asZip: zip)
    let installer = BundleInstaller(folder: folder)
    let turns = (0..<6).map { _ in OwnThread { try installer.install(zip) } }
    var reports: [InstallReport] = []
    for turn in turns { reports.append(try await turn.value) }
    #expect(reports.filter { $0.written == 60 }.count == 1)
    #expect(reports.filter(\.wasInstalled).count == 5)
    #expect(try tree(folder) == bundle.files)
  }

  @Test func whoWaitsTooLongIsTold() throws {
    let path = temporary.file("Caches/catalog.preheat-install").path
    let lock = try InstallLock(folder: path)
    let failure = #expect(throws: BundleFailure.self) { try InstallLock(folder: path, patience: 0) }
    #expect(failure?.code == .busy)
    lock.release()
    try InstallLock(folder: path, patience: 0).release()
  }

  @Test func whatHasExpiredOnItsWayIsLeftOut() throws {
    let report = try install(SampleBundle(client: "kingfisher", expiresAt: 1_700_000_000))
    #expect(report.expired == 3 && report.written == 0)
    #expect(try tree(folder).isEmpty)
  }
}
