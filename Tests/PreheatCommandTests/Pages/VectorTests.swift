import Foundation
import TestSupport
import Testing

/// `vectors/`: golden tables for other implementations too, in two forms.
@Suite(.timeLimit(.minutes(10))) struct VectorTests {
  static let tables =
    ((try? FileManager.default.contentsOfDirectory(atPath: Fixtures.vectors.path)) ?? [])
    .filter { $0.hasSuffix(".tsv") }.map { String($0.dropLast(4)) }.sorted()

  @Test func theTablesAreThere() {
    #expect(Self.tables.count >= 6)
  }

  /// `scripts/make-vectors` writes the one from the other.
  @Test(arguments: tables)
  func theJSONFormAgreesWithTheTable(name: String) throws {
    let rows = try Fixtures.table("\(name).tsv")
    let data = try Data(contentsOf: Fixtures.vectors.appendingPathComponent("\(name).json"))
    let objects = try JSONDecoder().decode([[String: String?]].self, from: data)
    #expect(!rows.isEmpty)
    #expect(objects.count == rows.count)
    for (row, object) in zip(rows, objects) {
      let expected = row.mapValues { $0 == "-" ? nil : $0.replacing("(empty)", with: "") }
      #expect(object == expected)
    }
  }

  @Test(arguments: tables)
  func thePageNamesEveryTableAndColumn(name: String) throws {
    let page = try String(contentsOf: Fixtures.vectors.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(page.contains("| `\(name)` |"))
    let text = try String(contentsOf: Fixtures.vectors.appendingPathComponent("\(name).tsv"), encoding: .utf8)
    // Those with comments describe their columns themselves.
    let described = text.hasPrefix("#") ? text : page
    for column in try #require(try Fixtures.table("\(name).tsv").first).keys {
      #expect(described.contains(column), "\(name): \(column)")
    }
  }
}
