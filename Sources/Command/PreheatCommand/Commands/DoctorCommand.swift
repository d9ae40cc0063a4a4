import CacheTools
import Text

/// `preheat doctor [DIR]`: whether a run would find here what it needs.
struct DoctorCommand: Command {
  static let spec = CommandSpec("doctor", "check what a run needs: renderer, libraries, limits, disk").with {
    $0.detail = [
      "Shows library versions, the formats that can be decoded and encoded, certificates and limits, and tests "
        + "whether a run can write to the disk of the cache folder. The exit code is 1 if a run would fail."
    ]
    $0.positionals = [
      .init("DIR", .file, 0...1, "the cache folder, which need not exist yet; by default this folder")
    ]
    $0.examples = [
      ("preheat doctor", "this machine"),
      ("preheat doctor --json out/catalog", "for programs, with the disk of a cache"),
    ]
    $0.options = [CommandRows.json]
  }

  private let folder: String

  init(_ values: OptionValues) throws(UsageError) {
    folder = values.words.first ?? "."
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let findings = Doctor(folder: folder, environment: context.environment).examine()
    for finding in findings {
      try context.output.write(context.json ? finding.json.line : Self.text(finding))
    }
    return findings.contains { $0.status == .error } ? .unexpected : .success
  }

  private static func text(_ finding: Finding) -> String {
    let mark =
      switch finding.status {
      case .ok: "ok     "
      case .warning: "warning"
      case .error: "error  "
      }
    let advice = finding.advice.map { "         \($0)\n" } ?? ""
    return "\(mark)  \(finding.name.padded(to: 12))  \(finding.text)\n".safe + advice.safe
  }
}

extension String {
  /// Paths and the words of libraries may hold anything.
  fileprivate var safe: String { SafeText.escape(String(dropLast())) + suffix(1) }
}

extension Finding {
  var json: JSONObject {
    JSONObject([
      "v": 1, "type": "finding", "name": name, "status": status.rawValue, "text": text, "advice": advice,
    ])
  }
}
