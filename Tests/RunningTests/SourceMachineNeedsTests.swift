import ClientKit
import Foundation
import JobSupport
import Testing

@testable import CacheStore
@testable import Fetching
@testable import Planning
@testable import Running

/// What a source is needed for, by what the ledger, the HTTP cache and the file say.
@Suite(.timeLimit(.minutes(10)))
struct SourceMachineNeedsTests {
  private let url = SourceScene.url

  @Test func aFirstRunFetchesTheWhole() throws {
    var scene = try SourceScene("\(url) circle")
    #expect(scene.question == "files of 1")
    scene.answerNoFiles()
    #expect(scene.question == "reserve 1000")
    scene.answer(.reserved)
    #expect(scene.question == "fetch whole")
    #expect(scene.request?.cachePolicy == .useProtocol)
  }

  @Test func aFreshVersionSettlesASecondRunWithoutTheNetwork() throws {
    var scene = try SourceScene("\(url) circle original")
    scene.answerIntact("a")
    #expect(scene.question == "version")
    scene.answer(.version(HTTPVersion(digest: "a", isFresh: true)))
    #expect(scene.question == nil)
    #expect(scene.outcomes == ["current", "current"])
    #expect(scene.taken == 0)
  }

  @Test(arguments: [
    HTTPVersion(digest: "a", isFresh: false), HTTPVersion(digest: "b", isFresh: true), nil,
  ])
  func aStaleOrOtherVersionIsAskedAbout(version: HTTPVersion?) throws {
    var scene = try SourceScene("\(url) circle")
    scene.answerIntact("a")
    scene.answer(.version(version), .reserved)
    // What the HTTP cache has of the same version, the ledger need not be asked for.
    #expect(scene.question == "fetch whole unless \(version?.digest == "a" ? "a" : "as in 0")")
  }

  @Test func anUnchangedSourceSettlesAllThatWasUnproven() throws {
    var scene = try SourceScene("\(url) circle original")
    scene.answerIntact("a")
    scene.answer(.version(nil), .reserved, .unchanged)
    #expect(scene.outcomes == ["current", "current"])
    #expect(scene.orders == ["validated"])
    #expect(scene.taken == 0 && scene.question == nil)
  }

  @Test func theSameBytesAgainRenewTheLedgerAndNothingElse() throws {
    var scene = try SourceScene("\(url) circle")
    scene.answerIntact("a")
    scene.answer(.version(nil), .reserved, .body(SourceScene.body("a")))
    #expect(scene.orders == ["fetched 5000", "renew circle a"])
    #expect(scene.outcomes == ["current"])
    #expect(scene.taken == 0 && scene.question == nil)
  }

  @Test func aChangedBodyIsRenderedAnew() throws {
    var scene = try SourceScene("\(url) circle")
    scene.answerIntact("a")
    scene.answer(.version(nil), .reserved, .body(SourceScene.body("b")))
    #expect(scene.outcomes.isEmpty)
    #expect(scene.question == "render 1 of b")
    #expect(scene.taken == 5000)
  }

  @Test func aRenditionThatIsNeededTakesTheQuestionAwayFromTheOthers() throws {
    var scene = try SourceScene("\(url) circle gaussianBlur")
    scene.answer(.files([[SourceScene.version("a")], []]), .version(nil), .reserved)
    #expect(scene.question == "fetch whole")
    scene.answer(.body(SourceScene.body("a")))
    // The circle was made from these bytes; only the blur is drawn.
    #expect(scene.outcomes == ["current"])
    #expect(scene.rendering?.parts.map(\.task.rendition.chain) == ["gaussianBlur"])
  }

  @Test func renditionsOfTwoVersionsCannotBeAskedAboutTogether() throws {
    var scene = try SourceScene("\(url) circle gaussianBlur")
    scene.answer(.files([[SourceScene.version("a")], [SourceScene.version("b")]]), .version(nil), .reserved)
    #expect(scene.question == "fetch whole")
  }

  @Test func aRenditionIsIntactOnlyWithAllItsFilesOfOneVersion() throws {
    let job = "policy storeAll\n\(url) circle"
    var scene = try SourceScene(job)
    scene.answer(.files([[SourceScene.version("a")]]))
    #expect(scene.question == "reserve 1000", "one of two files is missing")
    scene = try SourceScene(job)
    scene.answer(.files([[SourceScene.version("a"), SourceScene.version("b")]]))
    #expect(scene.question == "reserve 1000", "the two are of different versions")
    scene = try SourceScene(job)
    scene.answer(.files([[SourceScene.version("a"), SourceScene.version("a")]]))
    #expect(scene.question == "version")
  }

