import Foundation

/// Ways in which a file of SQLite is damaged.
public enum DatabaseDamage: Sendable, CaseIterable {
  case header
  /// In the middle.
  case page
  case truncated

  public func callAsFunction(_ bytes: Data) -> Data {
    var bytes = bytes
    switch self {
    case .header: bytes.replaceSubrange(0..<16, with: Data(repeating: 0x20, count: 16))
    case .page:
      let middle = bytes.count / 2 / 4096 * 4096
      bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xaa, count: 4096))
    case .truncated: bytes = bytes.prefix(bytes.count / 2)
    }
    return bytes
  }
}
