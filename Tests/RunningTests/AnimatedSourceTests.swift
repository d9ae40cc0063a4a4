import Foundation
import TestSupport
import Testing

/// What is decided once a source's bytes say that it is animated.
@Suite(.timeLimit(.minutes(10)))
struct AnimatedSourceTests {
  private let url = SourceScene.url
  private let film = SourceScene.body("a", GIFFilm.sample)

  private func story(_ job: String, otherFiles: String? = nil) async throws -> SourceScene.Story {
    var scene = try SourceScene(job)
    scene.answers = [.body(film)]
    scene.otherFiles = otherFiles
    return try await scene.run()
  }

  @Test func ownBytesAreStoredWithoutDrawing() async throws {
    let story = try await story("\(url) circle")
    #expect(story.renderings.isEmpty && story.outcomes == ["made"])
    let file = try #require(story.files.first)
    #expect([UInt8](file.bytes) == GIFFilm.sample && file.entry.digest == "a")
    #expect(file.entry.origin.content == "original")
  }

  @Test func theFileHasTheIdentityThatIsLookedUpNextTime() async throws {
    let planned = try #require(try SourceScene("\(url) circle").tasks.first?.run.identities)
    #expect(try await story("\(url) circle").files.map(\.entry.identity) == planned)
  }

  @Test func anOldReleaseHasAnotherIdentity() throws {
    let identities = try ["12.0.0", "12.1.0"].map {
      try SourceScene("client nuke \($0)\n\(url) circle").tasks[0].run.identities
    }
    #expect(identities[0] != identities[1])
  }

  @Test func aStillIsDrawnAndSaysSo() async throws {
    let story = try await story("client nuke 12.0.0\n\(url) circle")
    #expect(story.rendering?.outputs.map(\.drawsFrames) == [nil])
    #expect(story.made.first?.rendition.note == "animated GIF: nuke 12.0.0 stores its first frame")
  }

  @Test func nothingIsStoredWhereTheClientStoresNothing() async throws {
    let story = try await story("client kingfisher 8\n\(url) blur(blurRadius: 4)")
    #expect(story.steps == ["fetch"] && story.outcomes == ["not stored"])
    #expect(story.notes.first?.hasPrefix("animated GIF: Kingfisher 8.11.0 keeps") == true)
  }

  @Test func filesOfAnotherKeyAreLookedUpBeforeTheyAreMadeAgain() async throws {
    let job = "client sdwebimage 5.10.0\n\(url) blur(radius: 2)"
    let current = try await story(job, otherFiles: "a")
    #expect(current.steps == ["fetch"] && current.outcomes == ["current"])
    #expect(try await story(job, otherFiles: "b").files.map(\.entry.origin.key) == [url])
  }

  @Test func allFramesAreAskedForWhereTheReleaseDrawsThem() async throws {
    let story = try await story(
      "client sdwebimage 5.21.5\noriginal-store-cache-type none\n\(url) thumbnail(size: 9x9)")
    #expect(story.rendering?.outputs.map(\.drawsFrames) == [true])
  }

  @Test func theFirstBytesOfAnAnimationDecideNothing() async throws {
    let chain = "thumbnail(maxPixelSize: 20, createThumbnailFromImageAlways: false)"
    var scene = try SourceScene("client nuke 13.2.0\npolicy reachable\n\(url) \(chain)")
    var head = SourceScene.body("head", Array(GIFFilm.sample.dropLast(20)))
    head.isWhole = false
    scene.head = .body(head)
    let story = try await scene.run()
    #expect(story.steps.prefix(2) == ["version", "head"] && story.renderings.isEmpty)
    #expect(story.steps.last == "fetch")
  }
}
