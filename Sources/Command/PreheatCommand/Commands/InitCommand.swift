import FileStore
import Foundation
import JobFile
import Sessions
import Syntax
import Text

/// `preheat init FILE...`: a job from what an app has: its lock file, and a catalogue, a list, a recording or keys.
struct InitCommand: Command {
  static let spec = CommandSpec("init", "make a job from a catalogue, a list, a recording or keys")
    .with {
      $0.detail = [
        "FILE is the app's lock file (Package.resolved, Podfile.lock), a catalogue (CSV, TSV, JSON, NDJSON), a list of "
          + "URLs, or a recording made with a recorder of examples/app. The client and its release are those of the lock "
          + "file. Without one, the lock files in this folder and above it in the repository are looked at.",
        "The URL of a catalogue is the first field whose first values are URLs, with image or photo in its name before "
          + "others; add id=, priority= and the like yourself. The chains thumb and card are examples: put the app's own "
          + "sizes and processors there.",
        "With a recording, or a list of cache keys (--from), the chains are those that the app asked for: Preheat reads "
          + "the source, the thumbnail options and the processors from each key, and keeps only lines that give exactly "
          + "the same keys. Sizes are in pixels where neither --scale nor the keys give the screen scale. If a recording has "
          + "URLs beside the keys, Preheat derives id= and strip-query from them. A processor that the app defines itself "
          + "becomes custom(\"...\") in a comment, since nothing can be drawn for it. A key that cannot be read becomes a "
          + "comment with the reason, and the exit code is \(ExitCode.someFailed.rawValue).",
        "Job settings given as options, such as --cache, are written into the job. The job is planned before it is "
          + "written.",
      ]
      $0.positionals = [
        .init("FILE", 0...Int.max, "a lock file, a catalogue, a list of URLs or a recording")
      ]
      $0.examples = [
        ("preheat init App/Package.resolved feed.csv -o app.job", "each row of the catalogue is a source"),
        ("preheat init urls.txt -o list.job", "the lock file is found"),
        ("preheat init --client 'nuke 12' --scale 3 requests.ndjson -o asked.job", "what the app asked for"),
        ("preheat init --client 'nuke 12' --from keys.txt", "from cache keys, one a line"),
      ]
      $0.work = [.keys, .place, .sizes, .encoding]
      $0.takesJobs = true
      $0.options = fields.map(\.row) + [CommandRows.json]
    }

  private static let fields: [FieldSetting<InitCommand>] = [
    FieldSetting(
      Setting(
        list: SettingKey("from", default: []), SettingType<String>.path("KEYS"), in: .flag, .job,
        "read keys or recordings from this file; - is standard input (repeatable)", example: "from keys.txt"
      ).common, \.recordings),
    FieldSetting(
      "url", \.url, .text("FIELD"), in: .flag, .job, "the catalogue's field that is the URL, or a template",
      detail: "A template has fields in braces: https://cdn.example/{sku}.jpg."
    ).with { $0.defaultText = "the first column of a table whose values are URLs" }.common,
    FieldSetting(
      CommandRows.output("write the job to this file instead of standard output").with {
        $0.detail = "Only its owner can read it: keys may hold tokens."
      }, \.output),
    FieldSetting(CommandRows.force.with { $0.summary = "replace the file if it exists" }, \.isForced),
  ]

  private let files: [String]
  private var recordings: [String] = []
  private var url: String?
  private var output: String?
  private var isForced = false
  private var given: GivenSettings

  init(_ values: OptionValues) throws(UsageError) {
    files = values.words
    given = try values.given()
    // Only what stands in the job holds for it; a header's value is not needed.
    given.readsVariables = false
    values.settings.apply(Self.fields, to: &self)
    let lines = [url, given[JobRows.Structure.client.rawValue], given[JobRows.Structure.cache.rawValue]]
      .compactMap { $0 }
    for text in lines where !QuotedText.holds(text) {
      throw UsageError(.invalidValue, "\(text) has a line end in it, and a line of a job has none")
    }
  }

