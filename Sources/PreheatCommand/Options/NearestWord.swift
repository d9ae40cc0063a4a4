/// The known word that a mistyped one most likely stands for.
func nearestWord(to word: String, in known: [String]) -> String? {
  let typed = word.lowercased()
  let limit = max(1, typed.count / 3)
  return
    known
    .map { (word: $0, distance: editDistance(typed, $0.lowercased())) }
    .filter { $0.distance <= limit || (typed.count >= 3 && $0.word.hasPrefix(typed)) }
    .min { $0.distance < $1.distance }?.word
}

/// Levenshtein's distance; the words here are a few letters long.
private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let substitution = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
