import Text

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
    (10...13).contains(value.count) && value.allSatisfy { (48...57).contains($0) }
  }
}
