import Foundation
import Syntax
import Text

/// Counts what looks like a credential in the URLs of a job: one warning for each group of names that come together.
struct SecretNames {
  private struct Sighting {
    package var count = 0
    package var place: Int
    package var line: TextLine

    package var urls: String { count == 1 ? "this URL has" : "this URL and \(count - 1) more have" }
  }

  private static let most = 20

  /// By the names of a URL's query items, in the order of the alphabet.
  private var byNames: [[String]: Sighting] = [:]
  private var users: Sighting?

  /// Looks at a key's user information and query.
  package mutating func note(_ key: String, at place: Int, in line: TextLine, _ stripQuery: [QueryPattern]) {
    let bytes = Array(key.utf8)
    if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      let items = bytes[(mark + 1)...].split(whereSeparator: { "&;#?".utf8.contains($0) }).compactMap {
        item in
        item.firstIndex(of: UInt8(ascii: "=")).map {
          SignedQuery.Item(name: item[..<$0], value: item[($0 + 1)...])
        }
      }
      // What is stripped still tells what the others are.
      let kept = SignedQuery.changing(items).filter { item in !stripQuery.contains { $0.matches(item.name) } }
      if !kept.isEmpty { count(Set(kept.map { SignedQuery.pattern($0.name) }).sorted(), at: place, in: line) }
    }
    guard key.utf8.contains(UInt8(ascii: "@")), let user = URL(string: key)?.user, !user.isEmpty else {
      return
    }
    if users == nil { users = Sighting(place: place, line: line.copied()) }
    users?.count += 1
  }

  private mutating func count(_ names: [String], at place: Int, in line: TextLine) {
    if byNames[names] == nil {
      if byNames.count >= Self.most { return }
      byNames[names] = Sighting(place: place, line: line.copied())
    }
    byNames[names]?.count += 1
  }

  package func report(_ diagnostics: inout Diagnostics) {
    for (names, sighting) in byNames.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let quoted = names.map { Mistake.quote($0) }.joined(separator: ", ")
      let what =
        names.count == 1
        ? "query item \(quoted), which looks like a credential and is"
        : "query items \(quoted), which look like a signature and are"
      let patterns = names.map { TerminalText.escaped($0) }.joined(separator: " ")
      let mistake = Mistake(
        sighting.place, "\(sighting.urls) the \(what) part of the key",
        help: "strip-query \(patterns)   if the app's image IDs leave \(names.count == 1 ? "it" : "them") out"
      )
      diagnostics.add(.warning, mistake, in: sighting.line)
    }
    guard let users else { return }
    let mistake = Mistake(
      users.place, "\(users.urls) a user name or password, which is part of the key",
      help: "send it in a header instead: header HOST Authorization: Basic ${NAME}")
    diagnostics.add(.warning, mistake, in: users.line)
  }
}
