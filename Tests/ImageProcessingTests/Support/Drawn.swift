@testable import ImageProcessing
@testable import Pictures

/// Pixels of a result as a test compares them.
struct Drawn {
  var image: Raster

  /// Through the renderer and a lossless file.
  init(_ picture: TestPicture, _ steps: [RenderStep]) throws {
    image = try render(picture.png(), steps).image()
  }

  /// As many numbers as the picture has bands.
  func pixel(_ x: Int, _ y: Int) -> [Int] { image.pixel(x, y) }

  func alpha(_ x: Int, _ y: Int) -> Int { image.hasAlpha ? pixel(x, y)[image.bands - 1] : 255 }
}

/// No component is farther away than `tolerance`.
func isNear(_ a: [Int], _ b: [Int], by tolerance: Int = 1) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
}

func isNear(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>, by tolerance: Int = 1) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
}

extension Raster {
  /// Of an image in memory, row by row.
  var samples: [UInt8] { stored.map { [UInt8]($0) } ?? [] }

  var size: String { "\(width)x\(height)" }

  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let start = (y * width + x) * bands
    return (stored?[start..<start + bands]).map { $0.map(Int.init) } ?? []
  }
}

extension RenderStep.Color {
  static let red = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 1)
  static let white = RenderStep.Color(red: 1, green: 1, blue: 1, alpha: 1)

  /// Levels of 0...255, with alpha or without.
  init(_ levels: [Int]) {
    let parts = levels.map { Double($0) / 255 }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 1)
  }
}

/// How many levels the samples of two pictures are apart on average; 255 for pictures of different sizes.
func meanDifference(_ a: Raster, _ b: Raster) -> Double {
  guard a.width == b.width, a.height == b.height, a.bands == b.bands else { return 255 }
  let samples = a.samples
  let sum = zip(samples, b.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  return Double(sum) / Double(samples.count)
}
