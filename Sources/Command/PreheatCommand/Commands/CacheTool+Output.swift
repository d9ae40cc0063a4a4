import CacheStore
import CacheTools
import FileStore
import Foundation
import Pictures
import Planning
import Reporting
import Signposts
import Text

/// An error that ends a command with a message and a code of its own.
protocol CommandFailure: Error {
  var message: String { get }
  var exitCode: ExitCode { get }
}

extension ReportFailure: CommandFailure { var exitCode: ExitCode { .usage } }
extension SignpostLogFailure: CommandFailure { var exitCode: ExitCode { .usage } }
extension SignpostFile.Failure: CommandFailure { var exitCode: ExitCode { .notWritable } }
extension RenderFailure: CommandFailure { var exitCode: ExitCode { .unexpected } }
extension FileStoreError: CommandFailure {
  var message: String { description }
  var exitCode: ExitCode { .notWritable }
}

extension StoreFailure: CommandFailure {
  var exitCode: ExitCode {
    switch code {
    case .locked: .locked
    case .pruning: .limit
    case .full, .notWritable, .ledger: .notWritable
    }
  }
}

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

/// What may stand in the JSON of a command as it is.
protocol JSONConvertible {
  var json: JSONValue { get }
}

extension String: JSONConvertible { var json: JSONValue { .string(self) } }
extension Int: JSONConvertible { var json: JSONValue { .integer(self) } }
extension Double: JSONConvertible { var json: JSONValue { .number(self) } }
extension Bool: JSONConvertible { var json: JSONValue { .bool(self) } }
extension JSONObject: JSONConvertible { var json: JSONValue { .object(self) } }
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  var json: JSONValue { self?.json ?? .null }
}
extension Array: JSONConvertible where Element: JSONConvertible {
  var json: JSONValue { .array(map(\.json)) }
}
extension Date: JSONConvertible {
  /// ISO 8601 in UTC, whole seconds.
  var json: JSONValue { .string(formatted(.iso8601)) }
}

extension JSONObject {
  init(_ members: KeyValuePairs<String, any JSONConvertible>) {
    self = [:]
    append(members)
  }

  mutating func append(_ members: KeyValuePairs<String, any JSONConvertible>) {
    for (name, value) in members { self[name] = value.json }
  }
}

extension RenditionText {
  /// The size limit of the app, as the end of a sentence; empty for no limit.
  static func limit(_ bytes: Int) -> String {
    bytes > 0 ? " of the app's \(ByteCountText.text(bytes))" : ""
  }
}
