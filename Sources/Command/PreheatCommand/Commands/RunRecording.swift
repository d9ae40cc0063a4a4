import Signposts
import Text

/// The recording of a run, where one was asked for.
struct RunRecording {
  package let signposts: Signposter
  private let recorder: SignpostRecorder?

  /// Opens the files; nothing else has been started when this throws.
  ///
  /// - Parameter collector: What reports want to know.
  init(
    _ arguments: RecordingArguments, collector: SignpostCollector?, context: CommandContext
  ) throws(SignpostFile.Failure) {
    let program = "preheat \(PreheatVersion.text)"
    let showsPrivate = arguments.showsPrivate
    var exporters: [any SignpostExporter] = []
    if let collector { exporters.append(collector) }
    if let path = arguments.log {
      exporters.append(
        SignpostLogExporter(
          file: try SignpostFile(path: path), program: program, showsPrivate: showsPrivate))
    }
    if let path = arguments.trace {
      exporters.append(
        SignpostTraceExporter(
          file: try SignpostFile(path: path), program: program, showsPrivate: showsPrivate))
    }
    if context.console.format == .journald, context.console.verbosity >= .verbose {
      let file = SignpostFile(descriptor: context.console.stream.descriptor)
      exporters.append(SignpostJournalExporter(file: file, showsPrivate: showsPrivate))
    }
    recorder = exporters.isEmpty ? nil : SignpostRecorder(exporters: exporters)
    signposts = recorder.map { Signposter($0) } ?? .disabled
  }

  /// Writes what is left. A log that is not whole is worth a warning, and no failure of the run.
  package func close(_ console: Console) {
    recorder?.close()
    for failure in recorder?.failures ?? [] { console.warning(failure) }
  }
}
