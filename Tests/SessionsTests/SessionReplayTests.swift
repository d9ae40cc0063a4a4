import CacheStore
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import TestSupport
import Testing
import Text

@testable import Sessions

/// A session against folders whose files are made here.
@Suite("A session replayed", .timeLimit(.minutes(5)))
struct SessionReplayTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let day: TimeInterval = 86_400
  private static let base = "https://e.com/a.jpg"
  private static let blur = "@com.onevcat.Kingfisher.BlurImageProcessor(4.0)"
  private static let circle = "com.github.kean/nuke/circle"

  private struct CacheFolder {
    let folder: TemporaryFolder
    let client: any ImageClient
    let identity: CacheClient

    init(_ text: String) throws {
      folder = try TemporaryFolder()
      identity = try #require(ClientRegistry.client(text))
      client = try #require(ClientRegistry.make(identity))
    }

    /// - Parameter dates: of the last use, and of the change.
    func put(_ key: String, bytes: Int = 100, _ dates: FileDates = FileDates(access: now, modification: now))
      throws
    {
      let name = try #require(client.fileNames(forKey: key).first)
      let files = try FileStore(folder: folder.url)
      try files.write(Data(repeating: 1, count: bytes), as: name)
      try files.setDates(dates, of: name)
    }

    func replay(
      _ requests: [RecordedRequest], after: TimeInterval = 0, sizeLimit: Int? = nil
    ) throws -> ([ReplayedRequest], ReplayReport) {
      var session = RecordedSession()
      session.requests = requests
      let cache = try ReplayedCache(folder.path, client: identity, now: SessionReplayTests.now) { identity in
        guard let client = ClientRegistry.make(identity) else { throw ToolError(.cache(.client), "unknown") }
        return client
      }
      var replay = SessionReplay(cache, sizeLimit: sizeLimit, now: SessionReplayTests.now, after: after)
      return (replay.run(session), replay.report)
    }
  }

  @Test func knownHitsOfALongSessionAreCounted() throws {
    let cache = try CacheFolder("nuke 13")
    // Of each tenth source nothing is there, of each fourth the original alone.
    for number in 0..<200 where number % 10 != 0 {
      try cache.put("https://e.com/\(number).jpg")
      if number % 4 != 0 { try cache.put("https://e.com/\(number).jpg\(Self.circle)") }
    }
    var dice = SeededGenerator(state: 5)
    var wanted: [ReplayedRequest.Outcome: Int] = [:]
    let requests = (0..<5000).map { _ in
      let number = Int.random(in: 0..<200, using: &dice)
      let isPlain = Bool.random(using: &dice)
      let url = "https://e.com/\(number).jpg"
      let outcome: ReplayedRequest.Outcome =
        number % 10 == 0 ? .miss : isPlain || number % 4 != 0 ? .exact : .partial
      wanted[outcome, default: 0] += 1
      return RecordedRequest(
        key: isPlain ? url : url + Self.circle, url: Bool.random(using: &dice) ? url : nil)
    }
    let (replayed, report) = try cache.replay(requests)
    #expect(replayed.count == 5000)
    #expect(report.counts == wanted)
    #expect(report.judged == 5000)
    #expect(report.sourcesSaved == 180)
    #expect(replayed.map(\.number) == Array(1...5000))
    #expect(replayed.allSatisfy { !$0.reason.isEmpty })
  }

  @Test func whatWasAnsweredFromMemoryIsNotJudged() throws {
    let cache = try CacheFolder("nuke 12")
    try cache.put(Self.base)
    let requests = [
      RecordedRequest(key: Self.base, found: .disk), RecordedRequest(key: Self.base, found: .memory),
      RecordedRequest(key: "https://e.com/b.jpg", found: RecordedRequest.Found.none),
    ]
    let (replayed, report) = try cache.replay(requests)
    #expect(replayed.map(\.outcome) == [.exact, .memory, .miss])
    #expect(replayed.map(\.isRepeated) == [false, true, false])
    #expect(report.hitRate == 50)
  }

  @Test func entriesExpireAndReadsProlongThem() throws {
    let cache = try CacheFolder("kingfisher 8")
    let week = FileDates(access: Self.now, modification: Self.now.addingTimeInterval(7 * Self.day))
    try cache.put(Self.base + Self.blur, week)
    try cache.put("https://e.com/b.jpg", week)
    func requests(_ days: [(Double, String)]) -> [RecordedRequest] {
      days.map { RecordedRequest(key: $1, at: 1e9 + $0 * Self.day) }
    }
    let key = Self.base + Self.blur
    // Read on the sixth day, it lives to the thirteenth; the other does not.
    let (read, _) = try cache.replay(
      requests([(0, key), (6, key), (12, key), (12, "https://e.com/b.jpg"), (20, key)]))
    #expect(read.map(\.outcome) == [.exact, .exact, .exact, .miss, .miss])
    #expect(read[3].reason.contains("expired"))
    let (late, report) = try cache.replay(requests([(0, key)]), after: 30 * Self.day)
    #expect(late.map(\.outcome) == [.miss])
    #expect(report.expired == 2)
    #expect(late[0].reason.contains("had expired"))
  }

  @Test func aSizeLimitTakesTheLeastRecentlyUsed() throws {
    let cache = try CacheFolder("nuke 12")
    let urls = (0..<10).map { "https://e.com/\($0).jpg" }
    for (age, url) in urls.enumerated() {
      let date = Self.now.addingTimeInterval(-Double(age))
      try cache.put(url, bytes: 4096, FileDates(access: date, modification: date))
    }
    let requests = urls.map { RecordedRequest(key: $0) }
    // Beyond the limit Nuke goes down to 70 % of it: six entries of ten.
    let (swept, report) = try cache.replay(requests, sizeLimit: 9 * 4096)
    #expect(swept.map(\.outcome) == Array(repeating: .exact, count: 6) + Array(repeating: .miss, count: 4))
    #expect(report.swept == 4 && report.unused.isEmpty)
    #expect(swept[9].reason.hasSuffix("a sweep had removed it"))
  }

  @Test func anEmptyFileIsNoHit() throws {
    let cache = try CacheFolder("kingfisher 8")
    let later = FileDates(access: Self.now, modification: Self.now.addingTimeInterval(Self.day))
    try cache.put(Self.base, bytes: 0, later)
    let (replayed, _) = try cache.replay([RecordedRequest(key: Self.base)])
    #expect(replayed[0].outcome == .miss)
    #expect(replayed[0].reason.contains("empty"))
  }

  @Test func whatNothingAskedForIsListed() throws {
    let cache = try CacheFolder("nuke 12")
    try cache.put(Self.base)
    try cache.put(Self.base + Self.circle)
    let (_, report) = try cache.replay([RecordedRequest(key: Self.base)])
    #expect(report.unused.map(\.file.path) == cache.client.fileNames(forKey: Self.base + Self.circle))
  }

  @Test func linesThatCureMissesComeInTheOrderOfTheirWorth() throws {
    let cache = try CacheFolder("nuke 12")
    try cache.put("https://e.com/c.jpg")
    let keys = ["a", "b", "b", "b", "c", "b", "a"].map { "https://e.com/\($0).jpg\(Self.circle)" }
    var (replayed, report) = try cache.replay(keys.map { RecordedRequest(key: $0) })
    let job = try #require(
      KeyJob.make(
        from: replayed.map(\.request), RoundTrip.overrides(["client": "nuke 12"])
      ).job)
    report.cure(with: job, of: replayed) { $0 }
    #expect(
      report.cures == [
        .init(line: "https://e.com/b.jpg circle", misses: 4, partials: 0),
        .init(line: "https://e.com/a.jpg circle", misses: 2, partials: 0),
        .init(line: "https://e.com/c.jpg circle", misses: 0, partials: 1),
      ])
  }

  @Test func missesAreCountedByChainAndSource() throws {
    let cache = try CacheFolder("nuke 12")
    try cache.put("https://e.com/a.jpg\(Self.circle)")
    let keys =
      ["a", "b", "b", "c"].map { "https://e.com/\($0).jpg\(Self.circle)" } + ["https://e.com/d.jpg"]
    let (_, report) = try cache.replay(keys.map { RecordedRequest(key: $0) })
    #expect(report.missed.map(\.misses) == [3, 1] && report.missed.map(\.sources) == [2, 1])
    #expect(report.missed[0].chain == "circle" && report.missed[0].name == nil)
  }

  @Test func recordingsAreReadLineByLine() throws {
    let text = """
      {"v":1,"type":"request","at":1.5,"key":"k","url":"https://e.com/k","id":"k","found":"disk","more":[1]}

      plain key with spaces
      {"key":"z","options":["onlyFromCache"]}
      {"type":"note","text":"passed over"}
      {"key":"x","v":2}
      {"url":"https://e.com"}
      {"key":"y","found":"cloud"}
      {broken
      {"request":{"url":"u","imageID":"u","processors":["x","y"],"thumbnail":"t","options":["o"]},"source":"network"}
      {"request":{"url":"u","imageID":"i","processors":[],"options":[]},"createdAt":2,"source":"memory"}
      {"request":{"url":"u","imageID":"u","processors":[],"options":[]},"outcome":"cancelled"}
      """
    var session = RecordedSession()
    try session.read("s", LineReader(bytes: Array(text.utf8) + [10, 0xFF, 0xFE]))
    #expect(
      session.requests == [
        RecordedRequest(key: "k", url: "https://e.com/k", id: "k", at: 1.5, found: .disk, line: 1),
        RecordedRequest(key: "plain key with spaces", line: 3),
        RecordedRequest(key: "z", options: ["onlyFromCache"], line: 4),
        RecordedRequest(key: "utxy", url: "u", options: ["o"], line: 10),
        RecordedRequest(key: "i", url: "u", id: "i", at: 2, found: .memory, line: 11),
      ])
    #expect(session.faults.map(\.line) == [6, 7, 8, 9, 13])
  }

  /// What a request's own options keep it from is a miss that no job line answers.
  @Test(arguments: [
    ("nuke 12", circle, ["disableDiskCacheReads"], [0, 0, 4]),
    ("nuke 12", circle, ["reloadIgnoringCachedData", "disableDiskCacheReads"], [0, 0, 4]),
    ("nuke 12", circle, ["returnCacheDataDontLoad"], [2, 0, 2]),
    ("nuke 12", circle, ["skipDecompression"], [2, 1, 1]), ("nuke 12", circle, [], [2, 1, 1]),
    ("kingfisher 8", blur, ["forceRefresh"], [0, 0, 4]),
    ("kingfisher 8", blur, ["fromMemoryCacheOrRefresh"], [0, 0, 4]),
    ("kingfisher 8", blur, ["onlyFromCache"], [2, 1, 1]),
    ("kingfisher 8", blur, ["ImagePrefetcher"], [2, 0, 2]),
    // An original on the disk serves it.
    ("kingfisher 5.10.0", blur, ["fromMemoryCacheOrRefresh"], [0, 1, 3]),
    ("kingfisher 5.10.1", blur, ["fromMemoryCacheOrRefresh"], [0, 0, 4]),
    ("sdwebimage 5", "", ["fromLoaderOnly"], [0, 0, 4]),
    ("sdwebimage 5", "", ["fromCacheOnly"], [3, 0, 1]),
  ])
  func optionsOfRequestsCount(client: String, chain: String, options: [String], counts: [Int]) throws {
    let cache = try CacheFolder(client)
    let keys = ["a", "b", "c", "d"].map { "https://e.com/\($0).jpg\(chain)" }
    let later = FileDates(access: Self.now, modification: Self.now.addingTimeInterval(Self.day))
    for key in [keys[0], keys[1], "https://e.com/c.jpg"] { try cache.put(key, later) }
    let requests = keys.map { RecordedRequest(key: $0, options: options) }
    var (replayed, report) = try cache.replay(requests)
    #expect([.exact, .partial, .miss].map(report.count) == counts)
    #expect(replayed.allSatisfy { $0.readsNothing == (counts[0] == 0) })
    // The same keys without the options are looked up.
    (replayed, report) = try cache.replay(requests + keys.map { RecordedRequest(key: $0) })
    #expect(report.count(.exact) + report.count(.partial) == counts[0] + counts[1] + 3)
  }
}
