import Foundation
import Rendering

/// One file of a cache: what it is and what the app will do with it.
public struct InspectedEntry: Sendable, Hashable {
  public var file: String
  /// Bytes of content.
  public var size: Int
  /// Bytes that the file system spends on it.
  public var allocatedSize: Int
  /// What the ledger knows; nil where it does not know the file, or the key holds a secret.
  public var key: String?
  public var source: String?
  public var chain: String?
  /// `original` or `encoded`.
  public var content: String?
  /// By its first bytes, whatever its name.
  public var format: ImageFormat?
  /// Stored pixels.
  public var width: Int?
  public var height: Int?
  public var accessed: Date
  public var modified: Date
  /// Nil where the client's entries do not expire.
  public var expires: Date?
  public var fate: Fate
  /// Why, where that is not obvious.
  public var reason: String?

  /// What the app will do with an entry when it asks for it, or before.
  public enum Fate: String, Sendable, Hashable, CaseIterable {
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
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case file, key, size, type, age, expiry, fate
  }
}

extension InspectedEntry.Order {
  /// Largest, oldest and soonest first.
  func sorted(_ entries: [InspectedEntry]) -> [InspectedEntry] {
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
