import Testing

@testable import CacheStore
@testable import Planning

/// Rows that are packed come back as they were.
@Suite(.timeLimit(.minutes(10)))
struct LedgerRowsTests {
  private static let digest = String(repeating: "0f", count: 31) + "a9"

  private func entry(_ file: String, _ change: (inout LedgerEntry) -> Void = { _ in }) -> LedgerEntry {
    var entry = LedgerScene.entry(file)
    change(&entry)
    return entry
  }

  private func rows(_ entries: [LedgerEntry]) -> LedgerRows {
    var rows = LedgerRows()
    for entry in entries { rows.append(entry) }
    rows.finish()
    return rows
  }

  @Test func everyColumnComesBack() {
    let entries = [
      entry("a") {
        ($0.sourceID, $0.digest, $0.sourceDigest) = (Self.digest, Self.digest, Self.digest)
        ($0.etag, $0.lastModified, $0.drawing) = (nil, "Mon", -3)
        ($0.size, $0.modified) = (.max, .min)
      },
      entry("b") {
        ($0.sourceID, $0.digest) = (Self.digest.uppercased(), String(Self.digest.dropLast()))
        $0.sourceDigest = Self.digest + Self.digest
        ($0.origin.key, $0.origin.source, $0.origin.expiry) = ("", "https://e.com/\u{e9}\u{301}", nil)
        ($0.origin.client, $0.origin.job, $0.origin.chain) = ("", "-", String(repeating: "x", count: 300))
        ($0.origin.content, $0.origin.priority, $0.modified) = ("other", -2, -1)
      },
      entry("") { $0.digest = String(repeating: "g", count: 64) },
    ]
    let rows = rows(entries)
    for entry in entries { #expect(rows[entry.file] == entry) }
    #expect(Array(rows.entries) == entries.sorted { $0.file < $1.file })
    #expect(rows.count == 3 && rows["c"] == nil && rows["aa"] == nil)
    #expect(rows.clients == ["kingfisher 8.11.0", ""])
  }

  /// Texts that rows share are told apart by their bytes.
  @Test func canonicallyEqualTextsStayApart() {
    let forms = ["\u{E9}", "e\u{301}"]
    let rows = rows(
      forms.enumerated().map { number, form in
        entry("\(number)") { ($0.origin.chain, $0.origin.job) = (form, form) }
      })
    let found = rows.entries.map { Array($0.origin.chain.utf8) + Array($0.origin.job.utf8) }
    #expect(found == forms.map { Array($0.utf8) + Array($0.utf8) })
  }

  @Test func rowsInDisorderAreFound() {
    let rows = rows([entry("c"), entry("a"), entry("b")])
    #expect(Array(rows.names) == ["a", "b", "c"])
    for name in ["a", "b", "c"] { #expect(rows[name] == entry(name)) }
  }

  @Test func aThousandRowsAreFoundByTheirNames() {
    let names = (0..<1000).map { "\($0 * 7919 % 1000)" }
    let rows = rows(names.map { name in entry(name) { $0.origin.key = name } })
    for name in names { #expect(rows[name]?.origin.key == name) }
    #expect(rows["1000"] == nil && LedgerRows()["a"] == nil && LedgerRows().count == 0)
  }

  /// A row that is not where it is expected is searched for, and the next one is expected behind it.
  @Test func aRowIsExpectedBehindTheOneBefore() {
    let rows = rows(["b", "d", "f"].map { entry($0) })
    var place = 0
    let found = ["a", "b", "c", "f", "g", "b", "d"].map { rows.entry(of: $0, at: &place)?.file }
    #expect(found == [nil, "b", nil, "f", nil, "b", "d"])
    #expect(place == 2)
  }

  /// They are ordered by the beginnings of their names first, which may be equal.
  @Test func namesWithOneBeginningAreInOrder() {
    let names = ["", "a", "a\u{0}", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaa", "b", "é", "aaaaaaab", "\u{10FFFF}"]
    let rows = rows(names.reversed().map { entry($0) })
    #expect(Array(rows.names) == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for name in names { #expect(rows[name]?.file == name) }
  }
}
