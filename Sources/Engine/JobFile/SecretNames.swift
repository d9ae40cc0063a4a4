import Foundation
import Syntax
import Text

/// Warns of the first URL with a signature or a password in it: a key is made of the whole URL, and one that changes each
/// time is of no use.
struct SecretNames {
  private var warnings: [(mistake: Mistake, line: TextLine)] = []
  private var (hasSignature, hasUser) = (false, false)
  /// The names of the last query without a signature: most URLs of a job have the same.
  private var stable: [String] = []

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

  mutating func note(_ key: String, at place: Int, in line: TextLine, _ stripQuery: QueryNames) {
    if !hasSignature, let query = key.utf8.firstIndex(where: { "?#".utf8.contains($0) }) {
      let names = key.utf8[query...].split { "?&;#".utf8.contains($0) }.compactMap { item in
        item.firstIndex(of: UInt8(ascii: "=")).map { String(decoding: item[..<$0], as: UTF8.self) }
      }
      if names != stable {
        // What is stripped still tells what the others are.
        let changing = Self.changing(names.filter { 1...SecretMask.longestName ~= $0.utf8.count })
        if changing.isEmpty { stable = names }
        let kept = Set(changing.filter { !stripQuery.contains(Array($0.utf8)[...]) }.map(Self.pattern))
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

  func report(_ diagnostics: inout Diagnostics) {
    for (mistake, line) in warnings { diagnostics.add(.warning, mistake, in: line) }
  }

  private static func changing(_ names: [String]) -> [String] {
    let all = Set(names.map { $0.lowercased() })
    let services = services.filter { all.contains($0[0]) }.joined()
    return names.filter { name in
      let text = name.lowercased()
      // imgix and Firebase have the same for a file each time.
      if text == "s" || text == "token" && all.contains("alt") { return false }
      return SecretMask.isSecretName(Array(name.utf8)[...])
        || services.contains { $0.last == "*" ? text.hasPrefix($0.dropLast()) : text == $0 }
    }
  }

  /// As `strip-query` spells a name: those that come together by their common beginning, `X-Amz-*`.
  private static func pattern(_ name: String) -> String {
    let family = ["x-amz-", "x-goog-", "_nc_", "q-"].first { name.lowercased().hasPrefix($0) }
    return family.map { name.prefix($0.count) + "*" } ?? name
  }
}
