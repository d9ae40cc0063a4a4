import Foundation

/// The compiler, asked whether code holds together.
public enum SwiftCompiler {
  public static let isThere = (try? complaint(["--version"])) == nil

  /// - Returns: nil for success, else what the compiler said.
  public static func complaint(_ arguments: [String]) throws -> String? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : String(decoding: said, as: UTF8.self)
  }
}
