/// Words that begin an option of a job line.
enum LineOptionName: String, CaseIterable {
  case id, priority, reload, offline, noDiskRead, noDiskWrite, sha256, expires, encode, embedded

  private static let texts = allCases.map { (name: $0, text: Array($0.rawValue.utf8)) }

  init?(bytes: ArraySlice<UInt8>) {
    guard let known = Self.texts.first(where: { $0.text.count == bytes.count && $0.text[...] == bytes })
    else {
      return nil
    }
    self = known.name
  }

  /// `reload` stands alone, `id=` takes a value.
  var isFlag: Bool {
    switch self {
    case .reload, .offline, .noDiskRead, .noDiskWrite: true
    case .id, .priority, .sha256, .expires, .encode, .embedded: false
    }
  }

  /// How one would write it.
  package var example: String {
    switch self {
    case .id: "id=product-2"
    case .priority: "priority=high"
    case .sha256: "sha256= and 64 hexadecimal digits"
    case .expires: "expires=7d"
    case .encode: "encode=jpeg(quality: 80)"
    case .embedded: "embedded=prefer"
    case .reload, .offline, .noDiskRead, .noDiskWrite: rawValue
    }
  }
}