  @Test func withoutAnHTTPCacheServersAreNotAskedAgain() throws {
    var scene = try SourceScene("http-cache off\n\(url) circle")
    scene.answerIntact("a")
    #expect(scene.question == nil)
    #expect(scene.outcomes == ["current"])
  }

  @Test func aDataURLNeverChanges() throws {
    var scene = try SourceScene("data:image/png;base64,AAAA circle")
    scene.answerIntact("a")
    #expect(scene.question == nil)
    #expect(scene.outcomes == ["current"])
  }

  @Test func aFileIsJudgedByItsStamp() throws {
    let version = VersionMark(digest: "a", etag: "12 7.0")
    var scene = try SourceScene("file:///srv/1.jpg circle")
    scene.answer(.files([[version]]))
    #expect(scene.question == "local file")
    scene.answer(.localFile(LocalFile.Status(size: 12, stamp: "12 7.0")))
    #expect(scene.outcomes == ["current"])

    scene = try SourceScene("file:///srv/1.jpg circle")
    scene.answer(.files([[version]]), .localFile(LocalFile.Status(size: 9000, stamp: "9000 8.0")))
    #expect(scene.question == "reserve 9000", "its size is known already")
    scene.answer(.reserved)
    #expect(scene.question == "fetch local")
  }

  @Test func aMissingFileIsReadAllTheSameSoThatTheFailureIsTold() throws {
    var scene = try SourceScene("file:///srv/1.jpg circle")
    scene.answerNoFiles()
    #expect(scene.question == "local file")
    scene.answer(.localFile(nil), .reserved)
    #expect(scene.question == "fetch local")
  }

  @Test func reloadLooksAtNothingAndPassesTheHTTPCacheBy() throws {
    for (options, reloads) in [(" reload", false), ("", true)] {
      var scene = try SourceScene("\(url) circle\(options)", options: { $0.reloads = reloads })
      #expect(scene.question == "reserve 1000")
      scene.answer(.reserved)
      #expect(scene.request?.cachePolicy == .reloadIgnoringCache)
    }
  }

  @Test func oneRenditionThatReloadsDoesNotMakeTheOthersAnew() throws {
    var scene = try SourceScene("\(url) circle reload\n\(url) gaussianBlur")
    #expect(scene.question == "files of 1")
    scene.answer(.files([[SourceScene.version("a")]]), .version(HTTPVersion(digest: "a", isFresh: true)))
    #expect(scene.outcomes == ["current"])
    scene.answer(.reserved)
    #expect(scene.request?.cachePolicy == .reloadIgnoringCache)
  }

  @Test func noDiskReadMakesAnewWhatTheHTTPCacheMayAnswer() throws {
    var scene = try SourceScene("\(url) circle noDiskRead")
    #expect(scene.question == "reserve 1000")
    scene.answer(.reserved)
    #expect(scene.request?.cachePolicy == .useProtocol)
  }

  @Test func whatCannotBeDrawnFailsBeforeAnythingIsFetched() throws {
    let scene = try SourceScene("\(url) custom(\"x\")")
    #expect(scene.outcomes == ["failed plan.not-drawable"])
    #expect(scene.question == nil)
  }

  @Test func whatIsNotStoredNeedsNothing() throws {
    let scene = try SourceScene("\(url) original noDiskWrite")
    #expect(scene.outcomes == ["not stored"])
    #expect(scene.question == nil)
  }

  /// Whether another line's entry lies there is known once that line is done.
  @Test func whatAnotherLineServesIsToldLast() throws {
    let lines = "client kingfisher 8\nstyle options\n\(url) original\n\(url) blackWhite noDiskWrite"
    var scene = try SourceScene(lines)
    #expect(scene.outcomes == [])
    scene.answerNoFiles()
    scene.answer(.reserved, .failed(.unexpectedEvent))
    #expect(scene.outcomes == ["failed source.internal", "not stored, last in 0"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func whatHasExpiredAlreadyIsNotMade() throws {
    let scene = try SourceScene(
      "client kingfisher 8\n\(url) original expires=2027-01-01",
      options: { $0.date = RunDate(start: Date(timeIntervalSince1970: 1_900_000_000)) })
    #expect(scene.outcomes == ["not stored"])
    #expect(scene.question == nil)
  }

  @Test func outcomesComeInTheOrderOfTheJob() throws {
    var scene = try SourceScene("\(url) circle\n\(url) custom(\"x\")\n\(url) original noDiskWrite")
    scene.answer(.files([[SourceScene.version("a")]]), .version(HTTPVersion(digest: "a", isFresh: true)))
    #expect(scene.outcomes == ["current", "failed plan.not-drawable", "not stored"])
  }
}
