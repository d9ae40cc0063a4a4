import Foundation
import JobSupport
import Testing

@testable import Planning
@testable import PreheatCommand
@testable import Reporting

/// What a run says on standard output.
@Suite(.timeLimit(.minutes(10)))
struct RunShownTests {
  private let output: Capture
  private let messages: Capture

  init() throws {
    output = try Capture()
    messages = try Capture()
  }

  private func run(
    _ lines: String, limit: Int = RunRecord.limit, json: Bool = false, verbosity: Verbosity = .normal
  ) throws -> RunTold {
    let console = Console(
      stream: messages.stream, terminal: .of(messages.stream, environment: [:]), verbosity: verbosity)
    let context = CommandContext(environment: [:], output: output.stream, json: json, console: console)
    return try RunTold(lines, limit: limit, in: context)
  }

  @Test func theSummaryNamesCountsSizesAndCaches() throws {
    var told = try run(RunTold.lines(3))
    told.report.counts.sourcesFetched = 2
    told.report.counts.bytesFetched = 2_500_000
    told.report.counts.filesWritten = 2
    told.report.counts.bytesWritten = 9000
    told.report.counts.sourcesValidated = 1
    told.report.duration = 2.04
    told.report.caches = [
      CacheSize(
        path: "/c", client: "nuke 12.9.0", files: 3, bytes: 9000, allocatedBytes: 12288, sizeLimit: 0,
        countedBytes: 12288, sweepTarget: 0, isBeyondLimit: false)
    ]
    told.settle(2) { _ in .made(bytes: 4500, note: nil) }
    try told.finish(.success)
    #expect(
      output.text == """
        3 renditions: 2 made, 0 up to date, 1 not done in 2 s
        fetched 2 sources (2.4 MiB), wrote 2 files (8.8 KiB)
        unchanged at their servers: 1 source; from the HTTP cache: 0 sources
        cache: /c, 3 files, 12 KiB on the device

        """)
  }

  @Test func aCacheBeyondItsBudgetAndTheAppsLimitIsWarnedAbout() throws {
    var told = try run(RunTold.lines(1))
    var size = CacheSize(
      path: "/c", client: "nuke 12.9.0", files: 3, bytes: 9000, allocatedBytes: 12288, sizeLimit: 10_000,
      countedBytes: 12288, sweepTarget: 7000, isBeyondLimit: true)
    size.maxSize = 8192
    told.report.caches = [size]
    told.settle { _ in .current }
    try told.finish(.success)
    #expect(output.text.contains(" on the device, 8.8 KiB of max-size 8 KiB\n"), "\(output.text)")
    #expect(messages.text.contains("/c is beyond its budget, 8.8 KiB of max-size 8 KiB"))
    #expect(messages.text.contains("/c takes 12 KiB") && messages.text.contains("down to 6.8 KiB"))
  }

  @Test func aFullDiskHasNoRecordToPointTo() throws {
    let values = try OptionValues(
      LowArguments(parsing: ["run", "a.job"]), command: PreheatCommand.spec("run"))
    let context = CommandContext(
      environment: [:], output: output.stream,
      console: Console(stream: messages.stream, terminal: .of(messages.stream, environment: [:])))
    let reports = try RunReports(RunArguments(values), context: context)
    reports.keeper.planned([
      try #require(Preheat.plan("client nuke 12\ncache out\nhttps://e.com/1.jpg circle").plan)
    ])
    reports.keeper.ended(RunReport())
    #expect(reports.place(nil)?.hasSuffix("/out.preheat/last-run.ndjson") == true)
    #expect(reports.place(StoreFailure(.pruning, "many"))?.hasSuffix("last-run.ndjson") == true)
    #expect(reports.place(StoreFailure(.full, "full")) == nil)
  }

  @Test func whereNotAllAreKeptTheSummarySaysHowManyAre() throws {
    var told = try run(RunTold.lines(150), limit: 120)
    told.settle { _ in .failed(RunTold.failure()) }
    try told.finish(place: "x.ndjson")
    #expect(
      output.text.hasSuffix(
        """
            and 117 more lines
          and 30 more
          120 of all are listed in x.ndjson

        """), "\(output.text)")
  }

  @Test func whatFailedForOneReasonSharesIt() throws {
    var told = try run("https://e.com/1.jpg circle gaussianBlur resize(width: 9)")
    told.settle { .failed(RunTold.failure($0 == 1 ? "another" : "no")) }
    try told.finish()
    #expect(
      output.text.hasSuffix(
        """
        failed:
          2 × fetch: no (fetch.status), may pass when tried again
            try
            test.job:3  https://e.com/1.jpg  circle, resize(width: 9) @1x
          1 × fetch: another (fetch.status), may pass when tried again
            try
            test.job:3  https://e.com/1.jpg  gaussianBlur

        """), "\(output.text)")
  }

  @Test func strangersTextsCannotMoveTheCursor() throws {
    var told = try run(RunTold.lines(1))
    told.settle { _ in .failed(RunTold.failure("\u{1B}[2Jgone")) }
    try told.finish()
    #expect(output.text.contains("\\u{1b}[2Jgone") && !output.text.contains("\u{1B}"))
  }

  @Test func quietRunsSpeakOnlyOfFailures() throws {
    var told = try run(RunTold.lines(1), verbosity: .quiet)
    told.settle { _ in .current }
    try told.finish(.success)
    #expect(output.text == "")
    told.settle { _ in .failed(RunTold.failure()) }
    try told.finish()
    #expect(output.text.contains("1 failed"))
  }

  @Test func eachRenditionIsALineOfJSONThatMayNotBeKept() throws {
    var told = try run(RunTold.lines(3) + "\nhttps://e.com/9.jpg original", limit: 1, json: true)
    told.settle { index in
      switch index {
      case 0: .made(bytes: 100, note: "small")
      case 1: .current
      case 2: .failed(RunTold.failure())
      default: .notStored(reason: "by the policy")
      }
    }
    try told.finish()
    let lines = output.text.split(separator: "\n")
    #expect(lines.count == 5)
    let objects = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.compactMap { $0["status"] as? String } == ["made", "current", "failed", "notStored"])
    #expect(objects[0]["bytes"] as? Int == 100 && objects[0]["note"] as? String == "small")
    #expect(objects[0]["key"] as? String == "https://e.com/1.jpgcom.github.kean/nuke/circle")
    let error = try #require(objects[2]["error"] as? [String: Any])
    #expect(Set(error.keys) == ["step", "code", "message", "advice", "retryable"])
    #expect(objects[3]["note"] as? String == "by the policy")
    #expect(objects[4]["type"] as? String == "summary" && objects[4]["exit"] as? Int == 3)
  }

  /// As `plan` says it: what is stored in vain is no failure, but it is not nothing either.
  @Test func whatAnAppWillNotFindIsCountedAndNamed() throws {
    var told = try run(
      "policy storeOriginalData\nhttps://e.com/1.jpg thumbnail(maxPixelSize: 9) circle original")
    told.settle { $0 == 1 ? .current : .made(bytes: 9, note: "upright") }
    let record = told.record(.success)
    try told.keeper.finish(record, place: nil)
    #expect(
      output.text == """
        3 renditions: 2 made, 1 up to date in 0 s
        in the app: 1 found only in part, the app makes the rest itself; 1 not found
        not found by the app:
          test.job:4  https://e.com/1.jpg  thumbnail(maxPixelSize: 9)
            note: Nuke 12.9.0 stores this where it never looks for it; policy reachable writes what it looks up

        """)
    #expect(record.renditions.map(\.found) == [.part, .exact, .nothing])
    #expect(record.jsonLine.contains("\"foundInPart\":1") && record.jsonLine.contains("\"notFound\":1"))
    let read = try RunRecord(lines: try record.lines(), path: "x")
    #expect(read == record)
  }

  @Test func twentyThatAreNotFoundAreListedAndTheRestIsCounted() throws {
    let lines = (1...30).map { "https://e.com/\($0).jpg thumbnail(maxPixelSize: 9)" }
    var told = try run("policy storeOriginalData\n" + lines.joined(separator: "\n"), limit: 25)
    told.settle { _ in .current }
    try told.finish(.success, place: "x.ndjson")
    #expect(output.text.split(separator: "\n").count { $0.contains("https://e.com/") } == 20)
    #expect(output.text.hasSuffix("  and 10 more; 25 of all are listed in x.ndjson\n"))
    #expect(output.text.split(separator: "\n").count { $0.contains("note: ") } == 1, "one reason for all")
  }

  @Test func whatFailedOrWasLeftOutIsNotPromised() throws {
    var told = try run(
      "https://e.com/1.jpg circle\nhttps://e.com/2.jpg circle\nhttps://e.com/3.jpg circle")
    told.settle { index in
      switch index {
      case 0: .failed(RunTold.failure())
      case 1: .notStored(reason: "its expiry has passed already")
      default: .current
      }
    }
    #expect(told.record().summary.counts.notFound == 1)
    #expect(told.record().unfound.map(\.note) == ["its expiry has passed already"])
  }
}
