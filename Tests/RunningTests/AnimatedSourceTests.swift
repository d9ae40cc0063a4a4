import Fetching
import Foundation
import JobSupport
import Pictures
import Planning
import TestSupport
import Testing

@testable import CacheStore
@testable import Rendering
@testable import Running

/// What is decided once a source's bytes say that it is animated.
@Suite(.timeLimit(.minutes(10)))
struct AnimatedSourceTests {
  private let url = SourceScene.url
  private let film = SourceScene.body("a", GIFFilm.sample)
  private let damage = RenderedOutputs().damage(
    of: GIFFilm.sample, formats: [.gif], limits: RenderLimits())

  private func scene(_ job: String, body: SourceBody? = nil) throws -> SourceScene {
    var scene = try SourceScene(job)
    scene.answerNoFiles()
    scene.answer(.reserved, .body(body ?? film))
    return scene
  }

  @Test func ownBytesAreStoredWithoutDrawing() throws {
    var scene = try scene("\(url) circle")
    #expect(scene.rendering?.outputs == [])
    try scene.answerRendered(damage: damage)
    let file = try #require(scene.storing?.files.first)
    #expect([UInt8](file.bytes) == GIFFilm.sample && file.entry.digest == "a")
    #expect(file.entry.origin.content == "original")
    #expect(scene.outcomes == ["made"])
  }

  @Test func theFileHasTheIdentityThatIsLookedUpNextTime() throws {
    var scene = try scene("\(url) circle")
    let planned = try #require(scene.machine.candidates.first?.task.run.identities)
    try scene.answerRendered(damage: damage)
    #expect(scene.storing?.files.map(\.entry.identity) == planned)
  }

  @Test func anOldReleaseHasAnotherIdentity() throws {
    let identities = try ["12.0.0", "12.1.0"].map {
      try SourceScene("client nuke \($0)\n\(url) circle").machine.candidates[0].task.run.identities
    }
    #expect(identities[0] != identities[1])
  }

  @Test func aStillIsDrawnAndSaysSo() throws {
    var scene = try scene("client nuke 12.0.0\n\(url) circle")
    #expect(scene.rendering?.outputs.map(\.drawsFrames) == [nil])
    try scene.answerRendered()
    let rendition = try #require(scene.storing?.outcomes.first?.rendition)
    #expect(rendition.note == "animated GIF: nuke 12.0.0 stores its first frame")
  }

  @Test func nothingIsStoredWhereTheClientStoresNothing() throws {
    let scene = try scene("client kingfisher 8\n\(url) blur(blurRadius: 4)")
    #expect(scene.question == nil && scene.taken == 0)
    #expect(scene.outcomes == ["not stored"])
    #expect(scene.notes.first?.hasPrefix("animated GIF: Kingfisher 8.11.0 keeps") == true)
  }

  @Test func filesOfAnotherKeyAreLookedUpBeforeTheyAreMadeAgain() throws {
    let job = "client sdwebimage 5.10.0\n\(url) blur(radius: 2)"
    var scene = try scene(job)
    #expect(scene.question == "files of 1")
    scene.answer(.files([[SourceScene.version("a")]]))
    #expect(scene.question == nil && scene.outcomes == ["current"] && scene.taken == 0)

    var changed = try self.scene(job)
    changed.answer(.files([[SourceScene.version("b")]]))
    try changed.answerRendered(damage: damage)
    #expect(changed.storing?.files.map(\.entry.origin.key) == [url])
  }

  @Test func allFramesAreAskedForWhereTheReleaseDrawsThem() throws {
    let scene = try scene(
      "client sdwebimage 5.21.5\noriginal-store-cache-type none\n\(url) thumbnail(size: 9x9)")
    #expect(scene.rendering?.outputs.map(\.drawsFrames) == [true])
  }

  @Test func theFirstBytesOfAnAnimationDecideNothing() throws {
    let chain = "thumbnail(maxPixelSize: 20, createThumbnailFromImageAlways: false)"
    var scene = try SourceScene("client nuke 13.2.0\npolicy reachable\n\(url) \(chain)")
    scene.answerNoFiles()
    scene.answer(.version(nil), .reserved)
    #expect(scene.question == "head")
    var head = SourceScene.body("head", Array(GIFFilm.sample.dropLast(20)))
    head.isWhole = false
    scene.answer(.head(head))
    #expect(scene.question?.hasPrefix("reserve") == true)
  }
}