  /// A job, and what is printed about it.
  private typealias Made = (text: String, line: InitLine, summary: String, code: ExitCode)

  func run(in context: CommandContext) async throws -> ExitCode {
    try checkOutput()
    let material = try sort()
    let (client, settings) = try client(material.locks, in: context)
    guard
      var made = material.includes.isEmpty
        ? try made(client, recordings: material.recordings, settings, in: context)
        : try made(client, including: material.includes, settings, in: context)
    else { return .usage }
    if let output {
      try checkOutput()
      try OutputFile.write(Data(made.text.utf8), to: output, isPrivate: true)
    } else if context.json {
      made.line.text = made.text
    } else {
      // A job has no escapes.
      guard made.text.split(separator: "\n").allSatisfy({ SafeText.escape(String($0)) == $0 }) else {
        throw UsageError(
          .conflict, "a name in the job would be obeyed by a terminal or a CI system",
          suggestion: "write the job to a file with -o")
      }
      try context.output.write(made.text)
    }
    if context.json { try context.output.write(made.line.jsonLine) }
    context.console.note(made.summary + (output.map { " in \(SafeText.escape($0))" } ?? ""))
    return made.code
  }

  private func checkOutput() throws(UsageError) {
    guard let path, access(path, F_OK) == 0 || !SystemCall.meansAbsence(errno) else { return }
    guard isForced else {
      throw UsageError(.conflict, "\(path) exists", suggestion: "--force replaces it, -o names another file")
    }
    try OutputCheck(option: "--output", place: path, mark: "").check(
      inputs: files + recordings, isForced: true)
  }

  /// The job's own file, if it gets one. Paths in a job for a device start at the working folder.
  private var path: String? { output.flatMap { $0.hasPrefix("/dev/") ? nil : $0 } }

  // MARK: What there is

  private typealias Material = (locks: [String], includes: [IncludeProposal], recordings: [String])

  private func sort() throws(UsageError) -> Material {
    var material: Material = ([], [], recordings)
    let roots = given.trust.roots
    for file in files {
      try Self.usage { () throws(Mistake) in
        switch try JobMaterial(of: file, within: roots) {
        case .lockFile: material.locks.append(file)
        case .recording: material.recordings.append(file)
        case .sources(let format):
          material.includes.append(try IncludeProposal(file, format, url: url, within: roots))
        }
      }
    }
    if material.includes.isEmpty, material.recordings.isEmpty {
      throw UsageError(
        .missingArgument, "the command line names no catalogue, list or recording",
        suggestion: "for example: preheat init Package.resolved feed.csv -o app.job")
    }
    if !material.includes.isEmpty, !material.recordings.isEmpty {
      throw UsageError(
        .conflict, "a recording has the sources itself: name it without a catalogue or a list")
    }
    return material
  }

  /// The client as the job says it, and the settings with it.
  private func client(
    _ locks: [String], in context: CommandContext
  ) throws(UsageError) -> (text: String, settings: GivenSettings) {
    let name = JobRows.Structure.client.rawValue
    var settings = given
    var client: AppClient
    if let text = given[name] ?? (locks.isEmpty ? context.environment[Setting.variable(of: name)] : nil) {
      if let lock = locks.first {
        throw UsageError(.conflict, "--client and \(lock) both name the client", suggestion: "take one out")
      }
      settings[name] = text
      let words = text.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, words[1] == "from" else { return (text, settings) }
      let file = words[2].trimmingCharacters(in: ["\"", " "])
      client = AppClient(name: words[0], file: file)
    } else {
      client = try Self.usage { () throws(Mistake) in
        try AppClient.only(in: locks, near: ".", within: given.trust.roots)
      }
      settings[name] = client.text
    }
    client.file = FirstJob.path(client.file, from: path)
    return (client.text, settings)
  }

  private static func usage<Value>(_ body: () throws(Mistake) -> Value) throws(UsageError) -> Value {
    do throws(Mistake) { return try body() } catch {
      throw UsageError(.invalidValue, error.message, suggestion: error.help)
    }
  }

  // MARK: What is written

