import Foundation
import JobSupport
import TestSupport
import Testing
import Text

@testable import Fetching
@testable import Pictures
@testable import Planning
@testable import Rendering
@testable import Running

/// The ways to a source's bytes.
@Suite(.timeLimit(.minutes(10)))
struct SourceFetchTests {
  private let url = SourceScene.url
  private let body = SourceScene.body("a", PNG.bytes)

  // MARK: Offline

  @Test func offlineIntactFilesAreBelievedWithoutAQuestion() async throws {
    var scene = try SourceScene("\(url) circle", options: { $0.isOffline = true })
    scene.setIntact("a")
    let story = try await scene.run()
    #expect(story.outcomes == ["current"] && story.steps.isEmpty)
  }

  @Test func offlineTheHTTPCacheAnswersBeforeAStoredOriginal() async throws {
    var scene = try SourceScene("\(url) original circle", options: { $0.isOffline = true })
    scene.original = body
    #expect(try await scene.run().steps == ["HTTP cache", "original", "render 1", "store 2 in 0"])
    scene.cached = body
    #expect(try await scene.run().steps == ["HTTP cache", "render 1", "store 2 in 0"])
    (scene.cached, scene.original) = (nil, nil)
    #expect(try await scene.run().outcomes == ["failed source.offline", "failed source.offline"])
  }

  @Test func offlineWinsOverReload() async throws {
    var scene = try SourceScene("\(url) circle reload", options: { $0.isOffline = true })
    scene.setIntact("a")
    #expect(try await scene.run().outcomes == ["current"])
  }

  @Test func anEntryThatIsNotOfflineFetchesForThoseThatAre() async throws {
    var scene = try SourceScene("\(url) circle offline\n\(url) gaussianBlur")
    #expect(try await scene.run().steps == ["fetch"])
    scene.setIntact("a")
    scene.answers = [.unchanged]
    let story = try await scene.run()
    #expect(story.steps == ["version", "fetch unless ledger"] && story.outcomes == ["current", "current"])
  }

  // MARK: Originals in a cache folder

  private func twoCaches() throws -> SourceScene {
    var scene = try SourceScene("cache a\n\(url) original", "cache b\nclient kingfisher 8\n\(url) original")
    scene.files = [["a"], []]
    scene.version = HTTPVersion(digest: "a", isFresh: true)
    scene.original = body
    return scene
  }

  @Test func anOriginalThatCouldBeReadIsCurrent() async throws {
    var scene = try twoCaches()
    scene.cached = body
    let story = try await scene.run()
    #expect(story.steps == ["version", "original", "current a", "store 1 in 1"])
    #expect(story.outcomes.sorted() == ["current", "made"])
  }

