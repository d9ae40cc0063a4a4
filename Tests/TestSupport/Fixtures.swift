import Foundation

/// Where the tests find their data.
public enum Fixtures {
  /// `Tests/Fixtures` of this checkout.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// The checkout's top folder.
  public static let checkout = folder.deletingLastPathComponent().deletingLastPathComponent()

  /// The golden tables, for other implementations too.
  public static let vectors = checkout.appendingPathComponent("vectors")

  /// The image corpus that may lie beside the checkout, or where `PREHEAT_CORPUS` says; tests that need it are
  /// skipped without it.
  public static let corpus: URL? = {
    let named = ProcessInfo.processInfo.environment["PREHEAT_CORPUS"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? checkout.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The bytes of a file in `Tests/Fixtures/images`.
  public static func image(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent("images").appendingPathComponent(name))
  }

  /// The bytes of a file below `Tests/Fixtures`.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// Rows of a tab-separated file as dictionaries by column name; lines that begin with `#` are comments. The
  /// columns are named by the last comment if that has tabs, else by the first line that is none.
  public static func table(_ name: String, in folder: URL = vectors) throws -> [[String: String]] {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    let all = text.split(separator: "\n", omittingEmptySubsequences: true)
    var lines = all.filter { !$0.hasPrefix("#") }
    if let named = all.last(where: { $0.hasPrefix("#") }), named.contains("\t") {
      lines.insert(named.drop { $0 == "#" || $0 == " " }, at: 0)
    }
    guard let header = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) else {
      return []
    }
    return lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Dictionary(
        zip(header.map(String.init), fields.map(String.init)), uniquingKeysWith: { first, _ in first })
    }
  }
}
