import JobFile
import Planning
import Syntax
import Text

/// How much of its budget a cache takes: what a bundle may have (`max-size`), or else the app's own limit.
struct BudgetText {
  let job: String
  let cache: String
  let name: String
  let limit: Int
  let bytes: Int
  private var isBeyond: Bool { bytes > limit }

  /// Of each limit that the job or the command line sets, the bundle's first.
  static func all(_ size: CacheSize, settings: JobSettings) -> [BudgetText] {
    var limits = size.maxSize.map { [(JobKey.maxSize.name, $0, size.bytes)] } ?? []
    if settings.values[JobKey.sizeLimit] != nil {
      limits.append((JobKey.sizeLimit.name, size.sizeLimit, size.countedBytes))
    }
    return limits.map { name, limit, bytes in
      BudgetText(job: settings.path, cache: size.path, name: name, limit: limit, bytes: bytes)
    }
  }

  /// `52.1 MiB of max-size 40.0 MiB, 12.1 MiB too much`.
  static func text(_ bytes: Int, of limit: Int, _ name: String) -> String {
    "\(ByteCountText.text(bytes)) of \(name) \(ByteCountText.text(limit))"
      + (bytes > limit ? ", \(ByteCountText.text(bytes - limit)) too much" : "")
  }

  /// Nil within the budget of a bundle; the limit of the app has a warning of its own.
  static func warning(_ size: CacheSize) -> String? {
    guard let most = size.maxSize, size.isBeyondMaxSize else { return nil }
    return
      "\(size.path) is beyond its budget: \(text(size.bytes, of: most, JobKey.maxSize.name)); make fewer or "
      + "smaller entries, or let preheat bundle --drop leave out the least urgent sources"
  }
}

extension BudgetText: JSONRecord {
  static let json = JSONMembers<Self>(
    type: "budget", ("job", \.job), ("cache", \.cache), ("limit", \.name), ("limitBytes", \.limit),
    ("bytes", \.bytes), ("isBeyond", \.isBeyond))
}
