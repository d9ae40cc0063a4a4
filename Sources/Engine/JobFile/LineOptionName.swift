/// Words that begin an option of a job line.
package enum LineOptionName: String, CaseIterable {
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

  /// For help, without a full stop.
  package var meaning: String {
    switch self {
    case .id: "replaces the URL in the key, as the app's image ID or cache key does"
    case .priority: "which sources come first: veryLow, low, normal, high or veryHigh"
    case .reload: "fetch and render again, whatever is there"
    case .offline: "fetch nothing: made from what is there, or it fails"
    case .noDiskRead: "the app's request does not look in the disk cache"
    case .noDiskWrite: "the app's request does not store what it draws"
    case .sha256: "the digest that the body must have"
    case .expires: "when the entry expires, where the client's entries do"
    case .encode: "how the result is encoded, as the setting"
    case .embedded: "use of EXIF thumbnails, as the setting"
    }
  }
}
