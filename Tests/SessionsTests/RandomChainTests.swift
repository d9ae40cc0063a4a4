import Foundation
import KingfisherCache
import NukeCache
import TestSupport
import Testing
import Text

@testable import Sessions

/// 10,000 random chains of each client, from values to keys to a job to a plan.
@Suite("Random chains backwards", .timeLimit(.minutes(10)))
struct RandomChainTests {
  @Test(arguments: ["10.3.4", "10.11.2", "11.6.4", "12.9.0", "13.2.0"]) func nuke(_ version: String) throws {
    var dice = Dice(seed: version)
    let client = try NukeVersion(parsing: version)
    var requests: [Double: [RecordedRequest]] = [:]
    for number in 0..<2000 {
      let scale = dice.pick([1.0, 2, 3], 1)
      let format = CacheKeyFormat(version: client, screenScale: scale)
      let processors = (0..<Int.random(in: 0...3, using: &dice.numbers)).map { _ in dice.nuke() }
      let hasThumbnails = client >= NukeVersion(10, 4, 0)
      let thumbnail = hasThumbnails && dice.coin() ? dice.thumbnail(client >= NukeVersion(12, 0, 0)) : nil
      guard format.unsupportedReason(thumbnail: thumbnail, processors: processors) == nil else { continue }
      let url = "https://img.example.com/p/\(number % 700).jpg"
      let key = format.dataCacheKey(imageID: url, thumbnail: thumbnail, processors: processors)
      // A recorder knows the URL. A log has the key alone, which does not tell where a URL ends before text of the app's.
      let isOwn = thumbnail == nil && processors.first.map(Dice.isOwn) == true
      requests[scale, default: []].append(RecordedRequest(key: key, url: isOwn || dice.coin() ? url : nil))
    }
    for (scale, requests) in requests {
      let job = try RoundTrip.check(
        requests, ["client": "nuke \(version)", "scale": NumberText.plain(scale)])
      #expect(job.refusals == [], "\(job.refusals.prefix(3))")
    }
  }

  @Test(arguments: ["5.15.8", "6.3.1", "7.12.0", "8.4.0", "8.11.0"]) func kingfisher(_ version: String) throws
  {
    for style in [KingfisherKeyFormat.Style.options, .builder] {
      let client = try KingfisherVersion(parsing: version)
      let format = KingfisherKeyFormat(version: client, style: style)
      guard style == .options || client >= KingfisherVersion(6, 0, 0) else { continue }
      var dice = Dice(seed: version + style.rawValue)
      var requests: [RecordedRequest] = []
      for number in 0..<1000 {
        let processors = (0..<Int.random(in: 0...3, using: &dice.numbers)).map { _ in dice.kingfisher().call }
        guard format.unsupportedReason(processors) == nil else { continue }
        let url = "https://img.example.com/p/\(number % 400).jpg"
        let key = format.computedKey(baseKey: url, identifier: format.identifier(of: processors))
        let isOwn = processors.first?.isCustom == true
        requests.append(RecordedRequest(key: key, url: isOwn || dice.coin() ? url : nil))
      }
      let job = try RoundTrip.check(requests, ["client": "kingfisher \(version)", "style": style.rawValue])
      #expect(job.refusals == [], "\(job.refusals.prefix(3))")
    }
  }
}

/// Values that an app might write, and some that only a test would.
private struct Dice {
  var numbers: SeededGenerator

  init(seed: String) {
    numbers = SeededGenerator(state: seed.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
  }

  static func isOwn(_ processor: NukeCache.ImageProcessor) -> Bool {
    processor.call.identifier != nil || processor.call.values.has("identifier")
  }

  mutating func coin() -> Bool { Bool.random(using: &numbers) }

  mutating func pick<T>(_ values: [T], _ otherwise: T) -> T {
    values.randomElement(using: &numbers) ?? otherwise
  }

  private mutating func number() -> Double {
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: Double(Int.random(in: 1...400, using: &numbers))
    case 1: Double(Int.random(in: 1...4000, using: &numbers)) / 10
    case 2: Double(Int.random(in: 1...100, using: &numbers)) / 3
    case 3: pick([0.0, -4, 1e-7, 3e17, 9999, 0.1, 33.3], 1)
    case 4: Double.random(in: 0...1, using: &numbers)
    default: Double.random(in: 0...2000, using: &numbers)
    }
  }

