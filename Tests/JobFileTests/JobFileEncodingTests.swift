import JobSupport
import Testing

@testable import Pictures

@Suite(.timeLimit(.minutes(10)))
struct JobFileEncodingTests {
  private static func encoding(_ text: String) -> EncodingChoice? {
    JobFileReading("client nuke 12\ncache o\nencode \(text)\n/1.png original").settings?.encoding
  }

  @Test(arguments: [
    ("client", EncodingChoice.client), ("png", .png), ("png(compression: 6)", .png),
    ("jpeg", .jpeg(quality: 80)),
    ("jpeg(quality: 65, chroma: auto, progressive: false)", .jpeg(quality: 65)),
    ("jpeg(quality: 65, chroma: 444)", .recipe(.init(.jpeg(.init(quality: 65, chroma: .full))))),
    ("jpeg(fitBytes: 40K)", .recipe(.init(.jpeg(.init()), fitBytes: 40_960))),
    ("png(palette: true)", .recipe(.init(.png(.init(hasPalette: true))))),
    ("webp", .recipe(.init(.webp(.init())))),
    ("webp(quality: 75, effort: 6)", .recipe(.init(.webp(.init(quality: 75, effort: 6))))),
    ("webp(lossless: true)", .recipe(.init(.webp(.init(isLossless: true))))),
    ("heic(quality: 50)", .recipe(.init(.heic(quality: 50)))), ("avif", .recipe(.init(.avif(quality: 60)))),
    ("keep(quality: 90, fitBytes: 9000)", .recipe(.init(.source(quality: 90), fitBytes: 9000))),
  ])
  func anEncoderIsSpelledByItsNameAndArguments(text: String, expected: EncodingChoice) {
    #expect(Self.encoding(text) == expected)
  }

  @Test func anEntryHoldsOverItsChainAndThatOverTheJob() throws {
    let planned = Preheat.plan(
      """
      client nuke 12
      cache o
      policy storeEncodedImages
      encode png
      chain plain = resize(width: 10)
      chain small = resize(width: 20) | circle encode=webp(quality: 70)   # a comment
      https://e.com/1.jpg plain small
      https://e.com/2.jpg plain small encode=client
      """)
    let plan = try #require(planned.plan)
    #expect(planned.errors.isEmpty)
    let encodings = plan.rows.compactMap { plan.task(at: $0, session: 0).output?.encoding }
    #expect(
      encodings == [
        .png, .recipe(EncodingRecipe(.webp(.init(quality: 70)))), .automatic(jpegQuality: 80),
        .automatic(jpegQuality: 80),
      ])
  }

  @Test func aChainInsideAnotherLendsItsProcessorsAlone() throws {
    let job = JobFileReading(
      """
      client nuke 12
      cache o
      chain inner = resize(width: 20) encode=avif
      chain outer = inner | circle
      https://e.com/1.jpg outer
      """)
    #expect(job.errors.isEmpty)
    #expect(job.chains.rows.map(\.encoding) == [.recipe(EncodingRecipe(.avif(quality: 60))), nil])
  }

  @Test func formatsThatOlderDevicesDoNotDecodeAreAWarning() {
    let job = JobFileReading(
      """
      client nuke 12
      cache o
      encode webp
      chain a = circle encode=avif
      chain b = circle encode=heic
      https://e.com/1.jpg a b
      """)
    #expect(job.errors.isEmpty)
    #expect(job.warnings.map(\.line) == [3, 4])
    #expect(job.warnings.map(\.message).allSatisfy { $0.hasPrefix("only iOS 1") })
    #expect(job.warnings.last?.column == 18)
  }

  @Test(arguments: [
    ("jpeg(chroma: 444)", true), ("keep", true), ("webp", false), ("png(palette: true)", false),
  ])
  func onlyWhatNamesNoOtherFormatKeepsAGIF(text: String, keepsGIF: Bool) throws {
    let head = "client nuke 12\ncache o\npolicy storeEncodedImages\n"
    for job in ["encode \(text)\n/1.gif circle", "/1.gif circle encode=\(text.replacing(" ", with: ""))"] {
      let plan = try #require(Preheat.plan(head + job).plan)
      let stores = plan.rendition(at: try #require(plan.rows.first), as: .gif).stores
      #expect(stores.map(\.content) == [keepsGIF ? .original : .encoded], "\(job)")
    }
  }

  @Test func twoEncodingsOfOneRenditionCollide() {
    let planned = Preheat.plan(
      """
      client nuke 12
      cache o
      policy storeEncodedImages
      chain a = circle encode=webp
      chain b = circle encode=heic
      https://e.com/1.jpg a b
      """)
    #expect(planned.errors.contains { $0.contains("same cache key") })
  }
}
