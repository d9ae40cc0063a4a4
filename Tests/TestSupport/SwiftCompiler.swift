import Foundation

/// The compiler, asked whether code holds together.
public enum SwiftCompiler {
  public static let isThere = (try? complaint(["--version"])) == nil

  /// - Returns: nil for success, else what the compiler said.
  public static func complaint(_ arguments: [String]) throws -> String? {
    let result = try Program.run(["swiftc"] + arguments)
    return result.status == 0 ? nil : result.messages
  }
}
