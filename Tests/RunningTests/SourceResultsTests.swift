import Foundation
import Testing

@testable import Digests
@testable import Fetching
@testable import Pictures
@testable import Planning
@testable import Running

/// What is drawn from a source's bytes, and what of it is stored.
@Suite(.timeLimit(.minutes(10)))
struct SourceResultsTests {
  private let url = SourceScene.url

  /// A scene whose source comes in.
  private func scene(
    _ jobs: String..., body: SourceBody = SourceScene.body("a"),
    options: (inout RunOptions) -> Void = { _ in }
  ) throws -> SourceScene {
    var scene =
      jobs.count == 1
      ? try SourceScene(jobs[0], options: options) : try SourceScene(jobs[0], jobs[1], options: options)
    scene.answers = [.body(body)]
    return scene
  }

  private let whole = SourceScene.body("a", PNG.bytes)
  private let cut = SourceScene.body("a", PNG.bytes.dropLast(4))

  @Test func theHeldBytesAreThoseOfTheBodyUntilAllIsStored() async throws {
    let story = try await scene("\(url) circle").run()
    #expect(story.held == [1000, 5000, 5000])
  }

  @Test func whatTwoCachesShareIsDrawnOnceAndStoredInEach() async throws {
    let story = try await scene("cache one\n\(url) circle", "cache two\n\(url) circle gaussianBlur").run()
    #expect(story.rendering?.labels.chains == ["circle", "gaussianBlur"])
    #expect(story.rendering?.outputs.count == 2)
    #expect(story.steps == ["fetch", "render 2", "store 1 in 0", "store 2 in 1"])
    #expect(story.outcomes == ["made", "made", "made"])
  }

  @Test func filesAreStoredInTheOrderOfTheirNamesEachOnce() async throws {
    let job = "policy storeAll\n\(url) circle gaussianBlur original resize(width: 9)"
    let names = try await scene(job, body: whole).run().files.map(\.entry.file)
    #expect(names.count == 4, "three pictures and one original")
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  @Test func aStoredFileSaysWhatItWasMadeFrom() async throws {
    let story = try await scene("\(url) circle").run()
    let entry = try #require(story.files.first?.entry)
    #expect(entry.sourceDigest == "a" && entry.etag == "\"a\"")
    #expect(entry.sourceID == SHA256.hexadecimal(of: url))
    #expect(entry.digest == hexadecimal(SHA256.hash([7])))
    #expect(entry.size == 1 && !entry.identity.isEmpty)
    #expect(entry.drawing == DrawingVersion.common, "of no known format")
    #expect(entry.origin.client == "nuke 12.9.0" && entry.origin.job == "../test.job")
  }

  @Test func anOriginalIsTheBytesAsTheyCame() async throws {
    let story = try await scene("\(url) original", body: whole).run()
    #expect(story.steps == ["fetch", "store 1 in 0"])
    #expect(story.files.first.map { [UInt8]($0.bytes) } == PNG.bytes)
    #expect(story.files.first?.entry.digest == "a")
  }

  @Test func anOriginalThatIsDamagedFailsAloneAndWhatWasDrawnIsStored() async throws {
    let story = try await scene("\(url) circle original", body: cut).run()
    #expect(story.outcomes == ["failed image.truncated", "made"] && story.files.count == 1)
  }

  @Test func decodingProvesAnOriginalWhereTheJobOrTheRunAsksForIt() async throws {
    for (job, isStrict) in [("check decode\n\(url) original", false), ("\(url) original", true)] {
      var scene = try scene(job, body: cut, options: { $0.isStrict = isStrict })
      #expect(try await scene.run().outcomes == ["made"], "its structure is not looked at")
      scene.failing = [0: .damaged]
      let story = try await scene.run()
      #expect(story.rendering?.outputs == [.init(steps: [], encoding: .original)])
      #expect(story.outcomes == ["failed image.damaged"])
    }
  }

  @Test func anOutputThatFailsFailsOnlyTheRenditionsThatNeedIt() async throws {
    var scene = try scene("\(url) circle gaussianBlur")
    scene.failing = [0: .encode]
    let story = try await scene.run()
    #expect(story.outcomes == ["failed render.encode", "made"] && story.last == "store 1 in 0")
    scene.failing = [0: .encode, 1: .size]
    let none = try await scene.run()
    #expect(none.outcomes == ["failed render.encode", "failed render.size"] && none.last == "render 2")
  }

  @Test func aRenderingThatFailsAsAWholeFailsAllOfItsRenditions() async throws {
    var scene = try scene("\(url) circle original")
    scene.renderFailure = .timeout
    #expect(try await scene.run().outcomes == ["failed render.timeout", "failed render.timeout"])
  }

  @Test func anotherBodyThanTheJobExpectsFailsOnlyThoseWhoSaidSo() async throws {
    let digest = String(repeating: "b", count: 64)
    let story = try await scene("\(url) circle sha256=\(digest)\n\(url) gaussianBlur").run()
    #expect(story.outcomes == ["failed source.sha256", "made"])
    #expect(story.rendering?.outputs.count == 1)
    let alone = try await scene("\(url) circle sha256=\(digest)").run()
    #expect(alone.outcomes == ["failed source.sha256"] && alone.renderings.isEmpty)
  }

  @Test func theJobsLimitsHoldForItsPictures() async throws {
    let limits = try await scene("max-pixels 1234\n\(url) circle").run().rendering?.limits
    #expect(limits?.maxPixels == 1234 && limits?.maxSide == RenderLimits().maxSide)
  }

  @Test func theNoteOfTheBodyIsTheRenditionsWhereNothingElseIsToBeSaid() async throws {
    var body = SourceScene.body("a")
    body.note = "the server announced no length"
    guard case .made(_, let note)? = try await scene("\(url) circle", body: body).run().made.first?.status
    else {
      Issue.record("not made")
      return
    }
    #expect(note == "the server announced no length")
  }

  /// The cache cannot be written: the run ends, and the bytes that the source held are given back.
  @Test func aStoreThatFailsEndsTheWay() async throws {
    var scene = try scene("\(url) circle")
    scene.storeFailure = StoreFailure(.full, "no space")
    await #expect(throws: StoreFailure.self) { try await scene.run() }
  }
}