  /// Also one in doubt: the server would say of it, too, that it is unchanged.
  @Test(arguments: [true, false]) func anOriginalThatIsDamagedIsMadeAgain(isFresh: Bool) async throws {
    var scene = try twoCaches()
    scene.version = HTTPVersion(digest: "a", isFresh: isFresh)
    scene.isOriginalDamaged = true
    scene.answers = [.body(body)]
    let story = try await scene.run()
    #expect(
      story.steps == ["version", "damaged", "fetch", "store 1 in 0", "store 1 in 1"])
    #expect(story.outcomes == ["made", "made"])
  }

  // MARK: The head of a file

  private let thumbnail = "embedded prefer\n\(SourceScene.url) resize(width: 32)"

  @Test func aHeadThatSufficesIsAllThatIsFetched() async throws {
    var scene = try SourceScene(thumbnail)
    scene.head = .body(SourceScene.head())
    let story = try await scene.run()
    #expect(story.steps == ["version", "head", "render 1", "store 1 in 0"])
    #expect(story.held == [0, 65536, 65536, 65536])
    #expect(story.outcomes == ["made"] && story.counts.bytesFetched == 600)
  }

  @Test func aHeadThatDoesNotSufficeIsGoneOnWith() async throws {
    var scene = try SourceScene(thumbnail)
    scene.head = .body(SourceScene.head())
    scene.failing = [0: .truncated]
    scene.cached = body
    let story = try await scene.run()
    #expect(story.steps == ["version", "head", "render 1", "rest of 600", "render 1"])
    #expect(story.held == [0, 65536, 65536, 1000, PNG.bytes.count])
    scene.isHeadRefused = true
    #expect(try await scene.run().steps.suffix(2) == ["rest of 600", "fetch"])
    scene.renderFailure = .truncated
    #expect(try await scene.run().steps == ["version", "head", "render 1", "rest of 600", "fetch"])
  }

  @Test func aThumbnailThatIsTooSmallByTheJobsOwnWordIsAFailureOfTheHead() async throws {
    var scene = try SourceScene(thumbnail)
    scene.head = .body(SourceScene.head())
    scene.failing = [0: .size]
    let story = try await scene.run()
    #expect(story.outcomes == ["failed render.size"] && story.steps == ["version", "head", "render 1"])
  }

  @Test func aHeadThatIsTheWholeFileOrNoneIsNotDrawnAsAHead() async throws {
    var scene = try SourceScene(thumbnail)
    scene.head = .body(SourceScene.head(isWhole: true))
    #expect(try await scene.run().steps == ["version", "head", "rest of 600", "fetch"])
    scene.head = nil
    #expect(try await scene.run().steps == ["version", "head", "fetch"])
    scene.version = HTTPVersion(digest: "a", isFresh: false)
    #expect(try await scene.run().steps == ["version", "fetch"], "what the HTTP cache has needs no head")
  }

  @Test(arguments: [
    "embedded prefer\n\(SourceScene.url) resize(width: 32) original",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) circle",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) reload",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) sha256=\(String(repeating: "a", count: 64))",
    "embedded never\n\(SourceScene.url) resize(width: 32)", "\(SourceScene.url) thumbnail(maxPixelSize: 32)",
  ])
  func theWholeIsFetchedWhereAnyRenditionNeedsIt(job: String) async throws {
    #expect(try await SourceScene(job).run().steps == ["fetch"])
  }

  @Test func whatMayStillBeRightIsAskedAboutAsAWhole() async throws {
    var scene = try SourceScene("\(thumbnail) resize(width: 64)")
    scene.files = [["a"], []]
    #expect(try await scene.run().steps == ["version", "fetch"])
  }

  @Test func aHeadNeverTakesMoreThanTheBudgetHas() async throws {
    let scene = try SourceScene(thumbnail, options: { $0.maxBytesInFlight = 500 })
    #expect(try await scene.run().held == [0, 500, 500])
  }

  // MARK: Limits

  @Test func theJobsLimitBoundsTheTransferItself() async throws {
    let folder = try TemporaryFolder()
    try Data(repeating: 1, count: 70_000).write(to: folder.file("1.jpg"))
    for (line, limit) in [("max-bytes 64K", 64 << 10), ("max-bytes 900M", 900 << 20), ("", 7_000_000)] {
      func scene(_ source: String) throws -> SourceScene {
        try SourceScene("\(line)\n\(source) circle", options: { $0.limits.maxBytes = 7_000_000 })
      }
      #expect(try await scene(url).run().request?.maxBodyBytes == limit)
      let file = try await scene(folder.file("1.jpg").path).run()
      #expect(file.outcomes == [limit < 70_000 ? "failed file.unreadable" : "made"])
    }
  }

  // MARK: Failures and the end

  @Test func aFailedFetchFailsAllThatWasOpenAndNothingElse() async throws {
    var scene = try SourceScene("\(url) circle gaussianBlur original")
    scene.files = [["a"], [], []]
    let story = try await scene.run()
    #expect(story.outcomes == Array(repeating: "failed fetch.status", count: 3))
    #expect(story.steps == ["version", "fetch"] && story.counts.sourcesFetched == 0)
  }

  @Test func aFailedHeadFailsAllThatWasOpen() async throws {
    var scene = try SourceScene(thumbnail)
    scene.head = .failure("fetch.resolve")
    #expect(try await scene.run().outcomes == ["failed fetch.resolve"])
  }

  /// While its head is fetched or drawn, or the whole is fetched or drawn.
  @Test func whatIsCancelledSettlesNothing() async throws {
    var scenes = try [SourceScene(thumbnail), SourceScene(thumbnail)]
    scenes[0].head = .cancelled
    scenes[1].head = .body(SourceScene.head())
    scenes[1].renderFailure = .cancelled
    scenes += try [SourceScene("\(url) circle"), SourceScene("\(url) circle")]
    scenes[2].answers = [.cancelled]
    scenes[3].answers = [.body(body)]
    scenes[3].renderFailure = .cancelled
    for scene in scenes { #expect(try await scene.run().outcomes.isEmpty) }
  }

  @Test func theMostUrgentRenditionDecidesTheSourcesPriority() async throws {
    let scene = try SourceScene("\(url) circle priority=low\n\(url) gaussianBlur priority=high")
    #expect(try await scene.run().request?.priority == .high)
  }
}
