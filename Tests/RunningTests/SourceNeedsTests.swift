import Foundation
import TestSupport
import Testing

@testable import ClientKit
@testable import Fetching

/// What a source is needed for, by what the ledger, the HTTP cache and the file say.
@Suite(.timeLimit(.minutes(10)))
struct SourceNeedsTests {
  private static let url = SourceScene.url
  private var url: String { Self.url }

  /// A job, the versions of its files by rendition, what the HTTP cache has, and what happens then.
  struct Row: Sendable, CustomTestStringConvertible {
    var job: String
    var files: [[String]] = []
    var version: HTTPVersion?
    var answers: [SourceScene.Answer] = []
    var steps: [String]
    var outcomes: [String] = []
    var testDescription: String { "\(job), \(files)" }
  }

  private static let unchanged = [SourceScene.Answer.unchanged]
  private static let same = [SourceScene.Answer.body(SourceScene.body("a", PNG.bytes))]
  private static let other = [SourceScene.Answer.body(SourceScene.body("b"))]
  private static let making = ["fetch", "render 1", "store 1 in 0"]

  static let rows = [
    Row(job: "\(url) circle", answers: same, steps: making, outcomes: ["made"]),
    // A fresh version settles a second run without the network.
    Row(
      job: "\(url) circle original", files: [["a"], ["a"]], version: HTTPVersion(digest: "a", isFresh: true),
      steps: ["version"], outcomes: ["current", "current"]),
    // A stale one, or another one, is asked about. What the HTTP cache has of the same version, the ledger need not be
    // asked for.
    Row(
      job: "\(url) circle original", files: [["a"], ["a"]], version: HTTPVersion(digest: "a", isFresh: false),
      answers: unchanged, steps: ["version", "fetch unless a"], outcomes: ["current", "current"]),
    Row(
      job: "\(url) circle", files: [["a"]], version: HTTPVersion(digest: "b", isFresh: true),
      answers: unchanged, steps: ["version", "fetch unless ledger"], outcomes: ["current"]),
    // The same bytes again renew the ledger and nothing else; other bytes are drawn anew.
    Row(
      job: "\(url) circle", files: [["a"]], answers: same,
      steps: ["version", "fetch unless ledger", "renew 1 \"a\""], outcomes: ["current"]),
    Row(
      job: "\(url) circle", files: [["a"]], answers: other,
      steps: ["version", "fetch unless ledger", "render 1", "store 1 in 0"], outcomes: ["made"]),
    // A rendition that is needed takes the question away from the others, which are right with these bytes.
    Row(
      job: "\(url) circle gaussianBlur", files: [["a"], []], answers: same,
      steps: ["version", "fetch", "renew 1 \"a\"", "render 1", "store 1 in 0"], outcomes: ["current", "made"]),
    // Renditions of two versions cannot be asked about together.
    Row(
      job: "\(url) circle gaussianBlur", files: [["a"], ["b"]], answers: same,
      steps: ["version", "fetch", "renew 1 \"a\"", "render 1", "store 1 in 0"], outcomes: ["current", "made"]),
    // A rendition is intact only with all its files, of one version.
    Row(
      job: "policy storeAll\n\(url) circle", files: [["a"]], answers: same,
      steps: ["fetch", "render 1", "store 2 in 0"], outcomes: ["made"]),
    Row(
      job: "policy storeAll\n\(url) circle", files: [["a", "b"]], answers: same,
      steps: ["fetch", "render 1", "store 2 in 0"], outcomes: ["made"]),
    Row(
      job: "policy storeAll\n\(url) circle", files: [["a", "a"]],
      version: HTTPVersion(digest: "a", isFresh: true), steps: ["version"], outcomes: ["current"]),
    // Without an HTTP cache servers are not asked again, and a data: URL never changes.
    Row(job: "http-cache off\n\(url) circle", files: [["a"]], steps: [], outcomes: ["current"]),
    Row(job: "data:image/png;base64,AAAA circle", files: [["a"]], steps: [], outcomes: ["current"]),
    // What cannot be drawn, is not stored, or has expired already, needs nothing.
    Row(job: "\(url) custom(\"x\")", steps: [], outcomes: ["failed plan.not-drawable"]),
    Row(job: "\(url) original noDiskWrite", steps: [], outcomes: ["not stored"]),
    Row(
      job: "client kingfisher 8\n\(url) original expires=2027-01-01", steps: [], outcomes: ["not stored"]),
    // Outcomes come in the order of the job.
    Row(
      job: "\(url) circle\n\(url) custom(\"x\")\n\(url) original noDiskWrite", files: [["a"]],
      version: HTTPVersion(digest: "a", isFresh: true), steps: ["version"],
      outcomes: ["current", "failed plan.not-drawable", "not stored"]),
    // Whether another line's entry lies there is known once that line is done.
    Row(
      job: "client kingfisher 8\nstyle options\n\(url) original\n\(url) blackWhite noDiskWrite",
      steps: ["fetch"], outcomes: ["failed fetch.status", "not stored, last in 0"]),
  ]

