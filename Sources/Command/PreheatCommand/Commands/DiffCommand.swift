import CacheTools
import Syntax
import Text

/// `preheat diff A B`: what one cache or bundle has that another has not.
struct DiffCommand: Command {
  static let spec = CommandSpec("diff", "compare two caches or bundles").with {
    $0.detail = [
      "Compares file names and bytes. The exit code is \(ExitCode.success.rawValue) if both have the same entries, "
        + "\(ExitCode.different.rawValue) if they differ."
    ]
    $0.positionals = [
      .init("OLD", 1...1, "a cache folder, a bundle or its index.json"),
      .init("NEW", 1...1, "a second cache folder, bundle or index.json"),
    ]
    $0.examples = [("preheat diff catalog-1.zip out/catalog", "what has changed since a bundle")]
    $0.options = [CommandRows.json]
  }

  private let caches: [String]

  init(_ values: OptionValues) throws(UsageError) { caches = values.words }

  func run(in context: CommandContext) async throws -> ExitCode {
    let difference = try CacheDifference(from: caches[0], to: caches[1])
    for warning in difference.warnings { context.console.warning(warning) }
    let json = context.json
    var page = ""
    for (sign, entries) in [("-", difference.removed), ("+", difference.added), ("!", difference.changed)] {
      for entry in entries { page += json ? entry.jsonLine : Self.line(sign, entry) }
    }
    page += json ? difference.jsonLine : Self.total(difference)
    try context.output.write(page)
    return difference.isEmpty ? .success : .different
  }

  private static func line(_ sign: String, _ entry: CacheDifference.Entry) -> String {
    let sizes = [entry.oldSize, entry.newSize].compactMap { $0.map { ByteCountText.text($0) } }
    let key = entry.key.map { "  \(RenditionText.key($0, source: entry.source))" } ?? ""
    return "\(sign) \(SafeText.escape(entry.file))  \(sizes.joined(separator: " -> "))\(key)\n"
  }

  private static func total(_ difference: CacheDifference) -> String {
    "\(difference.added.count) added, \(difference.removed.count) removed, "
      + "\(difference.changed.count) changed, \(difference.same) the same\n"
  }
}

extension CacheDifference.Entry: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "difference", ("kind", \.kind), ("file", \.file), ("key", \.key), ("oldSize", \.oldSize),
    ("newSize", \.newSize))
}

extension CacheDifference: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "diff", ("added", \.added.count), ("removed", \.removed.count), ("changed", \.changed.count),
    ("same", \.same))
}