  private mutating func component() -> Double {
    coin()
      ? Double(Int.random(in: 0...255, using: &numbers)) / 255
      : Double.random(in: -0.2...1.2, using: &numbers)
  }

  private mutating func text() -> String {
    pick(
      [
        "com.example.mono", "mono", "a \"quoted\" one", "back\\slash", "caf\u{e9}", "x=1,y=2", "# no comment",
        "|", "a|b",
        "com.github.kean/nuke/", "com.github/kean/nuke/thumbnail?mxs=4.0,options=truetruetruetrue",
      ], "id")
  }

  mutating func nuke() -> NukeCache.ImageProcessor {
    let unit = coin() ? NukeCache.ImageProcessor.Unit.points : .pixels
    func border(_ dice: inout Dice) -> NukeCache.ImageProcessor.Border? {
      guard dice.coin() else { return nil }
      let color = NukeCache.ImageProcessor.Color(
        red: dice.component(), green: dice.component(), blue: dice.component(),
        alpha: dice.coin() ? 1 : dice.component())
      return .init(color: color, width: dice.number(), unit: unit)
    }
    switch Int.random(in: 0..<9, using: &numbers) {
    case 0: return .resize(width: number(), unit: unit, upscale: coin())
    case 1: return .resize(height: number(), unit: unit, upscale: coin())
    case 2, 3:
      return .resize(
        width: number(), height: number(), unit: unit, contentMode: coin() ? .aspectFill : .aspectFit,
        crop: coin(),
        upscale: coin())
    case 4: return .circle(border: border(&self))
    case 5: return .roundedCorners(radius: number(), unit: unit, border: border(&self))
    case 6: return .gaussianBlur(radius: Int.random(in: -2...40, using: &numbers))
    case 7:
      return .coreImageFilter(
        name: pick(["CISepiaTone", "CI Odd", "X"], "Y"), identifier: coin() ? nil : text())
    default: return .custom(identifier: text())
    }
  }

  mutating func thumbnail(_ hasSizes: Bool) -> ThumbnailOptions {
    var options =
      hasSizes && coin()
      ? ThumbnailOptions(
        size: CGSize(width: number(), height: number()), unit: coin() ? .points : .pixels,
        contentMode: coin() ? .aspectFill : .aspectFit)
      : ThumbnailOptions(maxPixelSize: number())
    options.createThumbnailFromImageIfAbsent = coin()
    options.createThumbnailFromImageAlways = coin()
    options.createThumbnailWithTransform = coin()
    options.shouldCacheImmediately = coin()
    return options
  }

  mutating func kingfisher() -> BuiltInProcessor {
    let size = CGSize(width: number(), height: number())
    let corners = BuiltInProcessor.RectCorner(rawValue: Int.random(in: 0...15, using: &numbers))
    let color: BuiltInProcessor.Color =
      coin()
      ? .rgba(red: component(), green: component(), blue: component(), alpha: component())
      : .gray(white: component(), alpha: component())
    let radius: BuiltInProcessor.Radius = pick(
      [.point(number()), .widthFraction(number()), .heightFraction(number())], .point(1))
    switch Int.random(in: 0..<14, using: &numbers) {
    case 0: return DefaultImageProcessor.default
    case 1:
      return ResizingImageProcessor(referenceSize: size, mode: pick([.none, .aspectFit, .aspectFill], .none))
    case 2: return DownsamplingImageProcessor(size: size)
    case 3, 4:
      return RoundCornerImageProcessor(
        radius: radius, targetSize: coin() ? size : nil, roundingCorners: corners,
        backgroundColor: coin() ? color : nil)
    case 5: return BlurImageProcessor(blurRadius: number())
    case 6: return OverlayImageProcessor(overlay: color, fraction: number())
    case 7: return TintImageProcessor(tint: color)
    case 8:
      return ColorControlsProcessor(
        brightness: number(), contrast: number(), saturation: number(), inputEV: number())
    case 9: return BlackWhiteProcessor()
    case 10: return CroppingImageProcessor(size: size, anchor: .init(x: number(), y: number()))
    case 11:
      return BlendImageProcessor(
        blendMode: pick(BuiltInProcessor.BlendMode.allCases, .normal), alpha: number(),
        backgroundColor: coin() ? color : nil)
    case 12:
      return BorderImageProcessor(
        border: Border(color: color, lineWidth: number(), radius: radius, roundingCorners: corners))
    default: return BuiltInProcessor(.custom(text()))
    }
  }
}
