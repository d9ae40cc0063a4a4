import Bundles
import CacheStore
import CacheTools
import FileStore
import Foundation
import Pictures
import Planning
import Reporting
import Sessions
import Signposts
import Syntax
import Text

/// An error that ends a command with a message and a code of its own.
protocol CommandFailure: Error {
  var message: String { get }
  var exitCode: ExitCode { get }
  /// The same as it is printed.
  var object: ErrorObject { get }
}

extension CommandFailure {
  var object: ErrorObject { ErrorObject(message) }
}

extension ReportFailure: CommandFailure { var exitCode: ExitCode { .usage } }
extension ReadFailure: CommandFailure {
  var message: String { reason }
  var exitCode: ExitCode { .usage }
}
extension SignpostFile.Failure: CommandFailure { var exitCode: ExitCode { .notWritable } }
extension RenderFailure: CommandFailure { var exitCode: ExitCode { .unexpected } }
extension StoreFailure: CommandFailure {
  var object: ErrorObject { ToolError(self).object }
  var exitCode: ExitCode {
    switch code {
    case .locked: .locked
    case .pruning: .limit
    case .full, .notWritable, .unreadable, .ledger: .notWritable
    }
  }
}

extension ToolError: CommandFailure {
  var object: ErrorObject {
    ErrorObject(text: description, message: message, code: "\(code)", advice: advice)
  }
  var exitCode: ExitCode {
    switch code.kind {
    case .input, .client, .conflict, .since, .key: .usage
    case .damaged: .damaged
    case .limit: .limit
    case .locked: .locked
    case .read, .write: .notWritable
    }
  }
}

extension CommandContext {
  /// Writes a file and the folders above it, or says why it cannot be written.
  func write(_ text: String, to path: String) -> Bool {
    do {
      try FileManager.default.createDirectory(
        atPath: PathText.folder(of: path), withIntermediateDirectories: true)
      try OutputFile.write(Data(text.utf8), to: path)
      return true
    } catch {
      let reason = (error as? FileStoreError)?.reason.description ?? error.localizedDescription
      console.error("\(path) cannot be written: \(reason)")
      return false
    }
  }
}

extension Date: JSONWritable {
  package static var schema: String { String.schema }

  /// ISO 8601 in UTC, whole seconds.
  package func write(to json: inout JSONBytes) { json.string(formatted(.iso8601)) }
}

extension Diagnostic.Severity: JSONWord {}
extension CacheDifference.Entry.Kind: JSONWord {}
extension Finding.Severity: JSONWord {}
extension InspectedEntry.Fate: JSONWord {}
extension ReplayedRequest.Outcome: JSONWord {}

/// The kinds of objects that commands print with `--json`, in the order of the schema.
enum OutputKinds {
  static let all: [any JSONRecord.Type] = [
    RenditionLine.self, SkippedRecord.self, Diagnostic.self, ErrorObject.self,
    PrunePreview.self, PlanComparison.self, RunRecord.self, ReplayedRequest.self,
    MissedChain.self, ReplayReport.Cure.self, ReplayedCache.Entry.self, ReplayReport.self, InitLine.self,
    InspectedEntry.self, CacheTotal.self, Finding.self, VerifyPage.self,
    SweepReport.Removed.self, SweepReport.self, MergeReport.self, CacheDifference.Entry.self,
    CacheDifference.self,
    BundleReport.self, OperationStatistics.self,
  ]

  static var schema: String {
    JSONSchema.document(
      title: "A line of preheat --json",
      description:
        "Objects that this release of Preheat prints with --json, one a line; docs/json.md says what the "
        + "fields mean. Later releases may add fields and types.", all)
  }
}
