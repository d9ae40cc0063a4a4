import CacheStore
import CacheTools
import FileStore
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
  /// Writes a file and the folders above it, or says why it cannot be written.
  func write(_ text: String, to path: String, isPrivate: Bool = false) -> Bool {
    do {
      try FileManager.default.createDirectory(
        atPath: PathText.folder(of: path), withIntermediateDirectories: true)
      try OutputFile.write(Data(text.utf8), to: path, isPrivate: isPrivate)
      return true
    } catch {
      let reason = (error as? FileStoreError)?.reason.description ?? error.localizedDescription
      console.error("\(path) cannot be written: \(reason)")
      return false
    }
  }
}

extension JSONValue {
  /// A date as ISO 8601 in UTC, whole seconds; null for nil.
  static func date(_ date: Date?) -> JSONValue { .optional(date?.formatted(.iso8601)) }
}

extension RenditionText {
  /// The size limit of the app, as the end of a sentence; empty for no limit.
  static func limit(_ bytes: Int) -> String {
    bytes > 0 ? " of the app's \(ByteCountText.text(bytes))" : ""
  }
}
