import CacheStore
import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

/// `docs/troubleshooting.md` explains each code that the program can end with or print, and no other.
@Suite(.timeLimit(.minutes(10)))
struct TroubleshootingTests {
  private static let page = "docs/troubleshooting.md"

  /// The rows of all tables: what stands in the first cell, and whether the other two say something.
  private func rows() throws -> [(first: String, isFull: Bool)] {
    try SourceFiles.text(Self.page).split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      let cells = line.dropFirst(2).components(separatedBy: " | ")
      return (
        cells[0], cells.count == 3 && cells.allSatisfy { !$0.trimmingCharacters(in: [" ", "|"]).isEmpty }
      )
    }
  }

  /// Every word with a dot that stands alone in quotes in the sources and begins as codes do.
  private func codes() throws -> Set<String> {
    var found: Set<String> = []
    let form = /"((?:plan|fetch|file|data|source|image|render|store|bundle|cache|verify)\.[a-z][a-z0-9-]+)"/
    for text in try SourceFiles.below("Sources").values {
      found.formUnion(text.matches(of: form).map { String($0.1) })
    }
    for kind in ToolError.Kind.allCases {
      found.formUnion(["\(ToolError.Code.bundle(kind))", "\(ToolError.Code.cache(kind))"])
    }
    return found.union(["job.empty"])
  }

  @Test func everyErrorCodeHasARowWithCauseAndCure() throws {
    let codes = try codes()
    #expect(codes.count > 60)
    let rows = try rows().filter { $0.first.contains(".") && $0.first.hasPrefix("`") }
    let explained = rows.flatMap { row in row.first.matches(of: /`([a-z]+\.[a-z0-9-]+)`/).map { String($0.1) }
    }
    #expect(codes.subtracting(explained).sorted() == [], "each of them needs a row in \(Self.page)")
    #expect(Set(explained).subtracting(codes).sorted() == [], "nothing prints these any more")
    #expect(Set(explained).count == explained.count, "a code has one row")
    for row in rows { #expect(row.isFull, "\(row.first) needs a cause and a cure") }
  }

  @Test func everyExitCodeHasARowWithCauseAndCure() throws {
    let rows = try rows().filter { Int32($0.first) != nil }
    #expect(rows.compactMap { Int32($0.first) } == ExitCode.allCases.map(\.rawValue))
    for row in rows { #expect(row.isFull, "\(row.first)") }
  }

  /// An option in the running text is one of the command's, or one of another program's.
  @Test func everyOptionOnThePagesExists() throws {
    let reference = HelpPage.reference(.preheat)
    let known = Set(reference.matches(of: /--([a-z][a-z0-9-]+)/).map { String($0.1) })
    // Of docker, truncate, aws, node_exporter, devicectl, git and expo.
    let others: Set = [
      "user", "rm", "size", "cache-control", "collector", "device", "domain-type", "domain-identifier",
      "source", "destination", "tags", "clean", "pids-limit",
      // Of scripts/bench.
      "rows",
    ]
    // These are about scripts of this repository.
    let exempt = ["docs/maintainers/benchmark.md", "docs/maintainers/performance.md"]
    for page in PageBlock.pages where !exempt.contains(page) {
      for match in try SourceFiles.text(page).matches(of: /(?:^|[ `(])--([a-z][a-z0-9-]+)/) {
        let name = String(match.1)
        #expect(known.contains(name) || others.contains(name), "\(page): --\(name)")
      }
    }
  }
}
