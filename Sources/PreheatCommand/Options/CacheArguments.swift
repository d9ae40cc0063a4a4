import Foundation
import JobRunner
import Rendering

/// What the commands that look into caches are told alike.
struct CacheArguments: Sendable, Hashable {
  var common: CommonArguments
  /// Folders or bundles as typed.
  var paths: [String]
  var client: CacheClient?
  var sizeLimit: Int?
  var now: Date

  init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    paths = values.words
    client = try values.client()
    sizeLimit = values.bytes("size-limit")
    now = try values.moment("now") ?? Date()
  }

  /// The only one, where the command takes one.
  var path: String { paths.first ?? "." }
}

extension OptionValues {
  /// A moment as `2027-01-31T08:00:00Z`, or seconds since 1970.
  func moment(_ name: String) throws(UsageError) -> Date? {
    guard let text = text(name) else { return nil }
    if let seconds = TimeInterval(text) { return Date(timeIntervalSince1970: seconds) }
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw UsageError(
        .invalidValue, "--\(name) '\(text)' is no moment",
        suggestion: "for example: 2027-01-31T08:00:00Z, or seconds since 1970", command: command.name)
    }
    return date
  }
}
