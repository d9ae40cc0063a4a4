import TestSupport
import Testing

@testable import Pictures

/// A row of `nuke-resize.tsv`, with the step that a request of that client version comes down to.
struct ResizeRow: Sendable, CustomTestStringConvertible {
  var fields: [String: String]

  static let all: [ResizeRow] = ((try? Fixtures.table("nuke-resize.tsv")) ?? []).map(ResizeRow.init)

  subscript(_ name: String) -> String { fields[name] ?? "" }

  var testDescription: String {
    "\(self["nuke_version"]) \(self["source"]) -> \(self["target"]) \(self["content_mode"]) crop \(self["crop"])"
  }

  var orientation: Int { Int(self["exif_orientation"]) ?? 1 }

  var source: (width: Int, height: Int) {
    let sides = self["source"].split(separator: "x").compactMap { Int($0) }
    return (sides[0], sides[1])
  }

  /// Major and minor of the client; `main` is newer than all.
  private var version: (Int, Int) {
    let parts = self["nuke_version"].split(separator: ".").compactMap { Int($0) }
    return parts.count < 2 ? (14, 0) : (parts[0], parts[1])
  }

  var step: RenderStep.Resize {
    let target = self["target"]
    let sides: (Double, Double)
    var mode = RenderStep.ContentMode.aspectFit
    // `width:` and `height:` leave the other side at 9999, of the same unit.
    if target.hasPrefix("w=") {
      sides = (Double(target.dropFirst(2)) ?? .nan, 9999)
    } else if target.hasPrefix("h=") {
      sides = (9999, Double(target.dropFirst(2)) ?? .nan)
    } else {
      let numbers = target.split(separator: "x").map { Double($0) ?? .nan }
      sides = (numbers[0], numbers[1])
      mode = self["content_mode"] == "fill" ? .aspectFill : .aspectFit
    }
    let scale = self["unit"] == "pt" ? Double(self["screen_scale"]) ?? .nan : 1
    func pixels(_ side: Double) -> Double {
      version >= (13, 0) ? Double(Float(side * scale)) : side * scale
    }
    return RenderStep.Resize(
      width: pixels(sides.0), height: pixels(sides.1), contentMode: mode, crop: self["crop"] == "1",
      upscale: self["upscale"] == "1", cropEnlarges: version < (13, 2))
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ResizeGeometryTests {
  @Test func theTableIsThere() {
    #expect(!ResizeRow.all.isEmpty)
  }

  /// Sizes that Nuke's own code gave, in stored pixels.
  @Test(arguments: ResizeRow.all)
  func sizesAreThoseOfTheClient(_ row: ResizeRow) throws {
    var step = row.step
    // The step means the upright picture.
    if row.orientation > 4 { (step.width, step.height) = (step.height, step.width) }
    switch row["result"] {
    case "unchanged":
      #expect(try step.size(of: row.source) == row.source)
      #expect(step.layout(of: row.source) == nil)
      #expect(try step.placement(of: row.source) == nil)
    case "failed":
      let failure = try #require(throws: RenderFailure.self) { try step.size(of: row.source) }
      #expect(failure.code == .size)
    default:
      let sides = row["output"].split(separator: "x").compactMap { Int($0) }
      let numbers = row["draw_rect"].split(separator: ",").compactMap { Double($0) }
      #expect(try step.size(of: row.source) == (sides[0], sides[1]))
      let layout = try #require(step.layout(of: row.source))
      #expect([layout.x, layout.y, layout.width, layout.height] == numbers)
    }
  }

  @Test(arguments: [.nan, .infinity, -.infinity, -5, 0, 1e300] as [Double])
  func aTargetThatIsNoSizeIsRefused(_ side: Double) throws {
    var steps: [any DrawingStep] = [false, true].map { crop in
      RenderStep.Resize(
        width: side, height: side, contentMode: .aspectFill, crop: crop, upscale: true, cropEnlarges: false)
    }
    steps += [nil, RenderStep.ContentMode.aspectFit].map { mode in
      RenderStep.Resizing(width: side, height: side, contentMode: mode, scale: 2)
    }
    // A thumbnail does not grow.
    if side != 1e300 {
      steps += [.maxPixelSize(side), .flexible(width: side, height: side, contentMode: .aspectFit)].map {
        RenderStep.Thumbnail(size: $0, fromImageIfAbsent: true, fromImageAlways: true)
      }
    }
    for step in steps {
      let failure = #expect(throws: RenderFailure.self) { try step.size(of: (640, 480)) }
      #expect(failure?.code == .size, "\(step)")
    }
  }

  /// Only a crop that would enlarge is redrawn at the picture's own size, and then its canvas is rounded.
  @Test func aCropAtTheFactorOneCutsTheFractionOff() throws {
    func step(_ width: Double) -> RenderStep.Resize {
      RenderStep.Resize(
        width: width, height: 99.6, contentMode: .aspectFill, crop: true, upscale: false, cropEnlarges: false)
    }
    func size(_ width: Double) throws -> [Int] {
      let size = try step(width).size(of: (640, 480))
      return [size.width, size.height]
    }
    #expect(try size(640) == [640, 99])
    #expect(try size(640.5) == [640, 100])
  }

  @Test func theLargestSideIsTwoToTheThirty() throws {
    func step(_ side: Double) -> RenderStep.Resize {
      RenderStep.Resize(
        width: side, height: side, contentMode: .aspectFit, crop: false, upscale: true, cropEnlarges: false)
    }
    #expect(throws: Never.self) { try step(1_073_741_824).size(of: (1, 1)) }
    #expect(throws: RenderFailure.self) { try step(1_073_741_825).size(of: (1, 1)) }
  }

  @Test func aDrawRectCountsFromTheBottomAndCanBeCountedFromTheTop() {
    // A canvas of 49.9 rows has 49 of them; the missing 0.9 is at the top.
    let rect = RenderStep.Resize.Layout(canvas: (100, 49.9), x: 0, y: -12.5, width: 100, height: 75)
    #expect(rect.top(onCanvasOfHeight: 50) == -12.5)
    #expect(rect.top(onCanvasOfHeight: 49) == -13.5)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ThumbnailGeometryTests {
  private func thumbnail(_ size: RenderStep.Thumbnail.Size) -> RenderStep.Thumbnail {
    RenderStep.Thumbnail(size: size, fromImageIfAbsent: true, fromImageAlways: true)
  }

  /// Layout notes 5.3, from Nuke's own code.
  @Test(arguments: [
    (640, 480, 100.0, 100.0, RenderStep.ContentMode.aspectFit, 100.0),
    (640, 480, 100, 100, .aspectFill, 133), (640, 480, 1000, 1000, .aspectFill, 1333),
    (640, 480, 50, 100, .aspectFill, 133), (1001, 333, 33, 33, .aspectFit, 33),
  ])
  func theLimitFollowsFromTheSize(
    _ width: Int, _ height: Int, _ targetWidth: Double, _ targetHeight: Double,
    _ mode: RenderStep.ContentMode, _ limit: Double
  ) throws {
    let step = thumbnail(.flexible(width: targetWidth, height: targetHeight, contentMode: mode))
    #expect(try step.longerSideLimit(of: (width, height)) == limit)
  }

  @Test(arguments: [
    (4000, 3000, 400.0, 400, 300), (3000, 4000, 400, 300, 400), (640, 480, 1000, 640, 480),
    (640, 480, 640, 640, 480), (1001, 333, 33, 33, 11), (30_000, 10, 100, 100, 1), (640, 480, 100.9, 100, 75),
    (640, 480, 0.4, 1, 1), (1, 1, 5, 1, 1),
  ])
  func theLongerSideIsTheLimitAndNothingGrows(
    _ width: Int, _ height: Int, _ limit: Double, _ outWidth: Int, _ outHeight: Int
  ) throws {
    let size = try thumbnail(.maxPixelSize(limit)).size(of: (width, height))
    #expect(size == (outWidth, outHeight))
  }

  /// In whole pixels: the origin is rounded down. Widened it is no square where the rest is odd.
  @Test(arguments: [
    (640, 480, false, [80, 0, 480, 480]), (481, 640, false, [0, 79, 481, 481]), (7, 4, false, [1, 0, 4, 4]),
    (5, 5, false, [0, 0, 5, 5]), (521, 346, true, [87, 0, 347, 346]), (346, 521, true, [0, 87, 346, 347]),
    (640, 480, true, [80, 0, 480, 480]), (5, 5, true, [0, 0, 5, 5]), (4, 3, true, [0, 0, 4, 3]),
  ])
  func aCircleIsCutFromTheMiddle(width: Int, height: Int, isWidened: Bool, wanted: [Int]) {
    let part = RenderStep.Circle.part(of: (width, height), isWidened: isWidened)
    #expect([part.left, part.top, part.width, part.height] == wanted)
  }
}
