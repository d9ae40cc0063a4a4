import TestSupport
import Testing

@testable import NukeCache

@Suite("What is stored and looked up", .timeLimit(.minutes(10)))
struct PolicyTests {
  /// Both ends of every range and some in between; the last stands for what follows 13.2.0.
  static let versions = [
    NukeVersion(10, 0, 0), NukeVersion(10, 3, 4), NukeVersion(10, 4, 0), NukeVersion(10, 11, 2),
    NukeVersion(11, 0, 0), NukeVersion(11, 5, 3), NukeVersion(11, 6, 0), NukeVersion(11, 6, 4),
    NukeVersion(12, 0, 0), NukeVersion(12, 5, 0), NukeVersion(12, 6, 0), NukeVersion(12, 8, 0),
    NukeVersion(12, 9, 0), NukeVersion(13, 0, 0), NukeVersion(13, 0, 6), NukeVersion(13, 1, 0),
    NukeVersion(13, 2, 0), NukeVersion(13, 2, 1), NukeVersion(14, 0, 0),
  ]

  @Test func everyRowHoldsInEveryVersionThatItCovers() throws {
    let rows = try Fixtures.table("nuke-policy.tsv")
    #expect(!rows.isEmpty)
    for (line, row) in rows.enumerated() {
      guard let row = try PolicySpecification(row: row) else { continue }
      let versions = Self.versions.filter(row.covers)
      #expect(versions.contains(row.from), "row \(line + 2) begins at a version not tried")
      for version in versions {
        let rules = version
        let stored = rules.storedEntries(for: row.request, from: try row.kind(version), policy: row.policy)
        #expect(
          Self.text(stored.map { "\(Self.name($0.key)):\($0.content.rawValue)" }) == row.stored,
          "row \(line + 2), \(version)")
        #expect(
          Self.text(rules.lookups(for: row.request).map(Self.name)) == row.lookups,
          "row \(line + 2), \(version)")
      }
    }
  }

  @Test(
    arguments: [
      ("file", "13.1.0", .file), ("FILE", "13.1.0", .http), ("FILE", "13.2.0", .file),
      ("Data", "13.1.0", .http),
      ("Data", "13.2.0", .data), ("data", "10.0.0", .data), ("https", "10.0.0", .http),
      ("ftp", "13.2.0", .http),
    ] as [(String, String, ResourceKind)])
  func localSchemesAreMatchedWithCaseBefore13Point2(scheme: String, tag: String, kind: ResourceKind) throws {
    let version = try NukeVersion(parsing: tag)
    #expect(ResourceKind(urlText: scheme + ":", version: version) == kind)
    #expect(ResourceKind(urlText: scheme + ":///x", version: version) == kind)
  }

  @Test(arguments: ["image.png", "/file:a", "", "//data:1/x"])
  func textWithoutASchemeGoesToTheDataLoader(text: String) {
    #expect(ResourceKind(urlText: text, version: .latest) == .http)
  }

  @Test func aGIFKeepsItsBytesSince12Point1() {
    #expect(!NukeVersion(12, 0, 0).encodedGIFKeepsOriginalBytes)
    #expect(NukeVersion(12, 1, 0).encodedGIFKeepsOriginalBytes)
  }

  /// `U`, `U+T`, `U+p1+p2`: what of a request stands in the key.
  private static func name(_ part: KeyPart) -> String {
    let thumbnail = part.hasThumbnail ? ["T"] : []
    return (["U"] + thumbnail + (0..<part.processorCount).map { "p\($0 + 1)" }).joined(separator: "+")
  }

  static func text(_ items: [String]) -> String {
    items.isEmpty ? "none" : items.joined(separator: " ; ")
  }
}
