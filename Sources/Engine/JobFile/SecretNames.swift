import Foundation
import Syntax
import Text

/// Counts what looks like a credential in the URLs of a job: one warning for each name.
struct SecretNames {
  private struct Sighting {
    package var count = 0
    package var place: Int
    package var line: TextLine

    package var urls: String { count == 1 ? "this URL has" : "this URL and \(count - 1) more have" }
  }

  private static let most = 20

  private var byName: [String: Sighting] = [:]
  private var users: Sighting?

  /// Looks at a key's user information and query.
  package mutating func note(_ key: String, at place: Int, in line: TextLine, _ stripQuery: [QueryPattern]) {
    let bytes = Array(key.utf8)
    if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      for item in bytes[(mark + 1)...].split(whereSeparator: { "&;#?".utf8.contains($0) }) {
        let name = item.prefix { $0 != UInt8(ascii: "=") }
        guard name.endIndex < item.endIndex, SecretMask.isSecretName(name),
          !stripQuery.contains(where: { $0.matches(name) })
        else { continue }
        let text = Self.pattern(String(decoding: name, as: UTF8.self))
        if byName[text] == nil {
          if byName.count >= Self.most { continue }
          byName[text] = Sighting(place: place, line: line.copied())
        }
        byName[text]?.count += 1
      }
    }
    guard key.utf8.contains(UInt8(ascii: "@")), let user = URL(string: key)?.user, !user.isEmpty else {
      return
    }
    if users == nil { users = Sighting(place: place, line: line.copied()) }
    users?.count += 1
  }

  /// Items that come together are one finding: `X-Amz-*`.
  private static func pattern(_ name: String) -> String {
    let family = SecretMask.families.first { name.lowercased().hasPrefix($0) }
    return family.map { name.prefix($0.count) + "*" } ?? name
  }

  package func report(_ diagnostics: inout Diagnostics) {
    for (name, sighting) in byName.sorted(by: { $0.key < $1.key }) {
      let mistake = Mistake(
        sighting.place,
        "\(sighting.urls) the query item \(Mistake.quote(name)), which looks like a credential and is part of the key",
        help: "strip-query \(TerminalText.escaped(name))   if the app's image IDs leave it out")
      diagnostics.add(.warning, mistake, in: sighting.line)
    }
    guard let users else { return }
    let mistake = Mistake(
      users.place, "\(users.urls) a user name or password, which is part of the key",
      help: "send it in a header instead: header HOST Authorization: Basic ${NAME}")
    diagnostics.add(.warning, mistake, in: users.line)
  }
}
