import Foundation

/// A program of the system or of the checkout, run to its end.
public enum Program {
  public static func run(
    _ words: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.start(Array(words.dropFirst()), in: folder, environment: environment, program: words[0])
      .wait()
  }

  public static func succeeds(_ words: [String]) -> Bool { (try? run(words))?.status == 0 }

  public static func isInstalled(_ name: String) -> Bool { succeeds(["which", name]) }
}
