import ClientKit
import ClientRegistry
import Foundation
import TestSupport
import Testing
import Text

/// What the clients say of their releases (`docs/versions.md`).
@Suite(.timeLimit(.minutes(10))) struct ReleaseChangeTests {
  static let names = ClientRegistry.libraries.map(\.name)

  @Test(arguments: names) func aRowIsAboutKnownReleases(name: String) throws {
    let library = try #require(ClientRegistry.library(named: name))
    let oldest = Release(library.majors.lowerBound, 0, 0)
    // One row for each range of a table.
    let ranges = library.changes.map { "\($0.topic) \($0.range)" }
    #expect(Set(ranges).count == ranges.count, "\(ranges)")
    for change in library.changes {
      let ends = [change.range.first, change.range.last].compactMap { $0 }
      #expect(ends == ends.sorted() && ends.allSatisfy { $0 >= oldest && $0 <= library.newest }, "\(change)")
      #expect(
        !change.text.isEmpty && !change.text.hasSuffix(".") && !change.place.hasSuffix("."), "\(change)")
    }
    for topic in [ReleaseChange.Topic.keys, .names, .storage, .lookups, .dates, .drawing] {
      #expect(library.changes.contains { $0.topic == topic }, "\(name) \(topic)")
    }
  }

  /// Each row rests on a place in the client's source, which `scripts/changed-places` looks at.
  @Test(arguments: names) func eachRowHasItsPlaceInTheSource(name: String) throws {
    let library = try #require(ClientRegistry.library(named: name))
    let places = try Fixtures.table("source-places.tsv").filter { $0["client"] == name }
    let told = Set(places.map { "\($0["topic"] ?? "") \($0["releases"] ?? "")" })
    let rows = Set(library.changes.map { "\($0.topic) \($0.range)" })
    #expect(
      rows.subtracting(told).isEmpty && told.subtracting(rows).isEmpty, "\(rows.symmetricDifference(told))")
    #expect(Set(places).count == places.count)
    #expect(places.allSatisfy { $0["file"]?.contains(".") == true && $0["symbol"]?.isEmpty == false })
  }

  /// A release at which the code of a client takes another way stands in its table.
  @Test(arguments: names) func everyReleaseThatTheCodeKnowsIsInTheTable(name: String) throws {
    let library = try #require(ClientRegistry.library(named: name))
    let file = "Sources/Clients/\(library.title)Cache/\(library.title)Version.swift"
    let source = try String(contentsOf: Fixtures.checkout.appendingPathComponent(file), encoding: .utf8)
    let told = library.changes.flatMap { [$0.range.first, $0.range.last] }
    let used = source.matches(of: /Version\(([0-9]+), ([0-9]+), ([0-9]+)\)/)
    #expect(!used.isEmpty)
    for match in used {
      let release = Release(Int(match.1) ?? 0, Int(match.2) ?? 0, Int(match.3) ?? 0)
      #expect(told.contains(release), "\(library.title) \(release) has no row in \(library.title)Changes")
    }
  }
}
