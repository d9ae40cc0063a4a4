/// The members of a line that the statistics want; lines of other types, and what later versions may add, have others too.
struct LogLine: Decodable {
  var type: String
  var v: Int?
  var name: String?
  var id: Int64?
  var begin: Int64?
  var duration: Int64?
  private var worker: Int?
  private var host: String?
  private var chain: String?
  private var url: String?

  /// Nil where the line has no value to group by.
  func group(by grouping: SignpostGrouping) -> String? {
    switch grouping {
    case .worker: worker.map(String.init)
    case .host: host
    case .chain: chain
    case .url: url
    }
  }

  /// Nanoseconds of no more than three years, so that no sum of them overflows.
  static func isPlausible(_ nanoseconds: Int64) -> Bool {
    nanoseconds.magnitude < 100_000_000_000_000_000
  }
}
