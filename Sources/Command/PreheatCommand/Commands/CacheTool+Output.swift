import CacheStore
import CacheTools
import Foundation
import Text

extension ToolError {
  var exitCode: ExitCode {
    switch code.kind {
    case .input, .client, .conflict, .since, .key: .usage
    case .damaged: .damaged
    case .limit: .limit
    case .locked: .locked
    case .write: .notWritable
    }
  }
}

extension CommandContext {
  /// Says why a command cannot do its work.
  package func fail(_ error: ToolError) -> ExitCode {
    console.error(error.description)
    return error.exitCode
  }
}

extension JSONValue {
  /// A date as ISO 8601 in UTC, whole seconds; null for nil.
  package static func date(_ date: Date?) -> JSONValue { .optional(date?.formatted(.iso8601)) }

  package static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }
}

extension RenditionText {
  /// What the app lets its cache take, as the end of a sentence; empty for no limit.
  package static func limit(_ bytes: Int) -> String {
    bytes > 0 ? " of the app's \(ByteCountText.text(bytes))" : ""
  }
}
