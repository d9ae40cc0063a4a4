import Foundation
import Text

/// What an installer has to know of the client whose cache a bundle holds, so that it needs no client's name: the
/// index's `rules`, an object of words.
///
/// An index of version 1 may have none. Then the names say it: entries named by 40 hexadecimal digits do not expire,
/// and the modification date of all others is their expiry. What expires goes by its creation date when it is swept for
/// size, what does not by its access date. Rules stand in an index only where they say something else.
package struct BundleRules: Codable, Hashable, Sendable {
  package enum Expiry: String, Hashable, Sendable, CaseIterable {
    /// Entries stay until the client's sweep removes them; it begins with those that were read the longest ago.
    case never = "none"
    /// A file's modification date is the moment at which it expires.
    case modificationDate
  }

  /// Which date says what the client's sweep for size removes first: the oldest goes.
  package enum Eviction: String, Hashable, Sendable, CaseIterable {
    case accessDate
    case creationDate

    /// Where no rule says it.
    fileprivate init(for expiry: Expiry) {
      self = expiry == .modificationDate ? .creationDate : .accessDate
    }
  }

  /// As they stand in the index, those that this installer does not know too.
  private var words: [String: String]

  private static let expiryName = "expiry"
  private static let evictionName = "eviction"

  /// - Parameter eviction: nil for that which goes with the expiry.
  package init(expiry: Expiry, eviction: Eviction? = nil) {
    words = [Self.expiryName: expiry.rawValue]
    if let eviction, eviction != Eviction(for: expiry) { words[Self.evictionName] = eviction.rawValue }
  }

  package init(from decoder: any Decoder) throws {
    words = try decoder.singleValueContainer().decode([String: String].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(words)
  }

  /// Whether an installation can follow all of them.
  var isKnown: Bool {
    words.allSatisfy { name, word in
      switch name {
      case Self.expiryName: Expiry(rawValue: word) != nil
      case Self.evictionName: Eviction(rawValue: word) != nil
      default: false
      }
    }
  }

  /// How an entry of this name expires.
  func expiry(of file: String) -> Expiry {
    words[Self.expiryName].flatMap(Expiry.init) ?? Self.expiryWithoutRules(of: file)
  }

  /// By which date an entry of this name is swept.
  func eviction(of file: String) -> Eviction {
    words[Self.evictionName].flatMap(Eviction.init) ?? Eviction(for: expiry(of: file))
  }

  static func evictionWithoutRules(of file: String) -> Eviction {
    Eviction(for: expiryWithoutRules(of: file))
  }

  static func expiryWithoutRules(of file: String) -> Expiry {
    let isDigest = file.isHexadecimal(length: 40)
    return isDigest ? .never : .modificationDate
  }
}

extension BundleIndex {
  /// How the entry of this name expires, by the rules or, where there are none, by the name.
  package func expiry(of file: String) -> BundleRules.Expiry {
    rules?.expiry(of: file) ?? BundleRules.expiryWithoutRules(of: file)
  }

  /// By which date the entry of this name is swept.
  package func eviction(of file: String) -> BundleRules.Eviction {
    rules?.eviction(of: file) ?? BundleRules.evictionWithoutRules(of: file)
  }

  /// Puts the client's rules in, unless the entries' names say the same.
  package mutating func state(_ rules: BundleRules) {
    let saysMore = entries.contains {
      rules.expiry(of: $0.file) != BundleRules.expiryWithoutRules(of: $0.file)
        || rules.eviction(of: $0.file) != BundleRules.evictionWithoutRules(of: $0.file)
    }
    self.rules = saysMore ? rules : nil
  }
}
