import Foundation
import TestSupport
import Testing
import Text

@testable import Planning
@testable import Reporting

/// Every form of report, with texts from strangers wherever text can stand.
@Suite(.timeLimit(.minutes(10)))
struct HostileTextTests {
  @Test func nothingInAPageIsMadeOfStrangersTexts() async throws {
    try await OwnThread {
      // The names of all elements and attributes, and what every attribute that could act says.
      let program = """
        import sys, html.parser
        class P(html.parser.HTMLParser):
          def handle_starttag(self, tag, attrs):
            # A source is a link where its address is one; all else is the same whatever the texts are.
            if dict(attrs).get('class') == 'source':
              assert dict(attrs)['href'].startswith('https://e.com/') and len(attrs) == 3
              return
            attrs = [(n, 'r' if n in ('id', 'href') and v.lstrip('#').startswith('r-') else v) for n, v in attrs]
            print(tag, *sorted(n for n, v in attrs))
            for n, v in attrs:
              if n.startswith('on') or n in ('href', 'src', 'style', 'action'): print('!', n, v)
        P().feed(sys.stdin.read())
        """
      func elements(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let page = try ReportPage.write(Samples.record(text), to: folder.url)
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(Judge.dangers(html).isEmpty, "\(text.debugDescription)")
        return try #require(try Judge.python(program, html)).split(separator: "\n").map(String.init)
      }
      let plain = try elements("plain")
      #expect(plain.count > 80)
      for text in Samples.hostile {
        #expect(try elements(text) == plain, "\(text.debugDescription)")
      }
    }.value
  }

  @Test(arguments: Samples.hostile) func dataOfTheListIsTextAndNothingElse(text: String) throws {
    let rows = MarkupText.script([[JSONCell.string(text)], [.string(text), .string("</script><!--")]])
    let json = String(decoding: rows, as: UTF8.self)
    #expect(Judge.dangers(json).isEmpty && !json.contains("<") && !json.contains(">"))
    let back = try JSONSerialization.jsonObject(with: Data(rows)) as? [[String]]
    #expect(back == [[text], [text, "</script><!--"]])
    // In a file of data and in the page, the reader's own escapes come first.
    let folder = try TemporaryFolder()
    var record = Samples.record(text)
    record.renditions += Samples.ordinary(200).renditions
    try ReportPage.write(record, to: folder.url)
    for name in ["preheat-data.js", "index.html"] {
      #expect(Judge.dangers(try String(contentsOf: folder.file(name), encoding: .utf8)).isEmpty, "\(name)")
    }
    #expect(!(try String(contentsOf: folder.file("preheat-data.js"), encoding: .utf8)).contains("<"))
  }

  @Test func aJUnitFileIsWellFormedAndSaysTheSame() async throws {
    try await OwnThread {
      let program = """
        import sys, xml.etree.ElementTree as E
        t = E.fromstring(sys.stdin.buffer.read())
        for e in t.iter(): print(e.tag, *sorted(e.attrib))
        """
      let plain = try Judge.python(program, Samples.record("plain").junitReport)
      #expect(plain?.contains("failure message type") == true)
      for text in Samples.hostile {
        let xml = Samples.record(text).junitReport
        #expect(Judge.dangers(xml).isEmpty)
        #expect(try Judge.python(program, xml) == plain, "\(text.debugDescription)")
      }
    }.value
  }

  @Test(arguments: Samples.hostile) func annotationsStayOnTheirLines(text: String) {
    let plain = WorkflowAnnotations(Samples.record("plain")).text.split(separator: "\n")
    let lines = WorkflowAnnotations(Samples.record(text)).text.split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(lines.count == plain.count)
    for (line, like) in zip(lines, plain) {
      #expect(Judge.dangers(String(line)).isEmpty)
      let head = { (text: Substring) in
        text.split(separator: "::", omittingEmptySubsequences: false)[1].split(separator: ",")
          .map { $0.prefix { $0 != "=" } }
      }
      #expect(head(line) == head(like))
    }
  }

  @Test(arguments: Samples.hostile) func aSummaryHasTheRowsOfAnyOther(text: String) {
    let plain = Samples.record("plain").jobSummary.split(separator: "\n")
    let summary = Samples.record(text).jobSummary
    let lines = summary.split(separator: "\n")
    #expect(Judge.dangers(summary).isEmpty)
    #expect(lines.count == plain.count)
    for (line, like) in zip(lines, plain) {
      for mark in ["|", "<", "`", "*", "[", "@"] {
        #expect(line.split(separator: mark).count == like.split(separator: mark).count, "\(line)")
      }
    }
  }

  @Test(arguments: Samples.hostile) func metricsAreOneSampleALine(text: String) throws {
    let metrics = Samples.record(text).metrics(finished: 1)
    #expect(Judge.dangers(metrics).isEmpty)
    let sample = /preheat_[a-z_]+(\{([a-z]+="([^"\\]|\\["\\])*",?)+\})? -?[0-9.e+]+/
    for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: sample) != nil, "\(line)")
    }
  }

  @Test(arguments: Samples.hostile) func aRecordComesBackAsItWas(text: String) throws {
    let record = Samples.record(text)
    let lines = try record.lines()
    #expect(Judge.dangers(String(decoding: lines, as: UTF8.self)).isEmpty)
    #expect(try RunRecord(lines: lines, path: "x") == record)
  }

  /// A line is written without an encoder: it has the members that a decoder wants.
  @Test func aLineHasAllThatARecordHas() throws {
    var full = Samples.rendition("a")
    (full.list, full.client, full.hit, full.exact, full.hitKey) = ("b.txt", "nuke 12.9.0", true, true, "k")
    full.stores = [.init(key: "k", file: "name", content: "encoded")]
    full.found = .part
    (full.asked, full.rules) = ("14.0.0-rc.1", "13.2.3")
    (full.bytes, full.size, full.sourceBytes) = (1, 2, 3)
    full.note = "a note"
    full.failure = RunFailure(
      step: .fetch, code: "fetch.status", message: "x", advice: "y", isRetryable: true, cause: "z")
    for value in Mirror(reflecting: full).children {
      #expect("\(value.value)" != "nil", "\(value.label ?? "") is not in the test")
    }
    let decoder = JSONDecoder()
    for record in [full, Samples.ordinary(1).renditions[0]] {
      let line = Data(RenditionLine(record).jsonLine.utf8)
      #expect(try decoder.decode(RenditionRecord.self, from: line) == record)
    }
  }
}
