import ClientKit
import ClientRegistry
import FileStore
import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller

/// When the app's size limit strikes, the urgent entries are the last to go.
@Suite(.timeLimit(.minutes(10)))
struct BundleEvictionTests {
  private static let clients = ["nuke 12.9.0", "nuke 10.0.0", "kingfisher 8.11.0", "kingfisher 5.0.0"]
  /// In the order of their names, which is not that of their urgency.
  private static let priorities = ["aa": -2, "bb": 0, "cc": 2, "dd": -1, "ee": 1, "ff": 0]
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func client(_ text: String) throws -> any ImageClient {
    try #require(ClientRegistry.client(text).flatMap { ClientRegistry.make($0) })
  }

  /// What the client's own sweep leaves, where its limit is half of what is there.
  private func survivors(_ folder: URL, _ client: any ImageClient) throws -> Set<String> {
    let files = try FileStore(folder: folder)
    let swept = try client.folder.sweptFiles(in: files, files.entries())
    let total = swept.reduce(0) { $0 + client.folder.size($1) }
    let victims = client.victims(among: swept, sizeLimit: total * 3 / 4, now: Date())
    #expect(!victims.isEmpty && victims.allSatisfy { $0.reason == .size })
    return Set(swept.map(\.path)).subtracting(victims.map(\.file.path))
  }

  private func expectUrgent(_ left: Set<String>, _ client: String) throws {
    let kept = try #require(left.map { Self.priorities[$0] ?? -9 }.min())
    let gone = Self.priorities.keys.filter { !left.contains($0) }.map { Self.priorities[$0] ?? 9 }
    #expect(left.contains("cc") && left.count < Self.priorities.count, "\(client)")
    #expect(gone.allSatisfy { $0 <= kept }, "\(client): \(left.sorted()) are left")
  }

  @Test(arguments: clients)
  func anInstalledBundleLosesItsLeastUrgentEntries(name: String) throws {
    let client = try client(name)
    let sample = SampleCache(temporary: temporary)
    let cache = try sample.write(
      Self.priorities.keys.sorted(), in: "cache", client: name, priorities: Self.priorities, expiry: "never")
    _ = try BundleMaker(sample.options("b.zip")).make(from: cache)
    let target = temporary.file("Caches/com.example.catalog")
    try BundleInstaller(folder: target).install(temporary.file("b.zip"))
    try expectUrgent(try survivors(target, client), name)
    let index = try CacheBundle(at: temporary.file("b.zip")).checked(by: nil).index
    #expect(index.rules.eviction.rawValue == client.folder.eviction.rawValue)
  }

  /// The files of a run were written in the order of their urgency, which is the wrong one for a sweep by age.
  @Test(arguments: clients)
  func aFinishedCacheLosesItsLeastUrgentEntries(name: String) throws {
    let client = try client(name)
    let files = try FileStore(folder: temporary.file("run"))
    let urgentFirst = Self.priorities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    for file in urgentFirst { try files.write(Data("a picture".utf8), as: file) }
    let entries = Self.priorities.map {
      ($0, .encoded, .never, $1) as FinishedEntry
    }
    let date = RunDate(start: Date())
    let upkeep = client.upkeep(found: try files.listing(), at: date) { entries.forEach($0) }
    for (file, dates) in upkeep.dates { try files.setDates(dates, of: file) }
    for file in try files.entries() where file.name.hasPrefix(".") { try files.remove(file.name) }
    try expectUrgent(try survivors(files.folder, client), name)
    let again = client.upkeep(found: try files.listing(), at: date) { entries.forEach($0) }
    #expect(again.dates.isEmpty, "a cache that is right is left alone")
  }
}
