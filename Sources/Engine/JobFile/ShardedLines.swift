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
///
/// Used on one thread; each reading makes its own.
struct ShardedLines {
  private let filter: ShardFilter
  /// Of the next line that names a source, counted over all parts from 0: the order of the whole job.
  private(set) var ordinal = 0

  init(_ shard: Shard) { filter = ShardFilter(shard) }

  /// Whether a line of a long job can be left out without reading more of it than its URL. False for every line that is
  /// written in an unusual way: those are read in full first.
  mutating func skips(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "h") else { return false }
    let word = bytes.prefix { !LineScanner.isSpace($0) }
    guard SourceURL.isPlain(word), !filter.holds(word) else { return false }
    ordinal += 1
    return true
  }

  /// Whether a source is of this part; each is asked about once.
  mutating func holds(_ source: SourceURL) -> Bool {
    ordinal += 1
    return filter.holds(source.key.utf8)
  }
}
