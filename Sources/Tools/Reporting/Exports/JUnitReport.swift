import Planning
import Text

/// A run as JUnit XML: a suite for each job, a case for each rendition.
extension RunRecord {
  package var junitReport: String {
    let byJob = Dictionary(grouping: renditions) { ByteText($0.job) }
    let own = summary.jobs.map { ByteText($0) }
    let others = Set(byJob.keys).subtracting(own).sorted()
    let seconds = "\((summary.seconds * 1000).rounded() / 1000)"
    var seen: Set<ByteText> = []
    var all: [JUnitCase] = []
    var xml = ""
    for text in own + others where seen.insert(text).inserted {
      let job = text.text
      let isFirst = seen.count == 1
      // What concerns the run as a whole stands in the first suite.
      let cases = (byJob[text] ?? []).map(JUnitCase.init) + (isFirst ? generalCases(in: job) : [])
      all += cases
      xml += """
        <testsuite name="\(MarkupText.escape(job))"\(JUnitCase.counts(cases)) \
        time="\(isFirst ? seconds : "0")" timestamp="\(ReportText.timestamp(summary.started))">
        \(cases.map(\.xml).joined())</testsuite>

        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="preheat"\(JUnitCase.counts(all, saysSkipped: false)) time="\(seconds)">
      \(xml)</testsuites>

      """
  }

  /// Errors of the jobs, what ended the run before its time, and what has no room.
  private func generalCases(in job: String) -> [JUnitCase] {
    var problems = findings.filter(\.isError).map { finding in
      (
        "\(finding.file):\(finding.line):\(finding.column)",
        finding.message + (finding.help.map { "; \($0)" } ?? "")
      )
    }
    if let stopped = summary.stopped { problems.append(("run", stopped)) }
    if summary.isInterrupted {
      problems.append(("run", "interrupted: run it again to complete the cache"))
    }
    let head = "  <testcase classname=\"\(MarkupText.escape(job))\" name="
    let cases = problems.map { name, message in
      JUnitCase(
        outcome: .error,
        xml: """
          \(head)"\(MarkupText.escape(name))">
              <error type="run" message="\(MarkupText.escape(message))"/>
            </testcase>

          """)
    }
    guard summary.omittedRenditions > 0 else { return cases }
    // No error of the run, but counts that do not add up must not go unsaid.
    let omitted = """
      \(head)"and others">
          <skipped message="\(summary.omittedRenditions) further renditions are not listed here"/>
        </testcase>

      """
    return cases + [JUnitCase(outcome: .skipped, xml: omitted)]
  }
}

private struct JUnitCase {
  enum Outcome {
    case passed, failed, error, skipped
  }

  var outcome: Outcome
  var xml: String

  /// Jenkins' schema, the strictest, has no `skipped` for all suites together, and of a case no file and line.
  static func counts(_ cases: [JUnitCase], saysSkipped: Bool = true) -> String {
    func count(_ outcome: Outcome) -> Int { cases.count { $0.outcome == outcome } }
    return #" tests="\#(cases.count)" failures="\#(count(.failed))" errors="\#(count(.error))""#
      + (saysSkipped ? #" skipped="\#(count(.skipped))""# : "")
  }
}

extension JUnitCase {
  init(_ rendition: RenditionRecord) {
    let source = ReportText.shortened(rendition.source)
    // What is masked or cut may be all that tells two sources apart.
    let place =
      source.utf8.contains(UInt8(ascii: "*")) || source.hasSuffix("...") ? " (line \(rendition.line))" : ""
    let name = MarkupText.escape(
      rendition.isSkippedLine ? source : "\(source) \(rendition.chainAndScale)\(place)")
    let head = """
        <testcase classname="\(MarkupText.escape(rendition.job))" name="\(name)"
      """
    switch rendition.status {
    case .made, .current: self.init(outcome: .passed, xml: head + "/>\n")
    case .notStored:
      let reason = MarkupText.escape(rendition.note ?? "the client stores nothing for it")
      self.init(outcome: .skipped, xml: head + ">\n    <skipped message=\"\(reason)\"/>\n  </testcase>\n")
    case .failed:
      self.init(outcome: .failed, xml: head + "><failure/></testcase>\n")
      guard let failure = rendition.failure else { return }
      let message = SafeText.escape(failure.message, limit: 1000)
      var text = "\(failure.step.rawValue): \(message) (\(failure.code))"
      if failure.isRetryable { text += ", may pass when tried again" }
      xml =
        head + """
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
