import CacheCore

/// The known word that a mistyped one most likely stands for; the beginning of one counts too.
func nearestWord(to word: String, in known: [String]) -> String? {
  WordDistance.nearest(word, in: known) ?? known.first { word.count >= 3 && $0.hasPrefix(word) }
}
