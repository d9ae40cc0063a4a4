import ClientRegistry
import FileStore
import Foundation
import JobFile
import Sessions
import Settings
import Syntax
import Text

/// `preheat init FILE...`: a first job from what an app has: its lock file, and a catalogue, a list or a recording.
struct InitCommand: Command {
  static let spec = CommandSpec("init", "make a first job from a lock file and a catalogue or a recording")
    .with {
      $0.detail = [
        "FILE is the app's lock file (Package.resolved, Podfile.lock), a catalogue (CSV, TSV, JSON, "
          + "NDJSON), a list of URLs, or a recording. Without a lock file, those in this folder and above it "
          + "in the repository are looked at.",
        "The client and its release are those of the lock file. The fields of a catalogue are found by its header and "
          + "its first rows. The chains thumb and card are examples: put the app's own sizes and processors there. With a "
          + "recording the chains are those that the app asked for, as 'preheat job' writes them. Job settings given as "
          + "options, such as --cache, are written into the job. The job is planned before it is written.",
      ]
      $0.positionals = [
        .init("FILE", .file, 0...Int.max, "a lock file, a catalogue, a list of URLs or a recording")
      ]
      $0.examples = [
        ("preheat init App/Package.resolved feed.csv -o app.job", "each row of the catalogue is a source"),
        ("preheat init urls.txt -o list.job", "the lock file is found"),
        ("preheat init --client 'nuke 12' --from requests.ndjson -o asked.job", "what the app asked for"),
      ]
      $0.work = [.keys, .place, .sizes, .encoding]
      $0.takesJobs = true
      $0.options = [Recordings.from] + fields.map(\.row) + [CommandRows.json]
    }

  private static let fields: [FieldSetting<InitCommand>] = [
    FieldSetting(
      "url", \.url, .text("FIELD"), in: .flag, .job, "the catalogue's field that is the URL, or a template"
    ).with {
      $0.detail = "A template has fields in braces: https://cdn.example/{sku}.jpg."
      $0.defaultText = "the field whose first values are URLs of pictures"
      $0.isCommon = true
    },
    FieldSetting(
      CommandRows.output("write the job to this file instead of standard output").with {
        $0.detail = "Only its owner can read it: a recording's keys may hold tokens."
      }, \.output),
    FieldSetting("force", \.isForced, .flag, in: .flag, .output, "replace the file if it exists"),
  ]

  private let files: [String]
  private var recordings: [String]
  private var url: String?
  private var output: String?
  private var isForced = false
  private var given: GivenSettings

