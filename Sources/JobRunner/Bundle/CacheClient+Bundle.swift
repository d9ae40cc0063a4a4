extension CacheClient {
  /// The version alone: `12.9.0`.
  var version: String {
    switch self {
    case .nuke(let version): version.description
    case .kingfisher(let version): version.description
    }
  }
}

extension CacheListing {
  /// Whose entries the ledger knows, by name and then by version.
  var clients: [CacheClient] {
    Set(ledger.values.compactMap { $0.origin?.client }).compactMap(CacheClient.init(text:)).sorted {
      switch ($0, $1) {
      case (.nuke(let first), .nuke(let second)): first < second
      case (.kingfisher(let first), .kingfisher(let second)): first < second
      default: $0.name < $1.name
      }
    }
  }
}
