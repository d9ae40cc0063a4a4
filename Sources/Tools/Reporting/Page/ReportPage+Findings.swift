import Text

extension ReportPage {
  private static let mostFindings = 200

  /// What was found in the text of the jobs.
  var findings: PageSection? {
    guard !record.findings.isEmpty else { return nil }
    let rows = record.findings.prefix(Self.mostFindings).map { finding in
      let help = finding.help.map { "<p class=\"advice\">\(MarkupText.escape($0))</p>" } ?? ""
      return """
        <li class="finding"><span class="chip\(finding.isError ? " bad" : "")">\
        \(finding.isError ? "error" : "warning")</span> \
        <span class="place">\(MarkupText.escape("\(finding.file):\(finding.line):\(finding.column)"))</span>
        <p>\(MarkupText.escape(ReportText.shortened(finding.message, to: 1000)))</p>\(help)</li>
        """
    }
    let rest = record.summary.omittedFindings + max(0, record.findings.count - Self.mostFindings)
    let more = rest > 0 ? "<p class=\"note\">And \(NumberText.grouped(rest)) more.</p>" : ""
    return PageSection(
      "findings", "Findings about the jobs",
      "<ul class=\"findings\">\(rows.joined(separator: "\n"))</ul>\(more)")
  }
}
