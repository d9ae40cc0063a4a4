import Foundation
import Pictures

/// One file of a cache: what it is and what the app will do with it.
package struct InspectedEntry: Sendable, Hashable {
  package var file: String
  /// Bytes of content.
  package var size: Int
  /// Bytes that the file system spends on it.
  package var allocatedSize: Int
  /// What the ledger knows; nil where it does not know the file, or the key holds a secret.
  package var key: String?
  package var source: String?
  package var chain: String?
  /// `original` or `encoded`.
  package var content: String?
  /// By its first bytes, whatever its name.
  package var format: ImageFormat?
  /// Stored pixels.
  package var width: Int?
  package var height: Int?
  package var accessed: Date
  package var modified: Date
  /// Nil where the client's entries do not expire.
  package var expires: Date?
  package var fate: Fate
  /// Why, where that is not obvious.
  package var reason: String?

  /// What the app will do with an entry when it asks for it, or before.
  package enum Fate: String, Sendable, Hashable, CaseIterable {
    /// Found and decoded.
    case hit
    /// Not found any more; removed at the next cleaning.
    case expired
    /// Found, and cannot be shown.
    case damaged
    /// Never asked for, as far as is known.
    case foreign
    /// Removed by the app's next sweep.
    case swept
  }

  /// What a list is sorted by. Equals follow by file name.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    case file, key, size, type, age, expiry, fate
  }
}

extension InspectedEntry.Order {
  /// Largest, oldest and soonest first.
  package func sorted(_ entries: [InspectedEntry]) -> [InspectedEntry] {
    entries.sorted { a, b in
      switch self {
      case .file: a.file < b.file
      case .key: (a.key ?? "\u{10FFFF}", a.file) < (b.key ?? "\u{10FFFF}", b.file)
      case .size: (b.size, a.file) < (a.size, b.file)
      case .type: (a.format?.rawValue ?? "~", a.file) < (b.format?.rawValue ?? "~", b.file)
      case .age: (a.accessed, a.file) < (b.accessed, b.file)
      case .expiry: (a.expires ?? .distantFuture, a.file) < (b.expires ?? .distantFuture, b.file)
      case .fate: (a.fate.rawValue, a.file) < (b.fate.rawValue, b.file)
      }
    }
  }
}
