import JobSupport
import Pictures
import Testing

/// What SDWebImage's releases store of animated sources.
@Suite(.timeLimit(.minutes(10)))
struct SDWebImageAnimationTests {
  private static let transformer = "blur(radius: 2)"
  private static let thumbnail = "thumbnail(size: 20x20)"
  private static let thumbnailKey = "https://e.com/1-Thumbnail(%7B20.000000,20.000000%7D,1).gif"

  private func stored(
    _ version: String, _ chain: String, of kind: AnimatedKind? = .gif, _ settings: String = ""
  ) -> String {
    Preheat.stored("sdwebimage \(version)", chain, of: kind, settings: settings)
  }

  @Test(arguments: [AnimatedKind.gif, .apng])
  func transformersLeaveAnimationsAlone(kind: AnimatedKind) {
    #expect(stored("5.0.0", Self.transformer, of: kind) == "url original; found nothing")
    #expect(stored("5.10.4", Self.transformer, of: kind) == "url original; found nothing")
    #expect(stored("5.12.6", Self.transformer, of: kind) == "url original; found part")
    #expect(stored("5.13.0", Self.transformer, of: kind) == "url original; found part")
    #expect(stored("5.14.0", Self.transformer, of: kind) == "own original, url original; found exact")
    #expect(stored("5.21.5", Self.transformer, of: kind) == "own original, url original; found exact")
  }

  @Test func aGIFWithOneFrameIsTransformed() {
    #expect(stored("5.0.0", Self.transformer, of: .stillGIF) == "own encoded; found exact")
    #expect(
      stored("5.21.5", Self.transformer, of: .stillGIF) == stored("5.21.5", Self.transformer, of: nil))
  }

  @Test func anAnimatedWebPNeedsACoder() {
    #expect(stored("5.21.5", Self.transformer, of: .webp).hasPrefix("own encoded"))
    #expect(stored("5.21.5", Self.transformer, of: .webp, "webp-coder on").hasPrefix("own original"))
    #expect(stored("5.21.5", Self.thumbnail, of: .webp).hasPrefix("own encoded"))
    #expect(stored("5.21.5", Self.thumbnail, of: .webp, "webp-coder on").hasPrefix("own frames"))
  }

  @Test func cacheTypesHoldForAnimationsToo() {
    #expect(
      stored("5.21.5", Self.transformer, of: .gif, "original-store-cache-type none")
        == "own original; found exact")
    #expect(
      stored("5.12.6", Self.transformer, of: .gif, "store-cache-type memory") == "nothing; found nothing")
  }

  @Test func thumbnailsHaveAllFramesFrom5130On() {
    // One entry, named once.
    for version in ["5.5.0", "5.6.1", "5.7.0", "5.12.6"] {
      #expect(stored(version, Self.thumbnail) == "own original; found exact")
    }
    #expect(stored("5.13.0", Self.thumbnail).hasPrefix("own frames"))
    #expect(stored("5.21.5", Self.thumbnail).hasPrefix("own frames"))
    #expect(stored("5.21.5", "\(Self.thumbnail) | \(Self.transformer)").hasPrefix("own frames"))
    #expect(
      stored("5.12.6", "\(Self.thumbnail) | \(Self.transformer)").hasPrefix("\(Self.thumbnailKey) original"))
  }

  @Test func framesOfAThumbnailAreNotTransformed() throws {
    let planned = Preheat.plan(
      "client sdwebimage 5\ncache out\nhttps://e.com/1.gif \(Self.thumbnail) | \(Self.transformer)")
    let plan = try #require(planned.plan)
    let row = try #require(plan.rows.first)
    let steps = try #require(plan.task(at: row, session: 0).output?.steps)
    let output = try #require(plan.task(at: row, session: 0, as: .gif).output)
    #expect(steps.count == 2 && output.steps == Array(steps.prefix(1)) && output.drawsFrames == true)
  }

  @Test func framesOfAPNGAreNotDrawn() {
    #expect(!stored("5.21.5", Self.thumbnail, of: .apng).contains("own"))
  }

  @Test func aJobSaysThatTransformersDrawAnimations() {
    let (first, frames) = ("transform-animated first", "transform-animated frames")
    #expect(stored("5.21.5", Self.transformer, of: .gif, first).hasPrefix("own encoded"))
    #expect(stored("5.21.5", Self.transformer, of: .gif, frames).hasPrefix("own frames"))
    // A picture without data is encoded with all of its frames from 5.6.0 on.
    #expect(stored("5.6.0", Self.transformer, of: .gif, frames) == "own frames; found exact")
    #expect(stored("5.5.2", Self.transformer, of: .gif, frames) == "own encoded; found exact")
    #expect(stored("5.21.5", Self.thumbnail, of: .gif, first).hasPrefix("own frames"))
  }

  @Test func aFormatThatIsNamedIsWritten() {
    #expect(stored("5.21.5", "\(Self.thumbnail) encode=png").hasPrefix("own encoded"))
    #expect(stored("5.21.5", "\(Self.thumbnail) encode=webp").hasPrefix("own frames"))
    #expect(stored("5.21.5", "\(Self.thumbnail) encode=keep").hasPrefix("own frames"))
  }
}
