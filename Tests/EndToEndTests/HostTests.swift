import Foundation
import TestSupport
import Testing

/// Hosts that are not ASCII: a key has them as `URL(string:)` does, which asks ICU. The released programs hold a part of
/// ICU's data (`scripts/slim-icu`), and these tests the whole of it.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct HostTests {
  @Test func theCutDataGivesTheHostsOfTheWhole() throws {
    let rows = try Fixtures.table("hosts.tsv", in: Fixtures.folder)
    #expect(rows.count > 150)
    var (lines, keys): ([String], [String]) = ([], [])
    for (number, row) in rows.enumerated() {
      let (host, ascii) = (try #require(row["host"]), try #require(row["ascii"]))
      let key = ascii == "-" ? nil : "https://\(ascii)/\(number)"
      #expect(URL(string: "https://\(host)/\(number)")?.absoluteString == key, "\(host)")
      lines.append("\"https://\(host)/\(number)\" original")
      if let key { keys.append(key) }
    }
    let scene = try Scene(lines.joined(separator: "\n"), head: "client nuke 12\ncache cache\n")
    let plan = try scene.preheat(["plan", "--json", "--skip-invalid", "test.job"])
    #expect(try plan.objects().compactMap { $0["key"] as? String } == keys)
  }

  /// It parses no host: without ICU and what of Foundation needs it, the program has half of the size.
  @Test func theRendererHoldsNothingOfICU() throws {
    let program = try Data(contentsOf: BuiltCommand.renderer, options: .alwaysMapped)
    #expect(program.range(of: Data("icudt".utf8)) == nil)
  }
}
