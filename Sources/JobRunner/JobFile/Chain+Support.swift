import NukeCache

extension Chain {
  /// Why `version` has no request like this one, nil when it has.
  ///
  /// Nuke has thumbnails since 10.4.0 and those with a size since 12.0.0.
  func unsupportedReason(in version: NukeVersion) -> (message: String, help: String)? {
    guard let thumbnail else { return nil }
    if version < NukeVersion(10, 4, 0) {
      return ("Nuke \(version) has no thumbnails", "they came with 10.4.0; use resize(...)")
    }
    if case .flexible = thumbnail.size, version < NukeVersion(12, 0, 0) {
      return (
        "Nuke \(version) has no thumbnail(size:)", "it came with 12.0.0; use thumbnail(maxPixelSize: N)"
      )
    }
    return nil
  }
}
