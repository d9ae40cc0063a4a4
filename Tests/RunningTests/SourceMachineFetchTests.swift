import Foundation
import JobSupport
import Testing
import Text

@testable import Fetching
@testable import Pictures
@testable import Planning
@testable import Rendering
@testable import Running

/// The ways to a source's bytes.
@Suite(.timeLimit(.minutes(10)))
struct SourceMachineFetchTests {
  private let url = SourceScene.url

  // MARK: Offline

  @Test func offlineIntactFilesAreBelievedWithoutAQuestion() throws {
    var scene = try SourceScene("\(url) circle", options: { $0.isOffline = true })
    scene.answerIntact("a")
    #expect(scene.outcomes == ["current"])
    #expect(scene.question == nil)
  }

  @Test func offlineTheHTTPCacheAnswersBeforeAStoredOriginal() throws {
    var scene = try SourceScene("\(url) circle", options: { $0.isOffline = true })
    scene.answerNoFiles()
    scene.answer(.reserved)
    #expect(scene.question == "fetch HTTP cache, stored original, or source.offline")
    scene.answer(.body(SourceScene.body("a")))
    #expect(scene.question == "render 1 of a")
  }

  @Test func offlineWinsOverReload() throws {
    var scene = try SourceScene("\(url) circle reload", options: { $0.isOffline = true })
    scene.answerIntact("a")
    #expect(scene.outcomes == ["current"])
  }

  @Test func anEntryThatIsNotOfflineFetchesForThoseThatAre() throws {
    var scene = try SourceScene("\(url) circle offline\n\(url) gaussianBlur")
    scene.answerNoFiles()
    scene.answer(.reserved)
    #expect(scene.question == "fetch whole")
  }

  @Test func anOfflineEntryIsBelievedAndTheOthersAreAskedAbout() throws {
    var scene = try SourceScene("\(url) circle offline\n\(url) gaussianBlur")
    scene.answerIntact("a")
    scene.answer(.version(nil), .reserved)
    #expect(scene.outcomes == ["current"])
    #expect(scene.question == "fetch whole unless as in 0")
  }

  // MARK: Originals in a cache folder

  private let two = [
    "cache a\n\(SourceScene.url) original", "cache b\nclient kingfisher 8\n\(SourceScene.url) original",
  ]

  @Test func anOriginalThatIsDamagedIsMadeAgainWithWhatNeededIt() throws {
    var scene = try SourceScene(two[0], two[1])
    scene.answer(.files([[SourceScene.version("a")], []]))
    scene.answer(.version(HTTPVersion(digest: "a", isFresh: true)), .reserved)
    #expect(scene.outcomes.isEmpty, "its original may still be read")
    #expect(scene.question == "fetch current original, whole")
    let file = try #require(scene.machine.candidates[0].task.rendition.stores.first).fileName
    scene.answer(.damaged(.init(session: 0, name: file)))
    #expect(scene.question == "fetch current original, whole")
    scene.answer(.body(SourceScene.body("a")), .rendered(RenderedOutputs(), nil))
    #expect(scene.question == "store 1 in 0")
    scene.answer(.staged)
    #expect(scene.question == "store 1 in 1")
    scene.answer(.staged)
    #expect(scene.outcomes == ["made", "made"] && scene.taken == 0)
  }

  @Test func anOriginalThatCouldBeReadIsCurrent() throws {
    var scene = try SourceScene(two[0], two[1])
    scene.answer(.files([[SourceScene.version("a")], []]))
    scene.answer(.version(HTTPVersion(digest: "a", isFresh: true)), .reserved)
    scene.answer(.body(SourceScene.body("a")), .rendered(RenderedOutputs(), nil), .staged)
    #expect(scene.outcomes.sorted() == ["current", "made"] && scene.taken == 0)
  }

  /// The server would say of a damaged one, too, that it is unchanged.
  @Test func anOriginalInDoubtThatIsDamagedIsMadeAgain() throws {
    var scene = try SourceScene(two[0], two[1])
    scene.answer(.files([[SourceScene.version("a")], []]))
    scene.answer(.version(HTTPVersion(digest: "a", isFresh: false)), .reserved)
    let file = try #require(scene.machine.candidates[0].task.rendition.stores.first).fileName
    scene.answer(
      .damaged(.init(session: 0, name: file)), .body(SourceScene.body("a")), .rendered(RenderedOutputs(), nil)
    )
    #expect(scene.question == "store 1 in 0" && scene.outcomes == ["made"])
  }

  // MARK: The head of a file

  private let thumbnail = "embedded prefer\n\(SourceScene.url) resize(width: 32)"

