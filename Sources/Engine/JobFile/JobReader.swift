import Syntax
import Text

/// A job that is read: first its head, then one line after the other, so that a job of a million lines takes no more
/// memory than a short one. Its text is opened and read once, and may come from a pipe.
///
/// Nothing is thrown: what is wrong is in ``diagnostics``, all of it once the lines have been read.
package final class JobReader {
  package enum Stop: Sendable, Hashable {
    case end
    /// The next line of a stream is not there yet, or some lines are worth an answer.
    case pause
    /// A catalogue on a server is included next; ``read(_:)`` goes on with the copy that is there then.
    case catalogue(String)
  }

  package let head: JobHead
  private let input: JobInput
  /// Nil where the job could not be opened.
  private var lines: LineReader?
  private var pass: LinePass
  /// A line that was read too early, and its number.
  private var held: (line: LineReader.Line, number: Int)?
  private var number = 0

  /// Few enough to answer the first soon, enough to keep all workers busy.
  private static let linesOfAPause = 64

  /// Reads the head.
  ///
  /// - Parameters:
  ///   - given: what the command line and the environment say over the job's own settings.
  ///   - fetches: whether ``read(_:)`` stops for catalogues on servers, so that they can be fetched.
  package init(_ input: JobInput, _ given: GivenSettings = GivenSettings(), fetches: Bool = false) {
    self.input = input
    do throws(ReadFailure) {
      var lines = try input.reader(within: given.trust.roots)
      var pass = SettingsPass(file: input.name, given)
      while held == nil, let line = try lines.next() {
        number += 1
        if number == 1, Self.isUTF16(line) { throw ReadFailure(reason: "it is UTF-16; save it as UTF-8") }
        if !pass.read(line, number: number) { held = (line, number) }
      }
      head = JobHead(pass, of: input, given, firstSource: held?.number)
      self.lines = consume lines
    } catch {
      let pass = SettingsPass(file: input.name, given)
      head = JobHead(pass, of: input, given, firstSource: nil, failure: error)
    }
    pass = LinePass(head)
    pass.fetched = fetches ? [] : nil
  }

  /// What was found in the head and in the lines read since.
  package var diagnostics: Diagnostics { pass.found }
  /// Lines that were left out, where the job says `skip-invalid`.
  package var skipped: SkippedLines { pass.skipped }
  /// Those of the head, and those that stand in job lines.
  package var chains: ChainTable { pass.chains }
  /// Whether the lines, those of other parts among them, name no source, and the job may not be so.
  package var isEmpty: Bool {
    !pass.namesSource && skipped.isEmpty && !head.given.isStream && !head.allowsEmpty
  }
  /// Why the rest of a stream could not be read.
  package private(set) var failure: ReadFailure?

  /// Calls `body` with each line that is right, in the order written, lists included, and with the
  /// chains as far as they are known: those of the line are.
  ///
  /// Lines are only worth acting on when ``diagnostics`` has no errors afterwards.
  package func read(_ body: (JobLine, ChainTable) -> Void) -> Stop {
    let place = LinePlace(file: input.name, folder: head.folder)
    var count = 0
    while let (line, number) = next() {
      pass.read(line, in: place, number: number, body)
      if let url = pass.wantedCatalogue {
        pass.fetched?.insert(url)
        pass.wantedCatalogue = nil
        held = (line, number)
        return .catalogue(url)
      }
      count += 1
      if head.given.isStream, count >= Self.linesOfAPause || !isReady {
        pass.finish()
        return .pause
      }
    }
    if head.firstSource == nil, isEmpty, lines != nil, pass.found.hasErrors {
      pass.diagnostics.add(
        .inJob(
          input.name, "the job names no source", help: "add a line with a URL, a path, or: include urls.txt"))
    }
    pass.finish()
    return .end
  }

  /// Reads a line in place of the job's own, which stay to be read. It is never left out.
  package func read(
    inPlace text: String, file: String, _ body: (JobLine, ChainTable) -> Void
  ) -> (diagnostics: Diagnostics, chains: ChainTable) {
    var own = LinePass(head, isStrict: true)
    let place = LinePlace(file: file, folder: head.folder)
    own.read(.text(Array(text.utf8)[...]), in: place, number: 1, body)
    own.finish()
    return (own.found, own.chains)
  }

  /// Forgets what was found: the next lines of a stream are judged by themselves, and their catalogues fetched again.
  package func forget() {
    var next = LinePass(head)
    next.fetched = pass.fetched.map { _ in [] }
    next.diagnostics = Diagnostics()
    pass = next
  }

  /// Leaves out the catalogue that ``Stop/catalogue(_:)`` named, in a stream.
  package func refuseCatalogue(_ message: String) {
    guard case .text(let bytes)? = held?.line, let number = held?.number else { return }
    held = nil
    pass.stop(
      Mistake(bytes.startIndex, message), in: TextLine(file: input.name, number: number, bytes: bytes))
  }

  /// Waits a while for the next line of a stream.
  ///
  /// - Returns: whether the next line, or the end, is there.
  package func waitForLine(milliseconds: Int32) -> Bool {
    if isReady { return true }
    do throws(ReadFailure) { try lines?.fill(within: milliseconds) } catch { end(error) }
    return isReady
  }

  private var isReady: Bool { held != nil || lines?.isReady ?? true }

  private func next() -> (line: LineReader.Line, number: Int)? {
    if let line = held {
      held = nil
      return line
    }
    do throws(ReadFailure) {
      guard let line = try lines?.next() else { return nil }
      number += 1
      return (line, number)
    } catch {
      end(error)
      return nil
    }
  }

  private func end(_ error: ReadFailure) {
    lines = nil
    failure = error
    if !head.given.isStream { pass.diagnostics.add(.unreadable(input, error)) }
  }

  private static func isUTF16(_ line: LineReader.Line) -> Bool {
    guard case .text(let bytes) = line else { return false }
    return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }
}
