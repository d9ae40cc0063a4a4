extension Collection<UInt8> {
  /// Whether the bytes of a word stand somewhere in it. Searching text by Swift's own means needs iOS 16.
  func holds(_ word: String) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.starts(with: word.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