  private func made(
    _ client: String, including includes: [IncludeProposal], _ settings: GivenSettings,
    in context: CommandContext
  ) throws -> Made? {
    let (job, diagnostics) = FirstJob.make(client, includes, at: path, settings.writing(to: path))
    try JobLoading.show(diagnostics, in: context)
    guard let job else {
      if !context.json { context.console.error("no job was written: a plan of it has the errors above") }
      return nil
    }
    for include in job.includes {
      let words = [include.format?.title ?? "a list of URLs", SafeText.escape(include.optionText)]
      context.console.note(
        "\(SafeText.escape(include.path)): \(words.filter { !$0.isEmpty }.joined(separator: ", "))")
    }
    var text = "\(job.client.inWords): \(NumberText.count(job.sourceCount, "source")), "
    text += NumberText.count(job.renditionCount, "rendition")
    if job.skippedCount > 0 { text += "; \(NumberText.count(job.skippedCount, "line")) left out" }
    return (job.text, InitLine(job), text, .success)
  }

  private func made(
    _ client: String, recordings paths: [String], _ settings: GivenSettings, in context: CommandContext
  ) throws -> Made? {
    guard let session = try Recordings.read(paths, in: context) else { return nil }
    let isComplete = session.faults.isEmpty
    let (made, diagnostics) = KeyJob.make(
      from: session.requests, settings.writing(to: path), setsAside: true, listsLines: false)
    try JobLoading.show(diagnostics, in: context)
    guard let job = made else { return nil }
    for refusal in job.refusals.prefix(Self.shownRefusals) {
      // The job has the key as it is; a log is read by others.
      let (key, reason) = (URLRedaction.redacted(refusal.key), URLRedaction.redacted(refusal.reason))
      context.console.warning("\(SafeText.escape(key, limit: 200)): \(SafeText.escape(reason, limit: 400))")
    }
    var text = "\(NumberText.count(job.keyCount, "key")): \(NumberText.count(job.sourceCount, "source")), "
    text += NumberText.count(job.chainCount, "chain")
    if job.undrawnCount > 0 { text += ", \(job.undrawnCount) of them with custom processors, as comments" }
    if !job.refusals.isEmpty { text += "; \(NumberText.count(job.refusals.count, "key")) became comments" }
    // The keys were read by this release; the job follows the app.
    let written = job.text.replacing(
      "\nclient \(job.client)\n", with: "\nclient \(client)\n", maxReplacements: 1)
    return (written, InitLine(job), text, job.refusals.isEmpty && isComplete ? .success : .someFailed)
  }

  /// Maximum number of refused keys that are printed; the job lists all.
  private static let shownRefusals = 20
}

/// The job that was made, of sources or of keys.
struct InitLine: JSONRecord {
  private let client: String
  private let sources: Int
  private var renditions, skipped, keys, chains, undrawn: Int?
  private var includes: [IncludeProposal]?
  private var refused: [KeyJob.Refusal]?
  /// Nil where it is written to a file.
  var text: String?

  init(_ job: FirstJob) {
    (client, sources) = (job.client.description, job.sourceCount)
    (renditions, skipped, includes) = (job.renditionCount, job.skippedCount, job.includes)
  }

  init(_ job: KeyJob) {
    (client, sources) = (job.client.description, job.sourceCount)
    (keys, chains, undrawn, refused) = (job.keyCount, job.chainCount, job.undrawnCount, job.refusals)
  }

  static let json = JSONMembers<Self>(
    type: "init", ("client", \.client), ("sources", \.sources), ("renditions?", \.renditions),
    ("skipped?", \.skipped), ("includes?", \.includes), ("keys?", \.keys), ("chains?", \.chains),
    ("undrawn?", \.undrawn), ("refused?", \.refused), ("text?", \.text))
}

extension IncludeProposal: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("path", \.path), ("format", \.format?.rawValue), ("options", \.optionText))
}

extension KeyJob.Refusal: JSONRecord {
  package static let json = JSONMembers<Self>(("key", \.key), ("reason", \.reason), ("line", \.proposal))
}
