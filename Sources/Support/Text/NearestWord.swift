/// Finds the word that was probably meant.
package enum WordDistance {
  /// The word of `known` that is nearest to `word`, or nil when none is near enough to suggest.
  ///
  /// Near enough is one edit (a letter changed, added, left out, or two neighbours swapped) for each
  /// three letters, at least one and at most three. Case does not count as an edit, but of two words
  /// equally near the one in the same case wins; after that the earlier one.
  package static func nearest(_ word: String, in known: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().utf8)
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    var limit = min(3, max(1, typed.count / 3))
    var best: String?
    for candidate in known where candidate != best {
      let letters = Array(candidate.lowercased().utf8)
      guard !letters.isEmpty, abs(letters.count - typed.count) <= limit else { continue }
      guard let edits = edits(typed, letters, atMost: limit), edits < letters.count else { continue }
      if best == nil || edits < limit || (candidate == word && best != word) { best = candidate }
      limit = edits
    }
    return best
  }

  /// Optimal string alignment distance, nil when it is above `limit`.
  static func edits(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in b.indices {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      // Rows never get smaller again, so there is no need to go on.
      if let least = row.min(), least > limit { return nil }
      (beforeLast, last) = (last, row)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}

/// The known word that a mistyped one most likely stands for; the beginning of one counts too.
package func nearestWord(to word: String, in known: [String]) -> String? {
  WordDistance.nearest(word, in: known) ?? known.first { word.count >= 3 && $0.hasPrefix(word) }
}
