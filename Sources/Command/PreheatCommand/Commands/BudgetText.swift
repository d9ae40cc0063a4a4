import CacheTools
import JobFile
import Planning
import Syntax
import Text

/// How much of its budget a cache takes: what a bundle may have (`max-size`), or else the app's own limit.
struct BudgetText {
  private let job: String
  private let forecast: SizeForecast
  private let name: String
  private let limit: Int
  /// Expected.
  private let bytes: Int

  /// Of each limit that the job or the command line sets, the bundle's first.
  static func all(_ forecast: SizeForecast, settings: JobSettings) -> [BudgetText] {
    let size = forecast.size
    var all: [BudgetText] = []
    if let most = size.maxSize {
      all.append(BudgetText(forecast, settings, JobKey.maxSize.name, limit: most, bytes: size.bytes))
    }
    if settings.values[JobKey.sizeLimit] != nil {
      all.append(
        BudgetText(
          forecast, settings, JobKey.sizeLimit.name, limit: size.sizeLimit, bytes: size.countedBytes))
    }
    return all
  }

  private init(
    _ forecast: SizeForecast, _ settings: JobSettings, _ name: String, limit: Int, bytes: Int
  ) {
    (self.forecast, job, self.name, self.limit, self.bytes) = (forecast, settings.path, name, limit, bytes)
  }

  private var isBeyond: Bool { bytes > limit }

  /// `budget: about 52.1 MiB of max-size 40.0 MiB, 12.1 MiB too much; 1,200 new entries take about 14.1 MiB of it`.
  var text: String {
    let (new, unknown) = (forecast.newFiles, forecast.unknown)
    var text = "budget: \(new > 0 ? "about " : "")\(Self.text(bytes, of: limit, name))"
    if new > 0 {
      text += "; \(NumberText.count(new, "new entry", "new entries")) \(new == 1 ? "takes" : "take") about "
      text += "\(ByteCountText.text(forecast.newBytes)) of it"
    }
    if unknown > 0 {
      text += "; \(NumberText.count(unknown, "new entry", "new entries")) without an estimate "
      text += "(nothing of \(unknown == 1 ? "its chain" : "their chains") is in the cache) "
      text += "\(unknown == 1 ? "is" : "are") not counted"
    }
    return text + "\n"
  }

  /// `52.1 MiB of max-size 40.0 MiB, 12.1 MiB too much`.
  static func text(_ bytes: Int, of limit: Int, _ name: String) -> String {
    "\(ByteCountText.text(bytes)) of \(name) \(ByteCountText.text(limit))"
      + (bytes > limit ? ", \(ByteCountText.text(bytes - limit)) too much" : "")
  }

  /// Nil within the budget, and where the cache already exceeds the limit of the app, which has a warning of its own.
  func warning(beside size: CacheSize) -> String? {
    guard isBeyond, !(size.isBeyondLimit && name == JobKey.sizeLimit.name) else { return nil }
    return Self.warning(forecast.size.path, bytes, limit, name)
  }

  /// - Parameter size: of a cache that is made.
  static func warning(_ size: CacheSize) -> String? {
    guard let most = size.maxSize, size.isBeyondMaxSize else { return nil }
    return warning(size.path, size.bytes, most, JobKey.maxSize.name)
  }

  private static func warning(_ path: String, _ bytes: Int, _ limit: Int, _ name: String) -> String {
    "\(path) is beyond its budget: \(text(bytes, of: limit, name)); make fewer or smaller entries"
      + (name == JobKey.maxSize.name
        ? ", or let preheat bundle --drop leave out the least urgent sources" : "")
  }

}

extension BudgetText: JSONRecord {
  static let json = JSONMembers<Self>(
    type: "budget", ("job", \.job), ("cache", \.forecast.size.path), ("limit", \.name),
    ("limitBytes", \.limit),
    ("bytes", \.bytes), ("isBeyond", \.isBeyond), ("newEntries", \.forecast.newFiles),
    ("newBytes", \.forecast.newBytes), ("unknownEntries", \.forecast.unknown))
}
