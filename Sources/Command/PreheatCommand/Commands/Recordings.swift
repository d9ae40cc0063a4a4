import Foundation
import JobFile
import Sessions
import Text

/// Reads recordings of the command line.
enum Recordings {
  /// Nil where one cannot be read; the reason has been printed then.
  static func read(_ paths: [String], in context: CommandContext) throws -> RecordedSession? {
    var session = RecordedSession()
    for path in paths {
      do throws(ReadFailure) {
        let isInput = path == "-"
        let reader = try isInput ? LineReader(descriptor: dup(STDIN_FILENO)) : LineReader(path: path)
        try session.read(isInput ? "<stdin>" : path, reader)
      } catch {
        context.console.error("\(SafeText.escape(path)) cannot be read: \(error.reason)")
        return nil
      }
    }
    for fault in session.faults.prefix(20) {
      context.console.warning("\(SafeText.escape(fault.name)):\(fault.line): \(fault.message)")
    }
    if session.faults.count > 20 {
      context.console.warning("\(NumberText.count(session.faults.count - 20, "more line")) could not be read")
    }
    if session.requests.isEmpty {
      context.console.error("\(paths.map { SafeText.escape($0) }.joined(separator: ", ")): no keys in it")
      return nil
    }
    return session
  }
}

extension GivenSettings {
  /// The same for a job that is written to a file: a cache that the command line names is named as seen from there.
  func writing(to job: String?) -> GivenSettings {
    let name = JobRows.Structure.cache.rawValue
    guard let job, let cache = self[name], !cache.hasPrefix("/"), !job.hasPrefix("/dev/") else { return self }
    var given = self
    let path = PathText.relative(cache, to: PathText.folder(of: job))
    given[name] = path.isEmpty ? "." : path
    return given
  }
}
