import Foundation

/// Files of the checkout, for tests that read them.
public enum SourceFiles {
  /// Text of the files below a folder, by default those of Swift, by their paths in the checkout.
  public static func below(_ folder: String, endings: [String] = ["swift"]) throws -> [String: String] {
    let root = Fixtures.checkout
    let files = FileManager.default.enumerator(
      at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    var found: [String: String] = [:]
    while let file = files?.nextObject() as? URL {
      guard endings.contains(file.pathExtension), !file.hasDirectoryPath else { continue }
      found[String(file.path.dropFirst(root.path.count + 1))] = try String(contentsOf: file, encoding: .utf8)
    }
    return found
  }

  public static func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.checkout.appendingPathComponent(path), encoding: .utf8)
  }
}