  init(_ values: OptionValues) throws(UsageError) {
    files = values.words
    recordings = values[Recordings.key]
    given = try values.given()
    // Only what stands in the job holds for it; a header's value is not needed.
    given.readsVariables = false
    values.settings.apply(Self.fields, to: &self)
    let lines = [url, given[JobRows.Structure.client.rawValue], given[JobRows.Structure.cache.rawValue]]
    for text in lines.compactMap({ $0 }) where !QuotedText.holds(text) {
      throw UsageError(.invalidValue, "\(text) has a line end in it, and a line of a job has none")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try checkOutput()
    let material = try sort()
    let (origin, settings) = try client(material.locks, in: context)
    if material.includes.isEmpty {
      return try write(origin, recordingsOf: material.recordings, settings, in: context)
    }
    return try write(origin, including: material.includes, settings, in: context)
  }

  private func checkOutput() throws(UsageError) {
    guard let output, !isForced, isFile, (try? FileManager.default.attributesOfItem(atPath: output)) != nil
    else { return }
    throw UsageError(
      .conflict, "\(output) exists", suggestion: "--force replaces it, -o names another file")
  }

  /// Whether the job gets a place of its own. Paths in a job for a device start at the working folder.
  private var isFile: Bool { output.map { !$0.hasPrefix("/dev/") } ?? false }

  // MARK: What there is

  private typealias Material = (locks: [String], includes: [IncludeProposal], recordings: [String])

  private func sort() throws(UsageError) -> Material {
    var material: Material = ([], [], recordings)
    let roots = given.trust.roots
    for file in files {
      try Self.told { () throws(Mistake) in
        switch try JobMaterial(of: file, within: roots) {
        case .lockFile: material.locks.append(file)
        case .recording: material.recordings.append(file)
        case .list: material.includes.append(IncludeProposal(list: file))
        case .catalogue(let format):
          material.includes.append(try IncludeProposal(catalogue: file, format, url: url, within: roots))
        }
      }
    }
    guard material.includes.isEmpty != material.recordings.isEmpty else {
      let isBoth = !material.includes.isEmpty
      throw UsageError(
        isBoth ? .conflict : .missingArgument,
        isBoth
          ? "a recording has the sources itself: name it without a catalogue or a list"
          : "the command line names no catalogue, list or recording",
        suggestion: isBoth ? nil : "for example: preheat init Package.resolved feed.csv -o app.job")
    }
    return material
  }

  /// The client as the job says it, and the settings with it.
  private func client(
    _ locks: [String], in context: CommandContext
  ) throws(UsageError) -> (origin: FirstJob.Origin, settings: GivenSettings) {
    let name = JobRows.Structure.client.rawValue
    let path = isFile ? output : nil
    var settings = given
    if let text = given[name] ?? (locks.isEmpty ? context.environment[Setting.variable(of: name)] : nil) {
      guard locks.isEmpty else {
        throw UsageError(
          .conflict, "--client and \(locks[0]) both name the client", suggestion: "take one out")
      }
      settings[name] = text
      let words = text.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, words[1] == "from" else { return (FirstJob.Origin(text: text), settings) }
      let file = words[2].trimmingCharacters(in: ["\"", " "])
      return (FirstJob.Origin(AppClient(name: words[0], file: file, version: ""), for: path), settings)
    }
    let client = try Self.told { () throws(Mistake) in
      try AppClient.only(in: locks, near: ".", within: given.trust.roots)
    }
    settings[name] = FirstJob.Origin(client, for: nil).text
    return (FirstJob.Origin(client, for: path), settings)
  }

  private static func told<Value>(_ body: () throws(Mistake) -> Value) throws(UsageError) -> Value {
    do throws(Mistake) { return try body() } catch {
      throw UsageError(.invalidValue, error.message, suggestion: error.help)
    }
  }

  // MARK: What is written

  private func write(
    _ origin: FirstJob.Origin, including includes: [IncludeProposal], _ settings: GivenSettings,
    in context: CommandContext
  ) throws -> ExitCode {
    let path = isFile ? output : nil
    let (job, diagnostics) = FirstJob.make(origin, includes, at: path, settings.writing(to: path))
    try JobLoading.show(diagnostics, in: context)
    guard let job else {
      if !context.json { context.console.error("no job was written: a plan of it has the errors above") }
      return .usage
    }
    try write(job.text, in: context)
    if context.json { try context.output.write(job.json(showsText: output == nil).line) }
    for include in job.includes {
      context.console.note("\(SafeText.escape(include.path)): \(include.summary)")
    }
    var text = "\(job.client): \(NumberText.count(job.sourceCount, "source")), "
    text += NumberText.count(job.renditionCount, "rendition")
    if job.skippedCount > 0 { text += "; \(NumberText.count(job.skippedCount, "line")) left out" }
    context.console.note(text + (output.map { " in \(SafeText.escape($0))" } ?? ""))
    return .success
  }

  private func write(
    _ origin: FirstJob.Origin, recordingsOf paths: [String], _ settings: GivenSettings,
    in context: CommandContext
  ) throws -> ExitCode {
    guard let session = try Recordings.read(paths, in: context) else { return .usage }
    var written = settings.writing(to: isFile ? output : nil)
    let client = ResolvedSettings(settings).client
    let cache = JobRows.Structure.cache.rawValue
    if written[cache] == nil { written[cache] = client.flatMap { FirstJob.cache(of: $0) } }
    let (made, diagnostics) = KeyJob.make(
      from: session.requests, written, isPrinted: output == nil && !context.json, setsAside: true)
    try JobLoading.show(diagnostics, in: context)
    guard var job = made, let client else { return .usage }
    // The keys were read by this release; the job follows the app.
    job.text = job.text.replacing(
      "\nclient \(client)\n", with: "\nclient \(origin.text)\n", maxReplacements: 1)
    try write(job.text, in: context)
    if context.json { try context.output.write(job.json(showsText: output == nil).line) }
    JobCommand.tell(job, to: output, in: context)
    return job.refusals.isEmpty && session.faults.isEmpty ? .success : .someFailed
  }

  private func write(_ text: String, in context: CommandContext) throws {
    if let output { return try OutputFile.write(Data(text.utf8), to: output, isPrivate: true) }
    if context.json { return }
    // A job has no escapes.
    guard text.split(separator: "\n").allSatisfy({ SafeText.escape(String($0)) == $0 }) else {
      throw UsageError(
        .conflict, "a name in the job would be obeyed by a terminal or a CI system",
        suggestion: "write the job to a file with -o")
    }
    try context.output.write(text)
  }
}

extension IncludeProposal {
  fileprivate var summary: String {
    guard let format else { return "a list of URLs" }
    return [format.title, SafeText.escape(optionText)].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension FirstJob {
  fileprivate func json(showsText: Bool) -> JSONObject {
    var object = JSONObject([
      "v": 1, "type": "init", "client": client.description, "sources": sourceCount,
      "renditions": renditionCount, "skipped": skippedCount,
      "includes": includes.map {
        JSONObject(["path": $0.path, "format": $0.format?.rawValue, "options": $0.optionText])
      },
    ])
    if showsText { object["text"] = .string(text) }
    return object
  }
}
