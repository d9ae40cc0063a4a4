import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// What a killed installation leaves, and what others do meanwhile.
/// An installation that is killed at any of its calls leaves whole files, and the next one completes it.
/// The marker says what was proved: no bundle may write into it what was not.
@Suite(.timeLimit(.minutes(10)))
struct InterruptedInstallTests: InstallScene {
  let temporary = TemporaryFolder.new

  /// As a kill between two renames of `bundle` leaves it: the marker half-way, some files new.
  private func leaveHalf(of bundle: SampleBundle, renamed names: [String]) throws {
    var marker = try InstallMarker.read(beside: folder)
    marker.id = nil
    for entry in bundle.index.entries { marker.files[entry.file, default: []].insert(entry.sha256) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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
    let staging = staging.path
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
    try Data(text.utf8).write(to: marker)
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
    let path = staging.path
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

  private static var first: SampleBundle { SampleBundle() }
  private static var second: SampleBundle {
    SampleBundle(files: ["aaaa": "first, better", "bbbb": "second picture", "dddd": "4"])
  }

  /// With the first bundle installed, or with nothing.
  private struct Device: InstallScene {
    let temporary = TemporaryFolder.new

    init(isNew: Bool) throws {
      if !isNew { try install(InterruptedInstallTests.first) }
      try InterruptedInstallTests.second.write(asZip: zip)
    }

    var visible: [String: String] { (try? tree(folder)) ?? [:] }
  }

  @Test(arguments: [true, false])
  func anInstallationKilledAnywhereIsCompletedByTheNext(isNew: Bool) async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Device(isNew: isNew) },
      { device, calls in
        var installer = BundleInstaller(folder: device.folder)
        installer.calls = calls
        try installer.install(device.zip)
      },
      then: { device, moment in
        for (name, text) in device.visible {
          #expect([Self.first.files[name], Self.second.files[name]].contains(text), "\(moment): \(name)")
        }
        let report = try BundleInstaller(folder: device.folder).install(device.zip)
        #expect(report.kept == 0, "\(moment)")
        #expect(device.visible == Self.second.files, "\(moment)")
        let beside = try FileManager.default.contentsOfDirectory(atPath: device.temporary.file("Caches").path)
        #expect(beside.sorted() == ["catalog", "catalog.preheat-bundle"], "\(moment)")
      })
    #expect(Set(calls).isSuperset(of: [.open, .write, .synchronize, .rename, .remove]))
  }

  private let key: TestKey

  init() throws { key = try TestKey(0) }

  private func install(_ bundle: SampleBundle, proving: Bool) throws -> InstallReport {
    try bundle.write(asZip: zip)
    return try BundleInstaller(folder: folder, publicKeys: proving ? [key.known] : nil).install(zip)
  }

  /// Texts that end a line, or a string of JSON, and go on with facts.
  private static let forgeries = [
    "1.\ncounter 9 ID\nkey KEY", "12.9.0\nkey KEY", "12.9.0\n", "\n", "12.9.0\u{0}", "12.9.0 ",
    #"12","keys":["KEY"],"counter":9,"state":"ID"#, "12.9.0\u{1b}[2J", "", "12..0", "1.2.3.4", "v12", "１２",
  ]

  @Test(arguments: forgeries)
  func aVersionThatIsNoneIsRefused(text: String) throws {
    var bundle = SampleBundle()
    bundle.edit = { index in
      index.clientVersion = text.replacing("KEY", with: key.known.id).replacing(
        "ID", with: index.id.prefix(16))
    }
    let failure = #expect(throws: BundleFailure.self) { try install(bundle, proving: false) }
    #expect(failure?.code == .index)
    #expect(!FileManager.default.fileExists(atPath: marker.path))
    // Nor did it count as proof, or lock the signed one out.
    #expect(try install(SampleBundle(keys: [key]), proving: true).signedBy == [key.known.id])
  }

  @Test func everyTextOfTheIndexHasAForm() throws {
    let edits: [(String, (inout BundleIndex) -> Void)] = [
      ("client", { $0.client = "nuke\n" }), ("client", { $0.client = "Nuke" }),
      ("folder", { $0.folder = "a\nb" }), ("since", { $0.since = "x" }), ("since", { $0.since = "\n" }),
      ("signers", { ($0.signers, $0.counter) = (["0123456789abcde\n"], 1) }),
      ("file", { $0.entries[0].file = "a\nb" }), ("digest", { $0.entries[0].sha256 += "\n" }),
      ("key", { $0.entries[0].key = "https://a.example/\n" }),
      ("source", { $0.entries[0].source = "\u{1b}" }),
      ("removed", { $0.removed = [.init(file: "a\nb", sha256: String(repeating: "0", count: 64))] }),
    ]
    for (name, edit) in edits {
      var bundle = SampleBundle()
      bundle.edit = { index in
        edit(&index)
        index.id = BundleIndex.id(of: index.entries)
      }
      let failure = #expect(throws: BundleFailure.self, "\(name)") { try bundle.index.check() }
      #expect([.index, .path].contains(failure?.code), "\(name)")
    }
  }

  /// Also of a bundle that is signed: nobody has looked.
  @Test func whatAnInstallerWithoutKeysWroteIsNoProof() throws {
    let bundle = SampleBundle(keys: [key], counter: 5)
    #expect(try install(bundle, proving: false).signedBy.isEmpty)
    let facts = try InstallMarker.read(beside: folder).facts
    #expect(facts.keys.isEmpty && facts.counter == nil && facts.client == "nuke")
    let report = try install(bundle, proving: true)
    #expect(!report.wasInstalled && report.present == 3 && report.signedBy == [key.known.id])
    #expect(try install(bundle, proving: true).wasInstalled)
    // What was proved stays known after an installation that asked for nothing, but is no proof of that one.
    _ = try install(SampleBundle(files: ["aaaa": "other"]), proving: false)
    let after = try InstallMarker.read(beside: folder).facts
    #expect(after.keys.isEmpty && after.counter == 5)
    #expect(throws: BundleFailure.self) { try install(SampleBundle(keys: [key], counter: 4), proving: true) }
  }

  @Test func aMarkerIsReadOnlyAsItIsWritten() throws {
    _ = try install(SampleBundle(keys: [key]), proving: true)
    let whole = try Data(contentsOf: marker)
    let read = try #require(InstallMarker(reading: whole, withFiles: true))
    #expect(read.encoded == whole && read.files.count == 3 && read.facts.keys == [key.known.id])
    let text = String(decoding: whole, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var changed = [
      text + "x", text + "\n", text.replacing("\n", with: "\r\n"), "", "\n\n\n",
      text.replacing("aaaa", with: "../a"),
      text.replacing("aaaa", with: ".a"), text.replacing("\"counter\":1", with: "\"counter\":-1"),
      text.replacing("\"counter\":1", with: "\"counter\": 1"),
      text.replacing("\"counter\":1", with: "\"counter\":9007199254740992"),
      text.replacing("\"client\":\"nuke\"", with: "\"client\":\"nuke\",\"other\":1"),
      text.replacing("12.9.0", with: #"12.9.0\n"#),
      text.replacing(lines[0], with: String(lines[0].dropLast()) + "G"),
      // As an earlier build wrote it, and could be made to write it.
      lines[0] + "\nclient nuke 12.9.0\ncounter 9 \(lines[0].prefix(16))\nkey \(key.known.id)\n",
    ]
    for position in lines.indices.dropLast() {
      var fewer = lines
      fewer.remove(at: position)
      // A file may be absent; id and facts may not.
      if position < 2 { changed.append(fewer.joined(separator: "\n")) }
      changed.append(
        (lines[...position] + [lines[position]] + lines[(position + 1)...]).joined(separator: "\n"))
    }
    for text in changed {
      #expect(InstallMarker(reading: Data(text.utf8), withFiles: true) == nil, "\(text)")
    }
    for length in 0..<whole.count where whole[length] != 10 {
      #expect(InstallMarker(reading: whole.prefix(length + 1), withFiles: true) == nil, "\(length) bytes")
    }
    try Data(changed[13].utf8).write(to: marker)
    #expect(try install(SampleBundle(keys: [key], counter: 2), proving: true).present == 3)
  }
}