  @Test func aHeadThatSufficesIsAllThatIsFetched() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    #expect(scene.question == "version")
    scene.answer(.version(nil))
    #expect(scene.question == "reserve 65536")
    scene.answer(.reserved)
    #expect(scene.question == "head")
    scene.answer(.head(SourceScene.head()))
    #expect(scene.question == "render 1 of head")
    try scene.answerRendered()
    #expect(scene.orders == ["fetched 600"])
    #expect(scene.question == "store 1 in 0")
    scene.answer(.staged)
    #expect(scene.outcomes == ["made"])
    #expect(scene.taken == 0)
  }

  @Test func aHeadThatDoesNotSufficeIsGoneOnWith() throws {
    for isDrawn in [true, false] {
      var scene = try SourceScene(thumbnail)
      scene.answerNoFiles()
      scene.answer(.version(nil), .reserved, .head(SourceScene.head()))
      if isDrawn {
        try scene.answerRendered(failing: [0: .truncated])
      } else {
        scene.answer(.notRendered(RenderFailure(.truncated, "no")))
      }
      #expect(scene.outcomes.isEmpty, "nothing is said of it yet")
      #expect(scene.taken == 1000)
      scene.answer(.reserved)
      #expect(scene.question == "fetch rest of 600, whole")
      scene.answer(.body(SourceScene.body("a")))
      #expect(scene.question == "render 1 of a")
    }
  }

  @Test func aThumbnailThatIsTooSmallByTheJobsOwnWordIsAFailureOfTheHead() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    scene.answer(.version(nil), .reserved, .head(SourceScene.head()))
    try scene.answerRendered(failing: [0: .size])
    #expect(scene.outcomes == ["failed render.size"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func aHeadThatIsTheWholeFileIsNotDrawnAsAHead() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    scene.answer(.version(nil), .reserved, .head(SourceScene.head(isWhole: true)), .reserved)
    #expect(scene.question == "fetch rest of 600, whole")
  }

  @Test func aServerThatRefusesRangesIsAskedForTheWhole() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    scene.answer(.version(nil), .reserved, .head(nil), .reserved)
    #expect(scene.question == "fetch whole")
  }

  @Test func whatTheHTTPCacheHasNeedsNoHead() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    scene.answer(.version(HTTPVersion(digest: "a", isFresh: false)), .reserved)
    #expect(scene.question == "fetch whole")
  }

  @Test(arguments: [
    "embedded prefer\n\(SourceScene.url) resize(width: 32) original",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) circle",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) reload",
    "embedded prefer\n\(SourceScene.url) resize(width: 32) sha256=\(String(repeating: "a", count: 64))",
    "embedded never\n\(SourceScene.url) resize(width: 32)", "\(SourceScene.url) thumbnail(maxPixelSize: 32)",
  ])
  func theWholeIsFetchedWhereAnyRenditionNeedsIt(job: String) throws {
    var scene = try SourceScene(job)
    if scene.question?.hasPrefix("files") == true { scene.answerNoFiles() }
    #expect(scene.question == "reserve 1000")
  }

  @Test func whatMayStillBeRightIsAskedAboutAsAWhole() throws {
    var scene = try SourceScene("\(thumbnail) resize(width: 64)")
    scene.answer(.files([[SourceScene.version("a")], []]), .version(nil))
    #expect(scene.question == "reserve 1000")
  }

  @Test func aHeadNeverTakesMoreThanTheBudgetHas() throws {
    var scene = try SourceScene(thumbnail, options: { $0.maxBytesInFlight = 500 })
    scene.answerNoFiles()
    scene.answer(.version(nil))
    #expect(scene.question == "reserve 500")
    scene.answer(.reserved, .head(nil))
    #expect(scene.question == "reserve 500")
    scene.answer(.reserved, .failed(RunFailure(step: .fetch, code: "x", message: "")))
    #expect(scene.taken == 0)
  }

  // MARK: Limits

  @Test(arguments: [SourceScene.url, "/srv/1.jpg", "data:image/png;base64,AAAA"])
  func theJobsLimitBoundsTheTransferItself(source: String) throws {
    for (line, limit) in [("max-bytes 64K", 64 << 10), ("max-bytes 900M", 900 << 20), ("", 7_000_000)] {
      var scene = try SourceScene("\(line)\n\(source) circle", options: { $0.limits.maxBytes = 7_000_000 })
      scene.answerNoFiles()
      if scene.question == "local file" { scene.answer(.localFile(nil)) }
      scene.answer(.reserved)
      #expect(scene.request?.maxBodyBytes == limit)
    }
  }

  // MARK: Failures and the end

  @Test func aFailedFetchFailsAllThatWasOpenAndNothingElse() throws {
    var scene = try SourceScene("\(url) circle gaussianBlur original")
    scene.answer(.files([[SourceScene.version("a")], [], []]), .version(nil), .reserved)
    scene.answer(.failed(RunFailure(step: .fetch, code: "fetch.status", message: "404")))
    #expect(scene.outcomes == Array(repeating: "failed fetch.status", count: 3))
    #expect(scene.taken == 0 && scene.question == nil && scene.orders.isEmpty)
  }

  @Test func aFailedHeadFailsAllThatWasOpen() throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    scene.answer(
      .version(nil), .reserved, .failed(RunFailure(step: .fetch, code: "fetch.resolve", message: "")))
    #expect(scene.outcomes == ["failed fetch.resolve"])
    #expect(scene.taken == 0 && scene.question == nil)
  }

  /// While its head is fetched, or drawn.
  @Test(arguments: 3...4)
  func whatIsCancelledSettlesNothingAndHoldsNothing(after answers: Int) throws {
    var scene = try SourceScene(thumbnail)
    scene.answerNoFiles()
    let events: [SourceMachine.Event] = [.version(nil), .reserved, .head(SourceScene.head())]
    for event in events.prefix(answers - 1) { scene.answer(event) }
    scene.answer(.cancelled)
    #expect(scene.outcomes.isEmpty)
    #expect(scene.taken == 0 && scene.question == nil)
  }

  @Test func theMostUrgentRenditionDecidesTheSourcesPriority() throws {
    var scene = try SourceScene("\(url) circle priority=low\n\(url) gaussianBlur priority=high")
    scene.answerNoFiles()
    scene.answer(.reserved)
    #expect(scene.request?.priority == .high)
  }
}
