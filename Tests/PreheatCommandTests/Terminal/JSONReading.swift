import Foundation

@testable import PreheatCommand

/// Somebody else's JSON reader, to check our writer with.
enum JSONReading {
  static func dictionary(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
