import Foundation
import JobFile
import Planning
import Text

@testable import Sessions

extension FuzzTarget {
  static let sessions = [recording, keysBackwards]

  /// A recording, or a list of keys, and its replay against an empty cache.
  private static let recording = FuzzTarget(name: "recording") { bytes in
    var session = RecordedSession()
    do throws(ReadFailure) { try session.read("fuzz", LineReader(bytes: bytes)) } catch { return }
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    let numbers = session.requests.map(\.line) + session.faults.map(\.line)
    try hold(numbers.allSatisfy((1...lines).contains), "each request and each fault has a line: \(numbers)")
    try hold(Set(numbers).count == numbers.count, "a line is one request or one fault: \(numbers)")
    for fault in session.faults {
      try hold(SafeText.escape(fault.message) == fault.message, "a fault is safe to print: \(fault.message)")
    }
    for request in session.requests {
      try hold(request.at?.isFinite ?? true, "a moment is one")
    }
    for client in clients {
      let cache = try ReplayedCache(emptyFolder.path, client: client.identity, now: Date()) { _ in client }
      var replay = SessionReplay(cache)
      let requests = replay.run(session)
      let report = replay.report
      try hold(requests.map(\.request) == session.requests, "each request is answered, in its order")
      try hold(
        report.judged + report.count(.memory) == requests.count && report.count(.miss) == report.judged,
        "an empty cache answers nothing: \(report.judged)")
      try hold(report.reasons.values.reduce(0, +) == report.judged, "each miss has its reason")
    }
  }

  /// A job made of keys: client, scale, then keys, each with a URL and an ID.
  private static let keysBackwards = FuzzTarget(name: "keys-backwards") { bytes in
    var feed = Feed(bytes)
    let client = clients[Int(feed.byte()) % clients.count].identity
    let scale = [nil, "1", "3", "2 3"][Int(feed.byte()) % 4]
    var requests: [RecordedRequest] = []
    while !feed.isEmpty, requests.count < 16 {
      let (key, url, id) = (feed.text(), feed.text(), feed.text())
      requests.append(RecordedRequest(key: key, url: url.isEmpty ? nil : url, id: id.isEmpty ? nil : id))
    }
    var given = GivenSettings()
    given[JobRows.client.name] = client.description
    if let scale { given[JobKey.scale.name] = scale }
    let (made, diagnostics) = KeyJob.make(from: requests, given)
    guard let job = made else {
      return try hold(diagnostics.hasErrors, "what no job is made of has a reason")
    }
    let refused = Set(job.refusals.map { ByteText($0.key) })
    let wanted = Set(requests.map { ByteText($0.key) }).subtracting(refused)
    try hold(
      Set(job.lines.flatMap(\.keys).map { ByteText($0) }) == wanted,
      "each key is in a line or refused: \(job.text)")
    if wanted.isEmpty { return }
    let (plan, findings) = Plan.make(.text(name: "keys.job", bytes: Array(job.text.utf8)))
    guard let plan else {
      throw Broken(promise: "the job has no errors: \(findings.rendered()) in \(job.text)")
    }
    let keys = Set(plan.renditions.map { ByteText($0.key) })
    try hold(keys == wanted, "a job makes its keys and no others: \(keys) of \(wanted) in \(job.text)")
  }

  /// Made once for each process.
  private static let emptyFolder: URL = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "preheat-fuzz-recording-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()
}
