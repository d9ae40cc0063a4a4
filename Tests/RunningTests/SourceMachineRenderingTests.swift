import Foundation
import JobSupport
import Testing

@testable import CacheStore
@testable import Digests
@testable import Fetching
@testable import Pictures
@testable import Planning
@testable import Rendering
@testable import Running

/// What is drawn from a source's bytes, and what of it is stored.
@Suite(.timeLimit(.minutes(10)))
struct SourceMachineRenderingTests {
  private let url = SourceScene.url

  /// A scene whose source has just come in.
  private func scene(
    _ jobs: String..., body: SourceBody = SourceScene.body("a"),
    options: (inout RunOptions) -> Void = { _ in }
  ) throws -> SourceScene {
    var scene =
      jobs.count == 1
      ? try SourceScene(jobs[0], options: options) : try SourceScene(jobs[0], jobs[1], options: options)
    scene.answerNoFiles()
    scene.answer(.reserved, .body(body))
    return scene
  }

  private let proven = RenderedOutputs().damage(
    of: PNG.bytes, formats: [.png], limits: RenderLimits())
  private let damaged = RenderedOutputs().damage(
    of: Array(PNG.bytes.dropLast(4)), formats: [.png], limits: RenderLimits())

  @Test func theHeldBytesAreThoseOfTheBodyUntilAllIsStored() throws {
    var scene = try scene("\(url) circle")
    #expect(scene.taken == 5000)
    try scene.answerRendered()
    #expect(scene.taken == 5000)
    scene.answer(.staged)
    #expect(scene.taken == 0 && scene.question == nil)
  }

  @Test func whatTwoCachesShareIsDrawnOnceAndStoredInEach() throws {
    var scene = try scene("cache one\n\(url) circle", "cache two\n\(url) circle gaussianBlur")
    #expect(scene.rendering?.outputs.count == 2)
    #expect(scene.rendering?.parts.map(\.encoded) == [0, 0, 1])
    #expect(scene.rendering?.labels.chains == ["circle", "gaussianBlur"])
    try scene.answerRendered()
    #expect(scene.question == "store 1 in 0")
    scene.answer(.staged)
    #expect(scene.question == "store 2 in 1")
    scene.answer(.staged)
    #expect(scene.outcomes == ["made", "made", "made"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func filesAreStoredInTheOrderOfTheirNamesEachOnce() throws {
    var scene = try scene("policy storeAll\n\(url) circle gaussianBlur original resize(width: 9)")
    try scene.answerRendered(damage: proven)
    let names = scene.storing?.files.map(\.entry.file) ?? []
    #expect(names.count == 4, "three pictures and one original")
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  @Test func aStoredFileSaysWhatItWasMadeFrom() throws {
    var scene = try scene("\(url) circle")
    try scene.answerRendered()
    let entry = try #require(scene.storing?.files.first?.entry)
    #expect(entry.sourceDigest == "a" && entry.etag == "\"a\"")
    #expect(entry.sourceID == SHA256.hexadecimal(of: url))
    #expect(entry.digest == hexadecimal(SHA256.hash([7])))
    #expect(entry.size == 1 && !entry.identity.isEmpty)
    #expect(entry.drawing == RenditionTask.drawingVersion)
    #expect(entry.origin.client == "nuke 12.9.0" && entry.origin.job == "../test.job")
  }

  @Test func anOriginalIsTheBytesAsTheyCame() throws {
    var scene = try scene("\(url) original", body: SourceScene.body("a", count: 77))
    #expect(scene.question == "render 0 of a")
    #expect(scene.rendering?.checksOriginal == true)
    try scene.answerRendered(damage: proven)
    #expect(scene.storing?.files.first?.bytes.count == 77)
    #expect(scene.storing?.files.first?.entry.digest == "a")
  }

  @Test func anOriginalThatIsDamagedFailsAloneAndWhatWasDrawnIsStored() throws {
    var scene = try scene("\(url) circle original")
    try scene.answerRendered(damage: damaged)
    #expect(scene.outcomes == ["failed image.truncated", "made"])
    #expect(scene.storing?.files.count == 1)
  }

  @Test func decodingProvesAnOriginalWhereTheJobOrTheRunAsksForIt() throws {
    for (job, isStrict) in [("check decode\n\(url) original", false), ("\(url) original", true)] {
      var scene = try scene(job, options: { $0.isStrict = isStrict })
      #expect(scene.rendering?.outputs == [.init(steps: [], encoding: .original)])
      #expect(scene.rendering?.checksOriginal == false)
      try scene.answerRendered(failing: [0: .damaged])
      #expect(scene.outcomes == ["failed image.damaged"])
    }
  }

  @Test func anOutputThatFailsFailsOnlyTheRenditionsThatNeedIt() throws {
    var scene = try scene("\(url) circle gaussianBlur")
    try scene.answerRendered(failing: [0: .encode])
    #expect(scene.outcomes == ["failed render.encode", "made"])
    #expect(scene.question == "store 1 in 0")
  }

  @Test func nothingIsStoredWhereEveryOutputFailed() throws {
    var scene = try scene("\(url) circle gaussianBlur")
    try scene.answerRendered(failing: [0: .encode, 1: .size])
    #expect(scene.outcomes == ["failed render.encode", "failed render.size"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func aRenderingThatFailsAsAWholeFailsAllOfItsRenditions() throws {
    var scene = try scene("\(url) circle original")
    scene.answer(.notRendered(RenderFailure(.timeout, "no")))
    #expect(scene.outcomes == ["failed render.timeout", "failed render.timeout"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func aRenderingThatIsCancelledSettlesNothing() throws {
    var scene = try scene("\(url) circle")
    scene.answer(.cancelled)
    #expect(scene.outcomes.isEmpty)
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func anotherBodyThanTheJobExpectsFailsOnlyThoseWhoSaidSo() throws {
    let digest = String(repeating: "b", count: 64)
    var scene = try scene("\(url) circle sha256=\(digest)\n\(url) gaussianBlur")
    #expect(scene.outcomes == ["failed source.sha256"])
    #expect(scene.rendering?.outputs.count == 1)
    try scene.answerRendered()
    #expect(scene.outcomes == ["failed source.sha256", "made"])
  }

  @Test func nothingIsDrawnFromABodyThatNobodyExpected() throws {
    let scene = try scene("\(url) circle sha256=\(String(repeating: "b", count: 64))")
    #expect(scene.outcomes == ["failed source.sha256"])
    #expect(scene.question == nil && scene.taken == 0)
  }

  @Test func theJobsLimitsHoldForItsPictures() throws {
    let scene = try scene("max-pixels 1234\n\(url) circle")
    #expect(scene.rendering?.limits.maxPixels == 1234)
    #expect(scene.rendering?.limits.maxSide == RenderLimits().maxSide)
  }

  @Test func theNoteOfTheBodyIsTheRenditionsWhereNothingElseIsToBeSaid() throws {
    var body = SourceScene.body("a")
    body.note = "the server announced no length"
    var scene = try scene("\(url) circle", body: body)
    try scene.answerRendered()
    guard case .made(_, let note)? = scene.storing?.outcomes.first?.status else {
      Issue.record("not made")
      return
    }
    #expect(note == "the server announced no length")
  }
}

/// The smallest PNG with one pixel.
private enum PNG {
  static let bytes =
    [UInt8](
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ?? Data())
}
