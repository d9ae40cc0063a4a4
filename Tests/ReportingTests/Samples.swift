import Foundation
import TestSupport
import Testing
import Text

@testable import Planning
@testable import Reporting

/// Records to make reports of.
enum Samples {
  /// What strangers put into URLs, names and messages.
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "&lt;&amp;&#0;",
    "]]>", "--><!--", "</style><style>*{display:none}", "</title><h1>", "javascript:alert(1)",
    "<svg/onload=alert(1)>",
    "\u{1B}[31mred", "\u{1B}]0;title\u{7}", "\u{9B}2J", "\u{202E}gpj.exe", "\u{2066}isolated\u{2069}",
    "\u{200B}\u{FEFF}",
    "nul\0byte", "\u{FFFE}\u{FFFF}", "\u{E0041}\u{E007F}", "\u{2028}\u{2029}", "two\nlines\r\n::error::mine",
    "%0A::error file=x::mine", "##[error]mine", "##vso[task.complete]", "a,b:c%,title=x",
    "| a | b |\n| - | - |", "`code` *bold* [x](http://e.com)",
    "@everyone #1",
    "\\\"quote\\", "{{7*7}}${HOME}$(id)", "\u{7F}\u{85}\u{8}", "e\u{301}\u{1F468}\u{200D}\u{1F469}",
  ]

  static func rendition(
    _ text: String, status: RenditionRecord.Status = .failed, line: Int = 7
  ) -> RenditionRecord {
    var rendition = RenditionRecord(
      job: text, file: text, line: line, source: "https://e.com/\(text).jpg", chain: text,
      status: status, key: "https://e.com/\(text)")
    rendition.cache = "/nowhere/\(text)"
    (rendition.scale, rendition.isScaled, rendition.fileName, rendition.note) = (2, true, text, text)
    if status == .failed {
      rendition.failure = RunFailure(
        step: .fetch, code: "fetch.status", message: text, advice: text, isRetryable: false)
    }
    return rendition
  }

  /// A record in which a text stands wherever text can stand.
  static func record(_ text: String) -> RunRecord {
    var record = RunRecord(summary: summary(jobs: [text], planned: 3))
    record.summary.meaning = text
    record.summary.program = text
    record.summary.stopped = text
    record.summary.counts.failed = 1
    record.summary.counts.made = 1
    record.summary.counts.notStored = 1
    record.caches = [
      CacheSize(
        path: text, client: text, files: 1, bytes: 10, allocatedBytes: 4096, sizeLimit: 100,
        countedBytes: 4096, sweepTarget: 100, isBeyondLimit: true)
    ]
    record.findings = [
      FindingRecord(isError: true, file: text, line: 1, column: 2, message: text, help: text),
      FindingRecord(isError: false, file: text, line: 1, column: 2, message: text, help: text),
    ]
    record.renditions = [
      rendition(text), rendition(text, status: .made), rendition(text, status: .notStored),
    ]
    return record
  }

  static func summary(jobs: [String] = ["catalog.job"], planned: Int = 0) -> RunSummary {
    var summary = RunSummary(
      program: "preheat 0.1.0", jobs: jobs, started: 1_795_000_000, exit: 3, meaning: "some renditions failed"
    )
    summary.counts.planned = planned
    summary.seconds = 1.25
    return summary
  }

  /// The page of a record.
  static func html(_ record: RunRecord) throws -> String {
    let folder = try TemporaryFolder()
    return try String(contentsOf: ReportPage.write(record, to: folder.url), encoding: .utf8)
  }

  /// A cache of a folder that holds these bytes.
  static func cache(_ path: String = "/c", files: Int = 4, bytes: Int = 4000, isBeyondLimit: Bool = false)
    -> CacheSize
  {
    CacheSize(
      path: path, client: "nuke 12.9.0", files: files, bytes: bytes, allocatedBytes: 16384,
      sizeLimit: 100_000,
      countedBytes: 16384, sweepTarget: 100_000, isBeyondLimit: isBeyondLimit)
  }

  /// A number without digits, which do not tell causes of failures apart.
  static func letters(_ number: Int) -> String {
    String(
      "\(number)".compactMap {
        $0.wholeNumberValue.map { "abcdefghij"["abcdefghij".index("abcdefghij".startIndex, offsetBy: $0)] }
      })
  }

  /// Some made, some failed for a cause each, with pictures of the fixtures.
  static func ordinary(_ count: Int, failed: Int = 0) -> RunRecord {
    var record = RunRecord(summary: summary(planned: count + failed))
    let pictures = Fixtures.folder.appendingPathComponent("images").path
    for index in 0..<count {
      var rendition = RenditionRecord(
        job: "catalog.job", file: "catalog.job", line: index + 10, source: "https://e.com/p/\(index).jpg",
        chain: "card", status: .made, key: "https://e.com/p/\(index).jpg-card")
      rendition.cache = pictures
      (rendition.scale, rendition.isScaled) = (2, true)
      rendition.fileName = index % 2 == 0 ? "grey.jpg" : "mountains.jpg"
      rendition.bytes = 1000
      rendition.sourceBytes = 100_000
      record.renditions.append(rendition)
    }
    for index in 0..<failed {
      record.renditions.append(rendition("f\(letters(index))", line: index + 1))
    }
    record.summary.counts.made = count
    record.summary.counts.failed = failed
    return record
  }
}

/// The data of the list that is part of a page, as the script reads it.
extension Samples {
  private struct Frame: Decodable {
    var fields: [String]
    var rows: [[Field]]
  }

  private enum Field: Decodable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .text(try container.decode(String.self)) } catch {
        self = .number(try container.decode(Int.self))
      }
    }
  }

  /// A field of all renditions, of those that are texts.
  static func texts(_ field: String, onPage page: String) throws -> [String] {
    let json = try #require(
      page.firstMatch(of: /<script type="application\/json" id="list-data">(.*)<\/script>/)?.output.1)
    let frame = try JSONDecoder().decode(Frame.self, from: Data(json.utf8))
    let place = try #require(frame.fields.firstIndex(of: field))
    return frame.rows.compactMap { if case .text(let text) = $0[place] { text } else { nil } }
  }

  static func identifiers(onPage page: String) throws -> [String] { try texts("id", onPage: page) }
}

/// Programs that judge a file without knowing us.
enum Judge {
  /// Runs Python with a text on its standard input; what it prints, or nil where it ends with an error.
  static func python(_ program: String, _ input: String) throws -> String? {
    let folder = try TemporaryFolder()
    try Data(input.utf8).write(to: folder.file("in"))
    try Data().write(to: folder.file("out"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program]
    process.standardInput = try FileHandle(forReadingFrom: folder.file("in"))
    process.standardOutput = try FileHandle(forWritingTo: folder.file("out"))
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return try String(contentsOf: folder.file("out"), encoding: .utf8)
  }

  /// Characters that nothing we write may hold, line ends aside.
  static func dangers(_ text: String) -> [Unicode.Scalar] {
    // Carried out by CI systems wherever they stand in a log.
    if text.contains("##[") || text.contains("##vso[") { return ["#"] }
    return text.unicodeScalars.filter { scalar in
      guard scalar != "\n" else { return false }
      return switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate: true
      default: false
      }
    }
  }
}

extension RunRecord {
  func lines() throws -> Data {
    var data = Data()
    try forEachPiece { data += $0 }
    return data
  }
}
