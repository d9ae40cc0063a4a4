import ClientKit
import JobFile
import Syntax

/// Counts the lines of a job whose keys are paths of this machine: one warning for all of them.
struct LocalKeys {
  private var count = 0
  private var first: JobLine?

  /// - Parameter baseKey: what the keys of a line without `id=` begin with.
  mutating func note(_ baseKey: String, of line: JobLine) {
    guard LocalKey.isLocal(baseKey) else { return }
    count += 1
    if first == nil { first = line }
  }

  var findings: [Diagnostic] {
    guard let first else { return [] }
    let what = count == 1 ? "the key of this source is" : "the keys of this source and \(count - 1) more are"
    return [
      Diagnostic(
        .warning, file: first.file, line: first.line, column: 1,
        message: "\(what) a path of this machine, which no app on a device asks for",
        help: "give it the app's own key with id=, for example id=logo")
    ]
  }
}
