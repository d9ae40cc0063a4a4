import Signposts
import Text

/// The recording of a run, where one was asked for.
struct RunRecording {
  let signposts: Signposter
  private let recorder: SignpostRecorder?
  /// Those that somebody asked for by name.
  private let files: [SignpostFile]

  /// Opens the files; nothing else has been started when this throws.
  ///
  /// - Parameter collector: What reports want to know.
  init(
    _ arguments: RunArguments, collector: SignpostCollector?, context: CommandContext
  ) throws(SignpostFile.Failure) {
    let program = "preheat \(PreheatVersion.text)"
    let showsPrivate = arguments.showsSecrets
    var exporters: [any SignpostExporter] = []
    if let collector { exporters.append(collector) }
    var files: [SignpostFile] = []
    if let path = arguments.log {
      let file = try SignpostFile(path: path)
      files.append(file)
      exporters.append(SignpostLogExporter(file: file, program: program, showsPrivate: showsPrivate))
    }
    if let path = arguments.trace {
      let file = try SignpostFile(path: path)
      files.append(file)
      exporters.append(SignpostTraceExporter(file: file, program: program, showsPrivate: showsPrivate))
    }
    self.files = files
    if context.console.format == .journald, context.console.verbosity >= .verbose {
      let file = SignpostFile(descriptor: context.console.stream.descriptor)
      exporters.append(SignpostJournalExporter(file: file, showsPrivate: showsPrivate))
    }
    recorder = exporters.isEmpty ? nil : SignpostRecorder(exporters: exporters)
    signposts = recorder.map { Signposter($0) } ?? .disabled
  }

  /// Writes what is left, and says what could not be written.
  ///
  /// - Returns: Whether all files that were asked for are whole. A failure while a run works is not a failure of its
  ///   own, so the exit code waits for its end.
  func close(_ console: Console) -> Bool {
    recorder?.close()
    for failure in recorder?.failures ?? [] { console.error(failure) }
    return files.allSatisfy { $0.failure == nil }
  }
}
