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
  /// The names of the last query without a secret, and room for the next: most URLs of a job have the same.
  private var (plain, names): ([UInt8], [UInt8]) = ([], [])

  /// Looks at a key's user information and query.
  package mutating func note(_ key: String, at place: Int, in line: TextLine, _ stripQuery: QueryNames) {
    if !hasPlainQuery(key) { noteQuery(key, at: place, in: line, stripQuery) }
    guard !key.hasBytes({ $0 != UInt8(ascii: "@") }), let user = URL(string: key)?.user, !user.isEmpty else {
      return
    }
    if users == nil { users = Sighting(place: place, line: line.copied()) }
    users?.count += 1
  }

  /// Whether there is no query, or one with just the names of the one before it in which nothing was found. Values decide
  /// nothing where no name does.
  private mutating func hasPlainQuery(_ key: String) -> Bool {
    names.removeAll(keepingCapacity: true)
    var key = key
    key.withUTF8 { bytes in
      guard let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
        return
      }
      var isName = true
      for byte in bytes[(mark + 1)...] {
        if Self.isSeparator(byte) {
          isName = true
          names.append(UInt8(ascii: "&"))
        } else if isName {
          names.append(byte)
          isName = byte != UInt8(ascii: "=")
        }
      }
    }
    return names.isEmpty || names == plain
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { "&;#?".utf8.contains(byte) }

  private mutating func noteQuery(
    _ key: String, at place: Int, in line: TextLine, _ stripQuery: QueryNames
  ) {
    let bytes = Array(key.utf8)
    if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      let items = bytes[(mark + 1)...].split(whereSeparator: Self.isSeparator).compactMap { item in
        item.firstIndex(of: UInt8(ascii: "=")).map {
          SignedQuery.Item(name: item[..<$0], value: item[($0 + 1)...])
        }
      }
      // What is stripped still tells what the others are.
      let changing = SignedQuery.changing(items)
      if changing.isEmpty { swap(&plain, &names) }
      let kept = changing.filter { !stripQuery.contains($0.name) }
      if !kept.isEmpty { count(Set(kept.map { SignedQuery.pattern($0.name) }).sorted(), at: place, in: line) }
    }
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
        help:
          "strip-query \(patterns)   if the app's image IDs leave \(names.count == 1 ? "it" : "them") out",
        isVital: true)
      diagnostics.add(.warning, mistake, in: sighting.line)
    }
    guard let users else { return }
    let mistake = Mistake(
      users.place, "\(users.urls) a user name or password, which is part of the key",
      help: "send it in a header instead: header HOST Authorization: Basic ${NAME}", isVital: true)
    diagnostics.add(.warning, mistake, in: users.line)
  }
}

/// The items of a URL's query that change whenever the URL is signed again: the signature and its companions.
enum SignedQuery {
  struct Item {
    var name: ArraySlice<UInt8>
    var value: ArraySlice<UInt8>
  }

  /// How one service signs URLs: where one of the marks is, the others belong to it.
  private struct Scheme {
    var marks: Set<String>
    var companions: Set<String> = []
    var prefix: String?
  }

  private static let schemes = [
    // Azure's shared access signatures.
    Scheme(
      marks: ["sig"],
      companions: [
        "sv", "ss", "srt", "sp", "st", "se", "sr", "si", "sip", "spr", "sdd", "ses", "scid", "saoid", "suoid",
        "skoid", "sktid", "skt", "ske", "sks", "skv",
      ]),
    // Facebook and Instagram.
    Scheme(marks: ["oh"], companions: ["oe"], prefix: "_nc_"),
    // Discord.
    Scheme(marks: ["hm"], companions: ["ex", "is"]),
    // Tencent Cloud.
    Scheme(marks: ["q-signature"], prefix: "q-"),
    // Alibaba Cloud; x-oss-process makes other pictures and stays.
    Scheme(
      marks: ["x-oss-signature", "ossaccesskeyid"],
      companions: [
        "x-oss-signature-version", "x-oss-credential", "x-oss-date", "x-oss-expires", "x-oss-security-token",
      ]),
  ]

  /// They change by themselves: CloudFront, S3 and Google Cloud Storage have `Expires`, nginx `md5` and `expires`.
  private static let alone: Set<String> = [
    "expires", "expire", "expiry", "expiration", "x-expires", "md5", "oh",
  ]

  /// Beside a signature, where the value is a moment in seconds or milliseconds.
  private static let times: Set<String> = [
    "t", "e", "ts", "st", "et", "exp", "time", "timestamp", "date", "start", "end", "until", "deadline",
    "validfrom", "validto", "wstime", "nonce",
  ]

  static func changing(_ items: [Item]) -> [Item] {
    let names = items.map { String(decoding: $0.name, as: UTF8.self).lowercased() }
    let schemes = schemes.filter { $0.marks.contains(where: names.contains) }
    let certain = zip(items, names).map { SecretMask.isSecretName($0.name) || alone.contains($1) }
    guard !schemes.isEmpty || certain.contains(true) else { return [] }
    return items.indices.filter { index in
      let name = names[index]
      return certain[index]
        || schemes.contains {
          $0.marks.contains(name) || $0.companions.contains(name) || ($0.prefix.map(name.hasPrefix) ?? false)
        } || (times.contains(name) && isMoment(items[index].value))
    }.map { items[$0] }
  }

  /// As `strip-query` spells a name: those that come together by their common beginning, `X-Amz-*`.
  static func pattern(_ name: ArraySlice<UInt8>) -> String {
    let name = String(decoding: name, as: UTF8.self)
    let families = SecretMask.families + schemes.compactMap(\.prefix)
    let family = families.first { name.lowercased().hasPrefix($0) }
    return family.map { name.prefix($0.count) + "*" } ?? name
  }

  private static func isMoment(_ value: ArraySlice<UInt8>) -> Bool {
    (10...13).contains(value.count) && value.allSatisfy(\.isDigit)
  }
}
