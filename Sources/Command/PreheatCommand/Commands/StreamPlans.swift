import JobFile
import Planning
import Syntax
import Text

/// Plans of the lines that come in on standard input, for a run that answers each of them.
actor StreamPlans {
  private let given: GivenSettings
  private let context: CommandContext
  private var input: JobInput
  private let feed = LineFeed()
  private var frame: Plan?
  private var ready: [Plan] = []

  /// - Parameter settings: a job without sources; nil where flags say everything.
  init(_ arguments: JobArguments, settings: String?, context: CommandContext) throws(UsageError) {
    self.context = context
    given = try arguments.sharded()
    input = settings.map { .file($0) } ?? .text(name: "-", bytes: [])
  }

  /// The settings alone, and what was found in them.
  func begin() -> (plan: Plan?, diagnostics: Diagnostics) {
    // The next reader reports a file that cannot be read.
    input = (try? input.loaded(within: given.trust.roots)) ?? input
    let made = make(StreamedLines(bytes: []))
    frame = made.plan
    return made
  }

  /// The next sources; nil at the end of the stream.
  func next() async -> Plan? {
    while ready.isEmpty {
      guard let lines = await feed.next() else {
        if let failure = await feed.failure {
          context.console.error("standard input cannot be read: \(SystemCall.words(failure.code))")
        }
        return nil
      }
      ready = plans(of: lines).filter { $0.renditionCount + $0.skipped.count > 0 }
    }
    let plan = ready.removeFirst()
    // Nobody may read the results any more; the run goes on for the cache's sake.
    for line in plan.skipped.lines { try? context.output.write(line.json(of: plan.settings.path).line) }
    return plan
  }

  /// Why the stream broke off; nil where it came to its end.
  var failure: StreamFailure? { get async { await feed.failure } }

  private func make(_ lines: StreamedLines) -> (plan: Plan?, diagnostics: Diagnostics) {
    Plan.make(input, given, lines: lines)
  }

  /// One plan for all lines that go together. One that does not, since an earlier one asks for another picture under the
  /// same key, is refused.
  private func plans(of lines: StreamedLines) -> [Plan] {
    if let plan = make(lines).plan { return [plan] }
    var accepted = lines
    accepted.bytes = []
    var refused = frame
    for text in lines.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let before = accepted.bytes
      accepted.bytes += text + [UInt8(ascii: "\n")]
      let (plan, diagnostics) = make(accepted)
      guard plan == nil, let error = diagnostics.first(where: { $0.severity == .error }) else { continue }
      refused?.skipped.add(.key, error)
      // An empty line keeps the numbers of those that follow.
      accepted.bytes = before + [UInt8(ascii: "\n")]
    }
    return [make(accepted).plan, refused].compactMap { $0 }
  }
}
