import CacheTools
import Foundation
import Syntax
import Text

/// `preheat doctor [DIR]`: whether a run would find here what it needs.
struct DoctorCommand: Command {
  static let spec = CommandSpec("doctor", "check what a run needs: renderer, libraries, limits, disk").with {
    $0.detail = [
      "Shows library versions, the formats that can be decoded and encoded, certificates and limits, and tests "
        + "whether a run can write to the disk of the cache folder. The exit code is 1 if a run would fail."
    ]
    $0.positionals = [
      .init("DIR", 0...1, "the cache folder; by default this folder")
    ]
    $0.examples = [
      ("preheat doctor", "this machine"),
      ("preheat doctor --json out/catalog", "for programs, with the disk of a cache"),
    ]
    $0.options = [CommandRows.json]
  }

  private let folder: String?

  init(_ values: OptionValues) throws(UsageError) {
    folder = values.words.first
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    if let folder, !FileManager.default.fileExists(atPath: folder) {
      throw UsageError(
        .invalidValue, "there is no folder '\(folder)'", suggestion: "create it, or leave it out")
    }
    let findings = Doctor(folder: folder ?? ".", environment: context.environment).examine()
    for finding in findings {
      try context.output.write(context.json ? finding.jsonLine : Self.text(finding))
    }
    return findings.contains { $0.severity == .error } ? .unexpected : .success
  }

  private static func text(_ finding: Finding) -> String {
    let line =
      "\(finding.severity.rawValue.padded(to: 7))  \(finding.code.rawValue.padded(to: 12))  \(finding.message)"
    // Paths and the words of libraries may hold anything.
    return [line, finding.advice.map { "         \($0)" }].compactMap { $0 }
      .map { SafeText.escape($0) + "\n" }.joined()
  }
}

/// What `doctor` and `verify` found.
extension Finding: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "finding", ("code", \.code.rawValue), ("severity", \.severity), ("file", \.file), ("key", \.key),
    ("message", \.message), ("advice", \.advice))
}