  @Test(arguments: rows) func whatIsThereDecidesWhatIsDone(row: Row) async throws {
    var scene = try SourceScene(
      row.job, options: { $0.date = RunDate(start: Date(timeIntervalSince1970: 1_900_000_000)) })
    (scene.files, scene.version, scene.answers) = (row.files, row.version, row.answers)
    let story = try await scene.run()
    #expect(story.steps == row.steps)
    #expect(story.outcomes == row.outcomes)
  }

  @Test func onlyTheRenditionThatIsNeededIsDrawn() async throws {
    var scene = try SourceScene("\(url) circle gaussianBlur")
    (scene.files, scene.answers) = ([["a"], []], Self.same)
    let story = try await scene.run()
    #expect(story.rendering?.labels.chains == ["gaussianBlur"])
    #expect(story.counts.sourcesFetched == 1 && story.counts.bytesFetched == PNG.bytes.count)
  }

  @Test func anUnchangedSourceIsCountedAsSuch() async throws {
    var scene = try SourceScene("\(url) circle")
    (scene.files, scene.answers) = ([["a"]], Self.unchanged)
    let story = try await scene.run()
    #expect(story.counts.sourcesValidated == 1 && story.counts.sourcesFetched == 0)
  }

  @Test func aFileIsJudgedByItsStamp() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("1.jpg")
    try Data(repeating: 1, count: 9000).write(to: file)
    var scene = try SourceScene("\(file.path) circle")
    let stamp = try #require(LocalFile.status(url: scene.work.url)).stamp
    #expect(SourceScene.version(stamp).etag == "\"\(stamp)\"")
    scene.setIntact("other")
    let story = try await scene.run()
    #expect(story.steps == ["render 1", "store 1 in 0"], "it is read")
    #expect(story.held.first == 9000, "its size is known already")
    #expect(story.files.first?.entry.etag == stamp)
  }

  @Test func aMissingFileIsReadAllTheSameSoThatTheFailureIsTold() async throws {
    let story = try await SourceScene("/nowhere/1.jpg circle").run()
    #expect(story.outcomes == ["failed file.missing"])
  }

  @Test func reloadLooksAtNothingAndPassesTheHTTPCacheBy() async throws {
    for (options, reloads) in [(" reload", false), ("", true)] {
      var scene = try SourceScene("\(url) circle\(options)", options: { $0.reloads = reloads })
      scene.setIntact("a")
      let story = try await scene.run()
      #expect(story.steps == ["fetch"])
      #expect(story.request?.cachePolicy == .reloadIgnoringCache)
    }
  }

  @Test func oneRenditionThatReloadsDoesNotMakeTheOthersAnew() async throws {
    var scene = try SourceScene("\(url) circle reload\n\(url) gaussianBlur")
    scene.setIntact("a")
    scene.version = HTTPVersion(digest: "a", isFresh: true)
    let story = try await scene.run()
    #expect(story.outcomes == ["current", "failed fetch.status"])
    #expect(story.request?.cachePolicy == .reloadIgnoringCache)
  }

  @Test func noDiskReadMakesAnewWhatTheHTTPCacheMayAnswer() async throws {
    var scene = try SourceScene("\(url) circle noDiskRead")
    scene.setIntact("a")
    let story = try await scene.run()
    #expect(story.steps == ["fetch"])
    #expect(story.request?.cachePolicy == .useProtocol)
  }
}
