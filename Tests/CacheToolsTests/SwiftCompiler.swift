import Foundation
import TestSupport

@testable import CacheTools

extension SwiftCompiler {
  /// What the compiler says against code for a client, nil for nothing. Imports are taken out: the client's words
  /// are declared in `Fixtures/code`.
  static func complaint(about code: String, client: String) throws -> String? {
    let folder = try TemporaryFolder()
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.hasPrefix("import ") || $0 == "import Foundation" }
    try Data(kept.joined(separator: "\n").utf8).write(to: folder.file("Warmed.swift"))
    let words = Fixtures.folder.appendingPathComponent("code/\(client).swift.txt")
    try FileManager.default.copyItem(at: words, to: folder.file("Client.swift"))
    return try complaint([
      "-typecheck", "-swift-version", "6", folder.file("Warmed.swift").path, folder.file("Client.swift").path,
    ])
  }
}
