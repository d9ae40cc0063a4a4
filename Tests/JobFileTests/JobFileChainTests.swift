import ClientKit
import Foundation
import JobSupport
import NukeCache
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JobFileChainTests {
  private static let red = ImageProcessor.Color(red: 1, green: 0, blue: 0, alpha: 1)

  static let spelled: [(String, [ImageProcessor])] = [
    ("original", []),
    ("resize(width: 320)", [.resize(width: 320)]),
    (
      "resize(height: 33.3, unit: pixels, upscale: true)",
      [.resize(height: 33.3, unit: .pixels, upscale: true)]
    ),
    ("resize(size: 44x33)", [.resize(width: 44, height: 33)]),
    (
      "resize(upscale: true, crop: true, contentMode: aspectFit, unit: pixels, size: 1e-5x2.5E2)",
      [
        .resize(width: 1e-5, height: 250, unit: .pixels, contentMode: .aspectFit, crop: true, upscale: true)
      ]
    ),
    ("resize(size: 60*16/9x60)", [.resize(width: 60 * 16 / 9, height: 60)]),
    (
      "resize(size: (390 - 2 * 16) / 3 x 1.5+0.1*3)",
      [.resize(width: (390 - 2 * 16) / 3, height: 1.5 + 0.1 * 3)]
    ),
    ("resize(width: -(7 - 100/7)*1.1 - 0.1 - 0.2)", [.resize(width: -(7 - 100 / 7) * 1.1 - 0.1 - 0.2)]),
    ("resize(size: CGSize(width: 320/3, height: 40))", [.resize(width: 320 / 3, height: 40)]),
    ("resize( size : 0x-1 )", [.resize(width: 0, height: -1)]),
    ("circle", [.circle()]),
    ("circle()", [.circle()]),
    (
      "circle(border: (color: #FF0000, width: 2.5, unit: pixels))",
      [.circle(border: .init(color: red, width: 2.5, unit: .pixels))]
    ),
    ("circle(border: (color: #FF0000))", [.circle(border: .init(color: red))]),
    ("roundedCorners(radius: 8)", [.roundedCorners(radius: 8)]),
    (
      "roundedCorners(radius: 8, unit: pixels, border: (color: #00FF0080))",
      [
        .roundedCorners(
          radius: 8, unit: .pixels,
          border: .init(color: .init(red: 0, green: 1, blue: 0, alpha: 128.0 / 255)))
      ]
    ),
    (
      "circle(border: (color: rgba(1.093, -0.2, 0, 0.5)))",
      [.circle(border: .init(color: .init(red: 1.093, green: -0.2, blue: 0, alpha: 0.5)))]
    ),
    (
      "circle(border: (color: gray(0.25, 1)))",
      [.circle(border: .init(color: .init(red: 0.25, green: 0.25, blue: 0.25, alpha: 1)))]
    ),
    ("gaussianBlur", [.gaussianBlur()]),
    ("gaussianBlur(radius: -3)", [.gaussianBlur(radius: -3)]),
    ("coreImage(name: CISepiaTone)", [.coreImageFilter(name: "CISepiaTone", identifier: nil)]),
    (
      #"coreImage(name: "CISepiaTone", identifier: "com.e/sepia?1")"#,
      [.coreImageFilter(name: "CISepiaTone", identifier: "com.e/sepia?1")]
    ),
    (#"custom("")"#, [.custom(identifier: "")]),
    (#"custom("a \"b\" \\ #c")"#, [.custom(identifier: #"a "b" \ #c"#)]),
    // As the app's code has it.
    (".circle()", [.circle()]),
    ("coreImageFilter(name: CISepiaTone)", [.coreImageFilter(name: "CISepiaTone", identifier: nil)]),
    (
      "resize(size: CGSize(width: 44, height: 33.5), unit: .pixels, contentMode: .aspectFit, crop: true)",
      [.resize(width: 44, height: 33.5, unit: .pixels, contentMode: .aspectFit, crop: true)]
    ),
    (
      ".resize(size: .init(width: 4, height: 3), unit: .points, contentMode: .aspectFill) | .gaussianBlur()",
      [.resize(width: 4, height: 3), .gaussianBlur()]
    ),
    ("circle(border: (color: red, width: 2))", [.circle(border: .init(color: red, width: 2))]),
    (
      "circle(border: .init(color: .red, unit: .pixels))", [.circle(border: .init(color: red, unit: .pixels))]
    ),
    ("circle(border: (color: UIColor.red))", [.circle(border: .init(color: red))]),
    (
      "circle(border: (color: UIColor(red: 1, green: 0, blue: 0, alpha: 1)))",
      [.circle(border: .init(color: red))]
    ),
    (
      "circle(border: (color: .gray))",
      [.circle(border: .init(color: .init(red: 0.5, green: 0.5, blue: 0.5, alpha: 1)))]
    ),
    (
      "circle(border: (color: orange))",
      [.circle(border: .init(color: .init(red: 1, green: 0.5, blue: 0, alpha: 1)))]
    ),
    (#"circle as "com.example.round""#, [.identified(.circle(), as: "com.example.round")]),
    (
      #"resize(width: 3) as "a"|circle | gaussianBlur(radius:4)"#,
      [.identified(.resize(width: 3), as: "a"), .circle(), .gaussianBlur(radius: 4)]
    ),
  ]

  @Test("Processors are spelled as the app's code spells them", arguments: spelled)
  func spelling(text: String, processors: [ImageProcessor]) {
    // 13.2 is the version that has a key for every colour.
    let (chain, errors) = JobFileReading.chain(text, client: "nuke 13.2.0")
    #expect(errors.isEmpty)
    #expect(chain == nukeChain(processors: processors))
  }

  @Test func thumbnailsHaveTwoFormsAndFourSwitches() {
    #expect(
      JobFileReading.chain("thumbnail(maxPixelSize: 256.5)").chain
        == nukeChain(thumbnail: ThumbnailOptions(maxPixelSize: 256.5)))
    var options = ThumbnailOptions(
      size: CGSize(width: 50, height: 60), unit: .pixels, contentMode: .aspectFit)
    options.createThumbnailFromImageIfAbsent = false
    options.createThumbnailFromImageAlways = false
    options.createThumbnailWithTransform = false
    options.shouldCacheImmediately = false
    let text = """
      thumbnail(size: 50x60, unit: pixels, contentMode: aspectFit, createThumbnailFromImageIfAbsent: false, \
      createThumbnailFromImageAlways: false, createThumbnailWithTransform: false, shouldCacheImmediately: false)
      """
    #expect(JobFileReading.chain(text).chain == nukeChain(thumbnail: options))
    #expect(
      JobFileReading.chain(text + " | circle").chain
        == nukeChain(thumbnail: options, processors: [.circle()]))
  }

  @Test func namedChainsMayBeMadeOfOthersWhereverTheyStand() {
    let job = JobFileReading(
      """
      chain thumb = thumbnail(maxPixelSize: 64) | round
      chain badge = round | gaussianBlur
      chain round = circle
      client nuke 12
      cache out
      chain card = resize(width: 320)
      https://e.com/1.jpg  badge card|badge thumb|circle
      """)
    #expect(job.errors == [])
    #expect(job.warnings.isEmpty)
    #expect(
      job.chains(of: job.entries[0]) == [
        nukeChain(processors: [.circle(), .gaussianBlur()]),
        nukeChain(processors: [.resize(width: 320), .circle(), .gaussianBlur()]),
        nukeChain(thumbnail: ThumbnailOptions(maxPixelSize: 64), processors: [.circle(), .circle()]),
      ])
    #expect(job.entries[0].chains.map { job.chains[$0].label } == ["badge", "card|badge", "thumb|circle"])
  }

  @Test func theSameChainTextIsParsedOnceAndCountsOnce() {
    let job = JobFileReading(
      """
      \(JobFileReading.head)https://e.com/1.jpg card circle card
      https://e.com/2.jpg   circle   # again
      """)
    #expect(job.entries.map(\.chains) == [[0, 1], [1]])
    #expect(job.chains.rows.map(\.label) == ["card", "circle"])
  }

  @Test func whatTheVersionDoesNotHaveIsAnErrorAtTheChain() throws {
    let before = JobFileReading.chain("circle thumbnail(maxPixelSize: 2)", client: "nuke 10.3.0")
    #expect(before.errors.map(\.column) == [28])
    #expect(try #require(before.errors.first).message.contains("10.4.0"))
    let sized = JobFileReading.chain("thumbnail(size: 2x2)", client: "nuke 11")
    #expect(try #require(sized.errors.first).message.contains("12.0.0"))
    #expect(JobFileReading.chain("thumbnail(maxPixelSize: 2)", client: "nuke 10.4.0").errors.isEmpty)
    // Reported where it is written, not at each use.
    let named = JobFileReading(
      "client nuke 10.0.0\ncache o\nchain t = thumbnail(maxPixelSize: 2)\n/1.png t\n/2.png t")
    #expect(named.errors.map(\.line) == [3])
  }

  @Test func chainsOfChainsDoNotGrowWithoutEnd() {
    var text = "client nuke 12\ncache out\nchain c0 = circle\n"
    for level in 1...40 { text += "chain c\(level) = c\(level - 1) | c\(level - 1)\n" }
    let job = JobFileReading(text + "https://e.com/1.jpg c40")
    #expect(job.errors.map(\.line) == [10])
    #expect(job.errors.first?.message == "a chain has at most 64 processors")
    var deep = "client nuke 12\ncache out\n"
    for level in 1...5000 { deep += "chain c\(level) = c\(level + 1)\n" }
    #expect(JobFileReading(deep + "chain c5001 = circle\n/1.png c1").errors.isEmpty == false)
  }
}

/// A chain made of Nuke's public types.
func nukeChain(thumbnail: ThumbnailOptions? = nil, processors: [ImageProcessor] = []) -> Chain {
  Chain((thumbnail.map { [$0.call] } ?? []) + processors.map(\.call))
}
