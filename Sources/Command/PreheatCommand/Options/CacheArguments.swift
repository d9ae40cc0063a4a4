import ClientKit
import Foundation
import JobFile
import Settings
import Syntax

/// Arguments of the commands that look into caches.
struct CacheArguments: Sendable {
  /// Folders or bundles as typed.
  var paths: [String]
  var client: CacheClient?
  var sizeLimit: Int?
  var now: Date

  init(_ values: OptionValues) {
    paths = values.words
    client = values.client
    sizeLimit = values[JobKey.sizeLimit]
    now = values[Self.nowKey] ?? Date()
  }

  /// The only one, where the command takes one.
  var path: String { paths.first ?? "." }

  static let nowKey = SettingKey("now", default: Date?.none)

  static let now = Setting(
    nowKey,
    SettingType("MOMENT") { scanner, _ throws(Mistake) in
      let start = scanner.position
      let text = String(decoding: scanner.word(), as: UTF8.self)
      if let seconds = TimeInterval(text), (0...253_402_300_799).contains(seconds) {
        return Date(timeIntervalSince1970: seconds)
      }
      if let date = try? Date(text, strategy: .iso8601) { return date }
      throw Mistake(
        start, "\(Mistake.quote(text)) is not a date and time",
        help: "for example: 2027-01-31T08:00:00Z, or seconds since 1970")
    }, in: .flag, .job, "use this time instead of the current time"
  ).with {
    $0.detail = "2027-01-31T08:00:00Z, or seconds since 1970."
    $0.defaultText = "the current time"
  }

  static let outputKey = SettingKey("output", default: String?.none)

  static func output(_ summary: String) -> Setting {
    Setting(outputKey, SettingType<String>.path("PATH").optional, in: .flag, .output, summary).with {
      $0.short = "o"
      $0.isCommon = true
    }
  }
}
