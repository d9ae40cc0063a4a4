import Foundation
import Testing
import Text

@testable import Planning
@testable import Reporting

@Suite(.timeLimit(.minutes(10)))
struct ExportTests {
  @Test func aSuiteIsAJobAndACaseIsARendition() {
    var record = Samples.ordinary(2, failed: 1)
    record.renditions[2].job = "other.job"
    record.summary.jobs = ["catalog.job", "other.job"]
    let xml = record.junitReport
    #expect(
      xml.contains("<testsuites name=\"preheat\" tests=\"3\" failures=\"1\" errors=\"0\" time="))
    #expect(xml.contains("<testsuite name=\"catalog.job\" tests=\"2\" failures=\"0\""))
    #expect(xml.contains("<testsuite name=\"other.job\" tests=\"1\" failures=\"1\""))
    #expect(xml.contains("name=\"https://e.com/p/0.jpg card @2x\"/>"))
    var masked = Samples.ordinary(1)
    masked.renditions[0].source = "https://e.com/a?id=**"
    #expect(masked.junitReport.contains("name=\"https://e.com/a?id=** card @2x (line 10)\"/>"))
    #expect(xml.contains("<failure type=\"fetch.status\" message=\"fa\">"))
  }

  @Test func aRunThatCouldNotBeginIsAnErrorInItsFirstJob() {
    var record = RunRecord(summary: Samples.summary())
    record.summary.stopped = "another run holds the lock"
    record.findings = [
      FindingRecord(isError: true, file: "a.job", line: 3, column: 1, message: "no", help: nil)
    ]
    let xml = record.junitReport
    #expect(xml.contains("tests=\"2\" failures=\"0\" errors=\"2\""))
    #expect(xml.contains("name=\"a.job:3:1\"") && xml.contains("message=\"another run holds the lock\""))
  }

  @Test func whatIsNotListedIsCounted() {
    var record = Samples.ordinary(1)
    record.summary.omittedRenditions = 12
    #expect(record.junitReport.contains("12 further renditions are not listed here"))
  }

  @Test(arguments: [
    ("a%b", "a%25b"), ("two\nlines", "two%0Alines"), ("a\rb", "a\\rb"), ("a:b,c", "a:b,c"),
    ("\u{1B}[31m", "\\u{1b}[31m"),
  ]) func annotationsAreEscaped(text: String, data: String) {
    #expect(WorkflowAnnotations.data(text) == data)
  }

  @Test func annotationsStandOnTheLinesOfTheJob() {
    var record = Samples.ordinary(0, failed: 1)
    record.renditions[0].list = "jobs/a,b:c.job"
    record.renditions[0].line = 12
    let text = WorkflowAnnotations(record) { "in/" + $0 }.text
    #expect(text.hasPrefix("::error file=in/jobs/a%2Cb%3Ac.job,line=12,title=fetch.status::fa%0Afa%0A"))
  }

  @Test func noMoreThanTenErrorsAndTenWarningsAndTheTenthSaysHowManyMore() {
    var record = Samples.ordinary(0, failed: 40)
    record.findings = (1...11).map {
      FindingRecord(isError: false, file: "a.job", line: $0, column: 1, message: "w", help: nil)
    }
    let lines = WorkflowAnnotations(record).text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
    #expect(lines.count { $0.hasPrefix("::warning ") } == 10)
    #expect(lines[9].contains("31 more errors") && lines[19].contains("2 more warnings"))
  }

  @Test func chainsOfOneLineThatFailForOneReasonAreOneAnnotation() {
    var record = Samples.ordinary(0, failed: 1)
    for chain in ["a", "b", "c", "d", "e", "f", "g"] {
      var other = record.renditions[0]
      other.chain = chain
      record.renditions.append(other)
    }
    let lines = WorkflowAnnotations(record).text.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasSuffix("and 3 more"))
  }

  @Test func manyFailuresOfOneCauseAreOneAnnotationOneRowAndOneCard() throws {
    var record = Samples.ordinary(0, failed: 1500)
    for index in record.renditions.indices {
      record.renditions[index].failure = RunFailure(
        step: .fetch, code: "fetch.status", message: "https://e.com/\(index): the server answered 404",
        cause: "HTTP 404 from e.com")
    }
    let annotations = WorkflowAnnotations(record).text
    #expect(annotations.split(separator: "\n").count == 1 && annotations.contains("and 1,497 more lines"))
    let summary = record.jobSummary
    #expect(summary.contains("| 1500 | HTTP 404 from e&#46;com (fetch&#46;status) |"), "\(summary)")
    let page = try Samples.html(record)
    #expect(page.matches(of: /<article class="failure">/).count == 1)
    #expect(page.contains("<h3>HTTP 404 from e.com</h3>") && page.contains("And 1,450 more sources"))
    #expect(try RunRecord(lines: record.lines(), path: "x").renditions == record.renditions)
  }

  @Test func aLineThatWasLeftOutIsAFailedCase() {
    var record = Samples.ordinary(0, failed: 1)
    var line = RenditionRecord(
      job: "catalog.job", file: "urls.txt", line: 9, source: "N/A", chain: "", status: .failed, key: "")
    line.cache = "/c"
    line.failure = RunFailure(step: .plan, code: "job.source", message: "'N/A' is no URL and no path")
    record.renditions.append(line)
    record.summary.counts.count(skippedLines: 1)
    let xml = record.junitReport
    #expect(xml.contains("failures=\"2\"") && xml.contains("\nurls.txt:9</failure>"))
    #expect(xml.contains("type=\"job.source\""))
    #expect(record.metrics().contains("preheat_skipped_lines 1\n"))
    #expect(ReportText.verdict(record.summary).contains("of these 1 wrong line"))
  }

  /// The attributes that the schema of Jenkins' xUnit plugin knows.
  @Test func theStrictestReaderTakesTheReport() throws {
    var record = Samples.ordinary(2, failed: 2)
    record.summary.omittedRenditions = 3
    record.summary.stopped = "the disk is full"
    let known = [
      "testsuites": ["name", "time", "tests", "failures", "errors"],
      "testsuite": ["name", "tests", "failures", "errors", "time", "skipped", "timestamp"],
      "testcase": ["name", "classname"], "failure": ["type", "message"], "error": ["type", "message"],
      "skipped": ["message"],
    ]
    let elements = record.junitReport.matches(of: /<([a-z]+)((?: [a-z]+="[^"]*")*)\/?>/)
    #expect(elements.count > 8)
    for element in elements {
      let names = element.2.matches(of: /\s([a-z]+)="/).map { String($0.1) }
      #expect(Set(names).isSubset(of: known[String(element.1)] ?? []), "\(element.0)")
    }
  }

  /// A run that could not begin has nothing to be proud of.
  @Test func nothingIsNotAll() throws {
    var record = Samples.ordinary(0, failed: 0)
    (record.summary.counts.planned, record.summary.exit) = (0, 2)
    record.summary.meaning = "a job has errors"
    let page = try Samples.html(record)
    for text in [record.jobSummary, page] {
      #expect(
        text.contains("Nothing was done") && text.contains("a job has errors")
          && !text.contains("are in the cache"), "\(text)")
    }
    #expect(page.contains("<title>not done – catalog.job"))
    record.summary.exit = 0
    #expect(record.jobSummary.contains("The job names no rendition"))
  }

  @Test func aSummaryOfManyFailuresKeepsWithinItsLimit() {
    var record = Samples.ordinary(0, failed: 5000)
    for index in record.renditions.indices {
      record.renditions[index].source = String(repeating: "<&|`", count: 2000)
      record.renditions[index].failure?.message =
        Samples.letters(index) + String(repeating: "<&|`", count: 2000)
    }
    let text = record.jobSummary
    #expect(text.utf8.count < RunRecord.jobSummaryLimit / 2)
    #expect(text.contains("And 4900 more."))
  }

  @Test func metricsHaveHelpAndTypeBeforeTheirSamples() {
    var record = Samples.ordinary(3, failed: 2)
    record.caches = [
      Samples.cache("/var/c", files: 3, bytes: 30, isBeyondLimit: true)
    ]
    record.summary.counts.sourcesValidated = 4
    record.summary.counts.sourcesCached = 5
    record.summary.counts.foundInPart = 6
    record.summary.counts.notFound = 7
    let text = record.metrics(finished: 1_795_000_002)
    var known: Set<Substring> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        known.insert(line.split(separator: " ")[2])
      } else if !line.hasPrefix("#") {
        #expect(known.contains(line.prefix { $0 != "{" && $0 != " " }))
      }
    }
    for sample in [
      "preheat_renditions{status=\"made\"} 3", "preheat_failures{step=\"fetch\",code=\"fetch.status\"} 2",
      "preheat_run_finished_timestamp_seconds 1795000002",
      "preheat_cache_allocated_bytes{cache=\"/var/c\"} 16384", "preheat_sources_validated 4",
      "preheat_sources_cached 5", "preheat_renditions_found_in_part 6", "preheat_renditions_not_found 7",
    ] {
      #expect(text.contains("\(sample)\n"))
    }
  }

  /// Every count of a run stands in its record.
  @Test func aRecordWithoutACountIsRefused() throws {
    var record = Samples.ordinary(1)
    record.summary.counts.skippedLines = 1
    let text = String(decoding: try record.lines(), as: UTF8.self)
    for name in ["skippedLines", "notFound", "sourcesValidated"] {
      let broken = text.replacing(try Regex("\"\(name)\":[0-9]+,"), with: "")
      #expect(broken != text, "\(name)")
      #expect(throws: ReportFailure.self, "\(name)") {
        try RunRecord(lines: Data(broken.utf8), path: "x")
      }
    }
  }

  @Test func aRecordOfAnotherKindIsRefusedInWords() throws {
    for text in ["", "{}\n", "{\"type\":\"header\"}\n", "no json\n"] {
      #expect(throws: ReportFailure.self) { try RunRecord(lines: Data(text.utf8), path: "x") }
    }
    let text = String(decoding: try Samples.ordinary(1).lines(), as: UTF8.self)
    for (old, new, words) in [
      ("{\"v\":1,", "{\"v\":2,", "was written by a newer preheat"),
      ("\"type\":\"summary\"", "\"type\":\"run\"", "that of an earlier release"),
    ] {
      let other = text.replacing(old, with: new, maxReplacements: 1)
      let failure = #expect(throws: ReportFailure.self) {
        try RunRecord(lines: Data(other.utf8), path: "x")
      }
      #expect(failure?.message.contains(words) == true, "\(other.prefix(40)): \(String(describing: failure))")
    }
  }

  @Test(arguments: ["1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "1e15"])
  func aNumberThatNobodyCanReckonWithIsRefusedWithItsLine(number: String) throws {
    let text = String(decoding: try Samples.ordinary(3).lines(), as: UTF8.self)
    for name in [
      "started", "seconds", "planned", "bytesWritten", "sourceBytes", "bytes", "line", "scale", "sizeLimit",
    ] {
      let hostile = text.replacing(try Regex("\"\(name)\":-?[0-9.]+"), with: "\"\(name)\":\(number)")
      if hostile == text { continue }
      #expect(throws: ReportFailure.self, "\(name)") {
        try RunRecord(lines: Data(hostile.utf8), path: "x")
      }
    }
  }

  @Test func theLargestNumbersThatAreReadGiveAPage() throws {
    let text = String(decoding: try Samples.ordinary(20, failed: 2).lines(), as: UTF8.self)
    let large = try ["bytes", "sourceBytes", "seconds", "planned", "made"].reduce(text) { text, name in
      text.replacing(try Regex("\"\(name)\":[0-9.]+"), with: "\"\(name)\":100000000000000")
    }
    let record = try RunRecord(lines: Data(large.utf8), path: "x")
    #expect(!record.metrics(finished: 1).isEmpty)
  }
}
