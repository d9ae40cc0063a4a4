import Foundation
import Planning

/// What the commands that look into caches are told alike.
struct CacheArguments: Sendable, Hashable {
  package var common: CommonArguments
  /// Folders or bundles as typed.
  package var paths: [String]
  package var client: CacheClient?
  package var sizeLimit: Int?
  package var now: Date

  init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    paths = values.words
    client = try values.client()
    sizeLimit = values.bytes("size-limit")
    now = try values.moment("now") ?? Date()
  }

  /// The only one, where the command takes one.
  package var path: String { paths.first ?? "." }
}

extension OptionValues {
  /// A moment as `2027-01-31T08:00:00Z`, or seconds since 1970.
  package func moment(_ name: String) throws(UsageError) -> Date? {
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
