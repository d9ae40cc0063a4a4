import Foundation
import Syntax
import Text

/// Warns of the first URL with a signature or a password in it: a key is made of the whole URL, and one that changes each
/// time is of no use.
struct SecretNames {
  private var warnings: [(mistake: Mistake, line: TextLine)] = []
  private var (hasSignature, hasUser) = (false, false)
  /// The names of the last query without a signature: most URLs of a job have the same.
  private var stable: [UInt8] = []

  /// What changes together: where the first name of a row is in a query, the others belong to it.
  private static let services = [
    // S3, CloudFront, Google Cloud Storage, Alibaba
    "signature expires ossaccesskeyid",
    "x-oss-signature x-oss-signature-version x-oss-credential x-oss-date x-oss-expires x-oss-security-token",
    // Azure
    "sig sv ss srt sp st se sr si sip spr sdd ses scid saoid suoid skoid sktid skt ske sks skv",
    // Bunny and others, nginx
    "token expires expire e", "md5 expires e",
    // Facebook and Instagram, Discord, Tencent
    "oh oe _nc_*", "hm ex is", "q-signature q-*",
  ].map { $0.split(separator: " ").map(String.init) }

  package mutating func note(_ key: String, at place: Int, in line: TextLine, _ stripQuery: QueryNames) {
    if !hasSignature, let query = key.utf8.firstIndex(where: { "?#".utf8.contains($0) }) {
      let names = Self.names(key.utf8[query...].dropFirst())
      if names != stable {
        // What is stripped still tells what the others are.
        let changing = Self.changing(
          names.split(separator: UInt8(ascii: "&"))
            .filter { $0.count <= SecretMask.longestName }.map { Array($0) })
        if changing.isEmpty { stable = names }
        let kept = Set(changing.filter { !stripQuery.contains($0[...]) }.map(Self.pattern))
        if !kept.isEmpty {
          hasSignature = true
          let names = kept.sorted().map { SafeText.escape($0) }.joined(separator: " ")
          let mistake = Mistake(
            place, "this URL has a signature or a token, which is part of the key",
            help:
              "strip-query \(names)   if the app's image IDs leave \(kept.count == 1 ? "it" : "them") out",
            isVital: true)
          warnings.append((mistake, line.copied()))
        }
      }
    }
    guard !hasUser, !key.hasBytes({ $0 != UInt8(ascii: "@") }), let user = URL(string: key)?.user,
      !user.isEmpty
    else { return }
    hasUser = true
    let mistake = Mistake(
      place, "this URL has a user name or password, which is part of the key",
      help: "send it in a header instead: header HOST Authorization: Basic ${NAME}", isVital: true)
    warnings.append((mistake, line.copied()))
  }

  package func report(_ diagnostics: inout Diagnostics) {
    for (mistake, line) in warnings { diagnostics.add(.warning, mistake, in: line) }
  }

  /// The names of a query's items that have a value, between `&`.
  private static func names(_ query: Substring.UTF8View) -> [UInt8] {
    var (names, start): ([UInt8], Int?) = ([], 0)
    for byte in query {
      if "&;#?".utf8.contains(byte) {
        names.removeLast(start.map { names.count - $0 } ?? 0)
        start = names.count
      } else if start != nil {
        names.append(byte)
        if byte == UInt8(ascii: "=") {
          names[names.count - 1] = UInt8(ascii: "&")
          start = nil
        }
      }
    }
    return names.dropLast(start.map { names.count - $0 } ?? 0)
  }

  private static func changing(_ names: [[UInt8]]) -> [[UInt8]] {
    let spelled = names.map { String(decoding: $0, as: UTF8.self).lowercased() }
    let all = Set(spelled.map { ByteText($0) })
    let services = services.filter { all.contains(ByteText($0[0])) }
    return zip(names, spelled).filter { name, text in
      // imgix and Firebase have the same for a file each time.
      if text == "s" || text == "token" && all.contains(ByteText("alt")) { return false }
      return SecretMask.isSecretName(name[...])
        || services.joined().contains { $0.last == "*" ? text.hasPrefix($0.dropLast()) : text == $0 }
    }.map(\.0)
  }

  /// As `strip-query` spells a name: those that come together by their common beginning, `X-Amz-*`.
  private static func pattern(_ name: [UInt8]) -> String {
    let name = String(decoding: name, as: UTF8.self)
    let family = ["x-amz-", "x-goog-", "_nc_", "q-"].first { name.lowercased().hasPrefix($0) }
    return family.map { name.prefix($0.count) + "*" } ?? name
  }
}
