extension StringProtocol {
  /// Where another text occurs first, byte by byte; nil where it does not. What Swift itself has for this needs iOS 16.
  ///
  /// - Parameter text: ASCII.
  package func firstOccurrence(of text: String) -> Range<Index>? {
    let wanted = text.utf8
    var start = utf8.startIndex
    while start != utf8.endIndex {
      let rest = utf8[start...]
      if rest.starts(with: wanted) { return start..<rest.index(start, offsetBy: wanted.count) }
      start = rest.index(after: start)
    }
    return nil
  }
}
