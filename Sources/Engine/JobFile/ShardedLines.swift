import ContentDigests
import Syntax
import Text

extension Shard {
  /// Where a part has its cache: no two parts may write into one folder.
  ///
  /// - Parameter cache: the job's folder; `{shard}` in its name is where the part's own stands.
  package func folder(of cache: String) -> String {
    cache.contains("{shard}") ? cache.replacing("{shard}", with: label) : "\(cache).shard-\(label)"
  }
}

/// Picks the lines of a part of a job, at the price of a digest for each of the others.
struct ShardedLines {
  let shard: Shard

  /// Whether a line of a long job can be left out without reading more of it than its URL. False for every line that is
  /// written in an unusual way: those are read in full first.
  func skips(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "h") else { return false }
    let word = bytes.prefix { !LineScanner.isSpace($0) }
    return SourceURL.isPlain(word) && !shard.holds(word)
  }

  func holds(_ source: SourceURL) -> Bool { shard.holds(source.key.utf8) }
}
