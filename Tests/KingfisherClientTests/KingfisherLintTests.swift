import ClientKit
import JobSupport
import KingfisherCache
import Syntax
import Testing

@testable import ClientRegistry

/// What a job cannot know of the app is said, with both keys.
@Suite("What a job for Kingfisher cannot know", .timeLimit(.minutes(10)))
struct KingfisherLintTests {
  private func warnings(_ text: String, _ client: String = "kingfisher 8", cache: String = "out")
    -> [Diagnostic]
  {
    let job = JobFileReading("client \(client)\ncache \(cache)\n\(text)")
    #expect(job.errors.isEmpty, "\(job.diagnostics.rendered())")
    return job.warnings
  }

  @Test func aChainWhoseKeyDependsOnTheStyleAsksForIt() throws {
    let found = warnings(
      """
      chain gray = blackWhite
      /1.png gray
      /2.png gray downsampling(size: 3x3) original default
      /3.png gray
      /4.png blackWhite
      /5.png downsampling(size: 3x3) | blackWhite
      """)
    #expect(found.map(\.line) == [4], "once a chain, and not for what begins with downsampling")
    #expect(found[0].message.contains("'@com.onevcat.Kingfisher.BlackWhiteProcessor'"))
    #expect(found[0].message.contains("'@|>com.onevcat.Kingfisher.BlackWhiteProcessor'"))
    #expect(found[0].help?.contains("style builder") == true)
  }

  /// Before the builder there is one style.
  @Test(arguments: [("style options\n", "8"), ("style builder\n", "8"), ("", "5")])
  func whoSaysTheStyleIsNotAsked(line: String, version: String) {
    #expect(warnings("\(line)/1.png blackWhite", "kingfisher \(version)").isEmpty)
  }

  @Test(arguments: [
    ("out/catalog", false), ("out/com.onevcat.Kingfisher.ImageCache.default", false),
    ("out/com.onevcat.Kingfisher.ImageCache", true), ("out/com.onevcat.Kingfisher.ImageCache.", true),
    ("com.onevcat.kingfisher.ImageCache.default", true),
  ])
  func aFolderThatNoCacheLooksIntoIsNamed(cache: String, isWrong: Bool) {
    let found = warnings("/1.png", cache: cache)
    #expect(found.map(\.line) == (isWrong ? [2] : []))
    #expect(found.allSatisfy { $0.message.contains("com.onevcat.Kingfisher.ImageCache.default") })
  }

  /// `KFImage` begins with the default processor; `.processor(...)` does not.
  @Test(arguments: [("builder", 1), ("options", 2)])
  func aDefaultThatIsNamedIsTheBuildersOwn(style: String, count: Int) throws {
    let planned = Preheat.plan(
      """
      client kingfisher 8
      cache out
      style \(style)
      https://e.com/1.png default|blackWhite
      https://e.com/1.png blackWhite
      https://e.com/1.png default|default original
      """)
    #expect(planned.errors == [])
    let plan = try #require(planned.plan)
    #expect(plan.renditionCount == count + 2)
    #expect(
      plan.renditions.allSatisfy {
        $0.lookup?.isExact == true && $0.lookup?.isOriginal == $0.key.hasSuffix("png")
      })
  }

  @Test func anExtensionMayEndInASlash() throws {
    let planned = Preheat.plan("client kingfisher 8\ncache out\nforced-extension jpg/\n/1.png")
    #expect(planned.errors == [])
    #expect(planned.plan?.renditions.allSatisfy { $0.fileName?.hasSuffix(".jpg") == true } == true)
  }

  @Test func keysAreNamesWhereTheAppDoesNotHash() throws {
    let planned = Preheat.plan(
      """
      client kingfisher 8
      cache out
      style options
      hashed-names off
      path-extension jpg
      /1.png id=one
      /1.png blackWhite id=two
      """)
    #expect(planned.errors == [])
    let names = try #require(planned.plan).renditions.map(\.fileName)
    #expect(names == ["one.jpg", "two@com.onevcat.Kingfisher.BlackWhiteProcessor.jpg"])
    let wrong = Preheat.plan("client kingfisher 8\ncache out\nhashed-names off\nhttps://e.com/1.png").errors
    #expect(wrong.count == 1 && wrong[0].contains("an id without a slash"))
    let long = String(repeating: "x", count: 256)
    let tooLong = Preheat.plan("client kingfisher 8\ncache out\nhashed-names off\n/1.png id=\(long)").errors
    #expect(tooLong.count == 1 && tooLong[0].contains("256 bytes"))
  }

  @Test(arguments: [("7.4.0", EntryContent.encoded), ("7.4.1", .original), ("8", .original)])
  func whereTheAppProcessesEveryHitAnEntryHoldsTheOriginal(version: String, content: EntryContent) throws {
    let planned = Preheat.plan(
      "client kingfisher \(version)\ncache out\nstyle options\noriginal-data on\n/1.png blackWhite")
    #expect(planned.errors == [])
    let rendition = try #require(planned.plan?.renditions.first { _ in true })
    #expect(rendition.stores.map(\.content) == [content])
    #expect(rendition.key.hasSuffix("@com.onevcat.Kingfisher.BlackWhiteProcessor"))
    // As `key --in` and `replay` say of the same entry.
    #expect(rendition.lookup?.isExact == (content == .encoded) && rendition.lookup?.key == rendition.key)
    #expect(rendition.lookup?.isOriginal == false)
  }

  @Test func anEntryThatIsProcessedAgainIsOnlyPartOfAHit() throws {
    let job = JobFileReading(
      "client kingfisher 8\ncache out\nstyle options\noriginal-data on\n/1.png blackWhite")
    let client = KingfisherClient(version: .latest, values: try #require(job.settings).values)
    let chain = Chain([BlackWhiteProcessor().call])
    let form = client.form(of: chain, scale: 1)
    let report: LookupReport = (
      form: form, options: .none, steps: [(form.suffix, .present), (.original, .absent)], original: .absent,
      hints: []
    )
    #expect(client.finding(report).outcome == .partial)
  }
}
