import ClientRegistry
import FileStore
import Foundation
import JobFile
import Planning
import Sessions
import Settings
import Syntax
import Text

/// `preheat job --from KEYS`: the way back from what an app asked for to the job that warms it.
struct JobCommand: Command {
  static let spec = CommandSpec("job", "make a job from keys that an app looked up").with {
    $0.detail = [
      "KEYS is a list of cache keys, one a line, or a recording made with a recorder of examples/app. Preheat reads the "
        + "source, the thumbnail options and the processors from each key. It plans the job before it writes it: "
        + "only lines that give exactly the same keys are kept.",
      "Sizes are in pixels, unless --scale gives the screen scale of the keys. A processor that the app defines itself "
        + "becomes custom(\"...\") in a comment, since nothing can be drawn for it. A key that cannot be read becomes a comment with the reason, and the exit code is "
        + "\(ExitCode.someFailed.rawValue). If a recording has URLs beside the keys, Preheat derives id= and strip-query "
        + "from them. Job settings given as options, such as --cache, are written into the job.",
    ]
    $0.examples = [
      ("preheat job --client 'nuke 12' --from keys.txt", "in pixels"),
      ("preheat job --client 'nuke 12' --scale 3 --from requests.ndjson -o app.job", "in points"),
    ]
    $0.work = [.keys, .place, .sizes, .encoding]
    $0.takesJobs = true
    $0.options = [
      Recordings.from, output.row, CommandRows.json,
    ]
  }

  private static let output = FieldSetting<JobCommand>(
    CommandRows.output("write the job to this file instead of standard output").with {
      $0.detail = "Only its owner can read it: keys may hold tokens."
    }, \.output)

  private let recordings: [String]
  private var output: String?
  private let given: GivenSettings

  init(_ values: OptionValues) throws(UsageError) {
    recordings = values[Recordings.key]
    given = try values.given()
    values.settings.apply([Self.output], to: &self)
    if recordings.isEmpty {
      throw UsageError(
        .missingArgument, "the command line names no keys",
        suggestion: "for example: preheat job --client '\(ClientRegistry.example)' --from keys.txt")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    guard let session = try Recordings.read(recordings, in: context) else { return .usage }
    let (job, diagnostics) = KeyJob.make(
      from: session.requests, given.writing(to: output), isPrinted: output == nil && !context.json,
      setsAside: true)
    try JobLoading.show(diagnostics, in: context)
    guard let job else { return .usage }
    if let output {
      // Keys hold tokens as the app has them.
      try OutputFile.write(Data(job.text.utf8), to: output, isPrivate: true)
    } else if !context.json {
      try context.output.write(job.text)
    }
    if context.json { try context.output.write(job.json(showsText: output == nil).line) }
    Self.tell(job, to: output, in: context)
    return job.refusals.isEmpty && session.faults.isEmpty ? .success : .someFailed
  }

  static func tell(_ job: KeyJob, to output: String?, in context: CommandContext) {
    for refusal in job.refusals.prefix(told) {
      // The job has the key as it is; a log is read by others.
      let (key, reason) = (URLRedaction.redacted(refusal.key), URLRedaction.redacted(refusal.reason))
      context.console.warning("\(SafeText.escape(key, limit: 200)): \(SafeText.escape(reason, limit: 400))")
    }
    context.console.note(summary(job, to: output))
  }

  /// So many keys are told one by one; all are comments in the job.
  private static let told = 20

  private static func summary(_ job: KeyJob, to output: String?) -> String {
    var text = "\(NumberText.count(job.keyCount, "key")): \(NumberText.count(job.sourceCount, "source")), "
    text += NumberText.count(job.chainCount, "chain")
    if job.undrawnCount > 0 { text += ", \(job.undrawnCount) of them with custom processors, as comments" }
    if !job.refusals.isEmpty { text += "; \(NumberText.count(job.refusals.count, "key")) became comments" }
    return text + (output.map { " in \(SafeText.escape($0))" } ?? "")
  }
}

/// Reads recordings of the command line.
enum Recordings {
  static let key = SettingKey("from", default: [String]())

  static let from = Setting(
    list: key, .path("KEYS"), in: .flag, .job,
    "read keys or recordings from this file; - is standard input (repeatable)", example: "from keys.txt"
  ).with { $0.isCommon = true }

  /// Nil where one cannot be read, which has been told then.
  static func read(_ paths: [String], in context: CommandContext) throws -> RecordedSession? {
    var session = RecordedSession()
    for path in paths {
      do throws(ReadFailure) {
        if path == "-" {
          let bytes: [UInt8]
          do { bytes = try StandardStreams.readAll() } catch { throw ReadFailure(reason: "\(error)") }
          try session.read("<stdin>", LineReader(bytes: bytes))
        } else {
          try session.read(path, LineReader(path: path))
        }
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

extension KeyJob {
  func json(showsText: Bool) -> JSONObject {
    var object = JSONObject([
      "v": 1, "type": "job",
      "keys": keyCount, "sources": sourceCount, "chains": chainCount, "undrawn": undrawnCount,
      "refused": refusals.map {
        JSONObject(["key": $0.key, "reason": $0.reason, "line": $0.proposal])
      },
    ])
    if showsText { object["text"] = .string(text) }
    return object
  }
}
