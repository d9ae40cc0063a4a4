import ClientKit
import ContentDigests
import Foundation
import Settings
import Syntax
import Text

/// A job as written: its settings, its chains and, streamed, its lines that name sources.
///
/// It is read twice. The first reading finds settings and chains, which hold for the whole job
/// wherever they stand; the second (``forEachLine(_:)``) hands out one line after the other, so a
/// job of a million lines takes no more memory than a short one. Nothing is thrown: what is wrong is
/// in ``diagnostics``, all of it once both readings are done.
package struct JobFile: Sendable {
  /// Nil when the job cannot be run at all: without a client or a cache folder.
  package private(set) var settings: JobSettings?
  /// Named chains first; ``forEachLine(_:)`` adds those that stand in job lines.
  package private(set) var chains = ChainTable()
  /// Complete after ``forEachLine(_:)``.
  package private(set) var diagnostics = Diagnostics()
  /// Lines that were left out, where the job says `skip-invalid`. Complete after ``forEachLine(_:)``.
  package private(set) var skipped = SkippedLines()

  /// The settings that hold, as lines of a job.
  package private(set) var settingLines: [SettingLine] = []

  private let input: JobInput
  private let given: GivenSettings
  /// The lines that name sources, where they come in by themselves; settings are in the job then.
  private let lines: StreamedLines?
  private var source: LineSource?
  private var resolver = ChainResolver()
  private var defaults: [Int] = []
  private var stripQuery: QueryNames = []
  private var skipping = Skipping()
  /// What the first reading left, for a second call of ``forEachLine(_:)``.
  private var firstReading = (diagnostics: Diagnostics(), chains: ChainTable())

  /// Reads settings and chains.
  ///
  /// - Parameters:
  ///   - given: what the command line and the environment say over the job's own settings.
  ///   - lines: what takes the place of the job's own lines that name sources. A wrong one of them is left out.
  package init(
    reading input: JobInput, _ given: GivenSettings = GivenSettings(), lines: StreamedLines? = nil
  ) {
    self.lines = lines
    self.input = input
    self.given = given
    diagnostics = Diagnostics(keeping: given.errorsKept)
    var pass = SettingsPass(file: input.name, given)
    do throws(ReadFailure) {
      let source = try LineSource(input, within: given.trust.roots)
      var isText = true
      try source.forEachLine { line, number in
        if number == 1, Self.isUTF16(line) { isText = false }
        if isText { pass.read(line, number: number) }
      }
      if !isText { throw ReadFailure(reason: "it is UTF-16; save it as UTF-8") }
      self.source = source
    } catch {
      report("\(Mistake.quote(input.name)) cannot be read: \(error.reason)")
      return
    }
    var resolved = ResolvedSettings(given, over: pass, in: input.folder)
    var values = resolved.values
    if lines != nil { values[JobKey.skipInvalid] = true }
    skipping = Skipping(
      isOn: values[JobKey.skipInvalid], isPlainList: pass.isPlainList, clientName: pass.clientName)
    diagnostics.add(contentsOf: pass.errors(skips: skipping.isOn))
    stripQuery = QueryNames(values[JobKey.stripQuery])
    let cache = resolved.cacheFolder(input)
    if let client = resolved.client, let cache {
      settings = JobSettings(
        path: input.path, client: client, cache: given.shard?.folder(of: cache) ?? cache, values: values)
      settings?.shard = given.shard
      settings?.origin = resolved.origin
      settings?.trustedRoots = given.trust.roots
    }
    settingLines = resolved.lines
    resolver = pass.resolver
    resolver.dialect = resolved.dialect
    resolver.resolveAll(into: &chains, &diagnostics)
    defaults = resolved.defaults(&resolver, &chains)
    diagnostics.add(contentsOf: resolved.diagnostics)
    if lines != nil, pass.sourceLines > 0 {
      report(
        "this job gives settings for a stream, and names sources itself", help: "put them into the stream")
    } else if pass.sourceLines == 0, lines == nil {
      report("the job names no source", help: "add a line with a URL, a path, or: include urls.txt")
    }
    firstReading = (diagnostics, chains)
  }

  /// Calls `body` with each line that is right, in the order written, lists included, and with the
  /// chains as far as they are known: those of the line are.
  ///
  /// Lines are only worth acting on when ``diagnostics`` has no errors afterwards.
  package mutating func forEachLine(_ body: (JobLine, ChainTable) -> Void) {
    guard let source else { return }
    var pass = LinePass(
      firstReading, resolver: resolver, defaults: defaults, stripQuery: stripQuery,
      settings: (input.folder, settings?.cache), given, skipping: skipping)
    do throws(ReadFailure) {
      if let lines {
        try LineSource.bytes(lines.bytes).forEachLine { line, number in
          pass.read(
            line, file: StreamedLines.name, number: lines.firstNumber + number - 1, isStreamed: true, body)
        }
      } else {
        try source.forEachLine { line, number in pass.read(line, file: input.name, number: number, body) }
      }
    } catch {
      report("\(Mistake.quote(input.name)) cannot be read: \(error.reason)")
    }
    pass.finish()
    diagnostics = pass.diagnostics
    skipped = pass.skipped
    chains = pass.chains
  }

  /// An error about the job as a whole.
  private mutating func report(_ message: String, help: String? = nil) {
    diagnostics.add(
      Diagnostic(.error, file: input.name, line: 1, column: 1, message: message, help: help))
  }

  private static func isUTF16(_ line: LineReader.Line) -> Bool {
    guard case .text(let bytes) = line else { return false }
    return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }
}
