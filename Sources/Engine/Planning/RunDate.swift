import Foundation

/// When a run takes place, for the dates that it writes. `SOURCE_DATE_EPOCH` (reproducible-builds.org) stands in
/// for now.
package struct RunDate: Hashable, Sendable {
  /// What expiry dates are counted from.
  package var start: Date

  package init(start: Date) {
    self.start = start
  }

  package init(environment: [String: String], now: Date = Date()) {
    let seconds = environment["SOURCE_DATE_EPOCH"].flatMap(TimeInterval.init)
    start = seconds.map(Date.init(timeIntervalSince1970:)) ?? now
  }

  /// The start of the day, UTC: two runs of a day leave identical access dates.
  package var day: Date {
    Date(timeIntervalSince1970: (start.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
  }
}
