import Planning
import Text

/// A run as JUnit XML: a suite for each job, a case for each rendition.
package struct JUnitReport: Sendable {
  private let record: RunRecord

  package init(_ record: RunRecord) { self.record = record }

  package var text: String {
    let suites = Set(record.renditions.map(\.job)).union(record.summary.jobs)
    let order = record.summary.jobs + suites.subtracting(record.summary.jobs).sorted()
    let byJob = Dictionary(grouping: record.renditions, by: \.job)
    var seen: Set<String> = []
    var xml = ""
    var outcomes: [Outcome] = []
    for job in order where seen.insert(job).inserted {
      let isFirst = seen.count == 1
      xml += suite(job, byJob[job] ?? [], isFirst: isFirst, &outcomes)
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="preheat"\(Self.attributes(outcomes)) time="\(seconds)">
      \(xml)</testsuites>

      """
  }

  private enum Outcome {
    case passed, failed, error, skipped
  }

  private static func attributes(_ outcomes: [Outcome]) -> String {
    func count(_ outcome: Outcome) -> Int { outcomes.count { $0 == outcome } }
    return #" tests="\#(outcomes.count)" failures="\#(count(.failed))" errors="\#(count(.error))""#
      + #" skipped="\#(count(.skipped))""#
  }

  private var seconds: String { "\((record.summary.seconds * 1000).rounded() / 1000)" }

  /// What concerns the run as a whole stands in the first suite.
  private func suite(
    _ job: String, _ renditions: [RenditionRecord], isFirst: Bool, _ all: inout [Outcome]
  ) -> String {
    var outcomes = renditions.map(outcome)
    var cases = renditions.map(testCase).joined()
    if isFirst {
      for (name, message) in problems {
        outcomes.append(.error)
        cases += """
            <testcase classname="\(MarkupText.escape(job))" name="\(MarkupText.escape(name))">
              <error type="run" message="\(MarkupText.escape(message))"/>
            </testcase>

          """
      }
      // No error of the run, but counts that do not add up must not go unsaid.
      if record.summary.omittedRenditions > 0 {
        outcomes.append(.skipped)
        cases += """
            <testcase classname="\(MarkupText.escape(job))" name="and others">
              <skipped message="\(record.summary.omittedRenditions) further renditions are not listed here"/>
            </testcase>

          """
      }
    }
    all += outcomes
    let name = MarkupText.escape(job)
    let when = ReportText.timestamp(record.summary.started)
    return """
      <testsuite name="\(name)"\(Self.attributes(outcomes)) time="\(isFirst ? seconds : "0")" timestamp="\(when)">
      \(cases)</testsuite>

      """
  }

  /// Errors of the jobs, and what ended the run before its time.
  private var problems: [(name: String, message: String)] {
    var problems = record.findings.filter(\.isError).map { finding in
      (
        name: "\(finding.file):\(finding.line):\(finding.column)",
        message: finding.message + (finding.help.map { "; \($0)" } ?? "")
      )
    }
    if let stopped = record.summary.stopped { problems.append((name: "run", message: stopped)) }
    if record.summary.isInterrupted {
      problems.append((name: "run", message: "interrupted: run it again to complete the cache"))
    }
    return problems
  }

  private func outcome(_ rendition: RenditionRecord) -> Outcome {
    switch rendition.status {
    case .made, .current: .passed
    case .notStored: .skipped
    case .failed: .failed
    }
  }

  private func testCase(_ rendition: RenditionRecord) -> String {
    let source = ReportText.shortened(rendition.source)
    let name = MarkupText.escape(
      rendition.isSkippedLine ? source : "\(source) \(rendition.chainAndScale)")
    let head = """
        <testcase classname="\(MarkupText.escape(rendition.job))" name="\(name)" \
      file="\(MarkupText.escape(rendition.file))" line="\(rendition.line)"
      """
    switch rendition.status {
    case .made, .current: return head + "/>\n"
    case .notStored:
      let reason = MarkupText.escape(rendition.note ?? "the client stores nothing for it")
      return head + ">\n    <skipped message=\"\(reason)\"/>\n  </testcase>\n"
    case .failed:
      guard let failure = rendition.failure else { return head + "><failure/></testcase>\n" }
      let message = SafeText.escape(failure.message, limit: 1000)
      var text = "\(failure.step.rawValue): \(message) (\(failure.code))"
      if failure.isRetryable { text += ", may pass when tried again" }
      return head + """
        >
            <failure type="\(MarkupText.escape(failure.code))" message="\(MarkupText.escape(message))">\
        \(MarkupText.escape(text))
        \(MarkupText.escape(failure.advice ?? ""))
        \(MarkupText.escape("\(rendition.file):\(rendition.line)"))</failure>
          </testcase>

        """
    }
  }
}
