import JobSupport
import SDWebImageCache
import TestSupport
import Testing

@testable import SDWebImageClient

/// Keys read backwards, and made again.
@Suite("SDWebImage's keys read backwards", .timeLimit(.minutes(10)))
struct SDWebImageReadingTests {
  private func readings(_ key: String, _ version: SDWebImageVersion = .latest) -> [SDWebImageReading] {
    SDWebImageReading.readings(ofKey: key, client: SDWebImageClient(version: version))
  }

  /// The key that a job with this source and chain has.
  private func key(_ reading: SDWebImageReading, _ version: String) -> String? {
    let planned = Preheat.plan(
      """
      client sdwebimage \(version)
      cache out
      https://e.com/1.png \(reading.chainText) id="\(reading.base.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))"
      """)
    #expect(planned.errors == [], "\(reading)")
    return planned.plan?.renditions.first { _ in true }?.key
  }

  @Test func everyGoldenKeyIsReadAndMadeAgain() throws {
    for row in try Fixtures.table("sdwebimage-keys.tsv") {
      let wanted = try #require(row["cache_key"])
      let version = try #require(row["sd_version"])
      let found = readings(wanted, try SDWebImageVersion(parsing: version))
      let first = try #require(found.first, "\(wanted)")
      let hasMark =
        row["thumbnail"] != "-"
        || row["transformer"]?.hasPrefix("custom") == false && row["transformer"] != "-"
      #expect(first.request.chain.isOriginal != hasMark, "\(wanted): \(first.chainText)")
      for reading in found { #expect(key(reading, version) == wanted, "\(reading)") }
      if hasMark, wanted.hasPrefix("http"), !wanted.contains("~") {
        let base = row["base_key"] == "-" ? row["url"] : row["base_key"]
        #expect(first.base == base, "\(wanted)")
      }
    }
  }

  @Test func randomChainsAreReadBack() throws {
    var random = RandomChains(seed: 11)
    let client = SDWebImageClient(version: .latest)
    for _ in 0..<10_000 {
      let (base, request) = (random.base(), random.request())
      let suffix = client.form(of: request.chain, scale: 1).suffix
      let key = client.key(base: base, suffix)
      let found = SDWebImageReading.readings(ofKey: key, client: client)
      let first = try #require(found.first)
      #expect(first.base == base, "\(key)")
      #expect(first.request.thumbnail.map(\.mark) == request.thumbnail.map(\.mark), "\(key)")
      #expect(first.request.transformers.key() == request.transformers.key(), "\(key)")
      let again = Preheat.plan(
        "client sdwebimage 5\ncache out\nhttps://e.com/ \(first.chainText) id=\"\(first.base)\"")
      #expect(
        again.plan?.renditions.first { _ in true }?.key == key, "\(key): \(first.chainText) \(again.errors)")
    }
  }

  @Test func whatWasLostIsNotMadeUp() {
    // The path was normalised: both bases make the key, and the plain one is offered.
    #expect(
      readings("https://e.com/~u/a-SDImageBlurTransformer(5.000000).png").map(\.base) == [
        "https://e.com/~u/a.png", "https://e.com/~u/a-SDImageBlurTransformer(5.000000).png",
      ])
    // What no chain of this release makes is only a key.
    for key in [
      "https://e.com/a-SDImageBlurTransformer(5.0).png",
      "https://e.com/a-SDImageTintTransformer(%2380ff0000).png",
      "https://e.com/a-SDImageResizingTransformer({1.000000,1.000000},0).png",
      "photo-SDImageBlurTransformer(x)",
    ] { #expect(readings(key).map(\.chainText) == ["original"], "\(key)") }
    #expect(
      readings("https://e.com/a-SDImageTintTransformer(%2380ff0000).png", SDWebImageVersion(5, 19, 7)).first?
        .chainText == "tint(color: #FF000080)")
  }
}

/// Sources and chains at random, the same in every run.
private struct RandomChains {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(state: seed) }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  private mutating func number() -> Double {
    pick([0, 1, 2.5, 100, 0.785398, 1234.5, -3, 1e9, 0.000001, 44])
  }

  mutating func base() -> String {
    pick(
      [
        "https://e.com/a.png", "https://e.com/dir/b.c.jpg?w=1#f", "https://e.com/noext", "photo-1",
        "user/7/p.jpeg",
        "https://e.com/dir.x/", "https://e.com/%E5%9B%BE.webp?a=b.c", "http://h:80/a-b.png", "photo:1",
      ].filter { !$0.hasSuffix("/") })
  }

  mutating func request() -> SDWebImageRequest {
    let thumbnail =
      pick([true, false])
      ? SDImageThumbnail(width: number(), height: number(), preservesAspectRatio: pick([true, false])) : nil
    let count = pick(thumbnail == nil ? [1, 2, 3] : [0, 1, 2])
    return SDWebImageRequest(thumbnail: thumbnail, transformers: (0..<count).map { _ in transformer() })
  }

  private mutating func color() -> SDImageTransformer.Color {
    func part(_ value: Int) -> Double { Double(value) / 255 }
    return .init(
      red: part(pick([0, 17, 255])), green: part(pick([0, 128])), blue: part(pick([1, 254])),
      alpha: part(pick([0, 128, 255])))
  }

  private mutating func transformer() -> SDImageTransformer {
    switch pick(Array(0..<8)) {
    case 0:
      .resizing(
        size: .init(width: number(), height: number()), scaleMode: pick([.fill, .aspectFit, .aspectFill]))
    case 1: .cropping(rect: .init(x: number(), y: number(), width: number(), height: number()))
    case 2:
      .roundCorner(
        radius: number(), corners: pick([.allCorners, .topLeft, [.topLeft, .bottomRight], []]),
        borderWidth: number(), borderColor: pick([true, false]) ? color() : nil)
    case 3: .flipping(horizontal: pick([true, false]), vertical: pick([true, false]))
    case 4: .rotation(angle: number(), fitSize: pick([true, false]))
    case 5: .tint(color: color(), blendMode: pick([nil, .multiply, .plusLighter]))
    case 6: .blur(radius: number())
    default: .filter(name: pick(["CISepiaTone", "CIColorInvert"]))
    }
  }
}
