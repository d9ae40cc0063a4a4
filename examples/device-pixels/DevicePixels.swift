import CoreGraphics
import Foundation
import ImageIO

/// Draws a fixed set of pictures with the frameworks of this device, and writes them with a `manifest.tsv` in
/// the words of a job file, which `make pixels REFERENCES=FOLDER` reads.
final class DevicePixels {
  struct Failure: Error { var what: String }

  let folder: URL
  let sRGB = CGColorSpace(name: CGColorSpace.sRGB)!
  let whole = CGRect(x: 0, y: 0, width: 960, height: 720)
  private var rows = [["operation", "source", "client", "chain", "scale", "result"]]

  init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func drawAll() throws {
    let photo = try painted(in: sRGB, isOpaque: true)
    let displayP3 = try made(CGColorSpace(name: CGColorSpace.displayP3), "Display P3")
    try write(photo, "photo.png")
    try write(photo, "photo.jpg", quality: 0.9)
    try write(photo, "turned.jpg", quality: 0.9, orientation: 6)
    try write(try painted(in: sRGB, isOpaque: false), "clear.png")
    try write(try painted(in: displayP3, isOpaque: true), "wide.png")
    // Some systems have no encoder for HEIC.
    let hasHEIC = (try? write(photo, "photo.heic", quality: 0.9)) != nil

    let lossless = ["clear.png", "wide.png"]
    try thumbnails(of: ["photo.jpg", "turned.jpg"] + lossless + (hasHEIC ? ["photo.heic"] : []))
    try scalings()
    try rotations()
    try corners()
    // In a canvas of the picture's own colour space, as Nuke draws.
    for size in [CGSize(width: 640, height: 480), CGSize(width: 120, height: 90)] {
      let rect = CGRect(origin: .zero, size: size)
      let image = try canvas(size, displayP3) { $0.draw(try read("wide.png"), in: rect) }
      let chain = "resize(size: \(Int(size.width))x\(Int(size.height)), unit: pixels, crop: true)"
      try add("Display P3", "wide.png", "nuke 13", chain, image)
    }
    #if canImport(UIKit)
      try drawWithUIKit()
    #endif
    let manifest = rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("manifest.tsv"))
  }

  /// ImageIO's thumbnails with the options of Nuke.
  private func thumbnails(of names: [String]) throws {
    for name in names {
      for size in [959, 700, 480, 400, 240, 180, 120, 100, 60, 30] {
        let options: [CFString: Any] = [
          kCGImageSourceCreateThumbnailFromImageIfAbsent: true,
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceCreateThumbnailWithTransform: true,
          kCGImageSourceShouldCacheImmediately: true,
          kCGImageSourceThumbnailMaxPixelSize: size,
        ]
        let image = CGImageSourceCreateThumbnailAtIndex(try source(name), 0, options as CFDictionary)
        let chain = "thumbnail(maxPixelSize: \(size))"
        try add("thumbnail of \(name)", name, "nuke 13", chain, try made(image, "thumbnail of \(name)"))
      }
    }
  }

  /// Just below the size of the source, and where a JPEG is decoded at a fraction of its size.
  private func scalings() throws {
    for across in [960, 959, 955, 950, 940, 920, 900, 890, 873, 800, 600, 481, 480, 479, 240, 120, 90] {
      let size = CGSize(width: across, height: across * 3 / 4)
      let kind = across == 960 ? "full size" : across > 870 ? "ratio 1.0 to 1.1" : "ratio above 1.1"
      for name in ["photo.png", "photo.jpg"] {
        let image = try canvas(size) { $0.draw(try read(name), in: CGRect(origin: .zero, size: size)) }
        let chain = "resizing(referenceSize: \(across)x\(across * 3 / 4))"
        try add("\(kind), \(name)", name, "kingfisher 8", chain, image)
      }
    }
  }

  /// About the centre, counterclockwise, on a canvas of the picture's size, as SDWebImage rotates.
  private func rotations() throws {
    for angle in [0.05, 0.5, 1, 2.5] {
      let image = try canvas(whole.size) {
        $0.interpolationQuality = .high
        $0.translateBy(x: whole.midX, y: whole.midY)
        $0.rotate(by: CGFloat(angle))
        $0.draw(try read("photo.png"), in: whole.offsetBy(dx: -whole.midX, dy: -whole.midY))
      }
      try add("rotation", "photo.png", "sdwebimage 5", "rotate(angle: \(angle), fitSize: false)", image)
    }
  }

  /// `CGPath`'s rounded rectangles, with and without a border that is stroked inside the clip, as Nuke draws them.
  private func corners() throws {
    for (radius, border) in [(12, 0), (60, 0), (200, 0), (300, 0), (359, 0), (12, 4), (60, 4), (60, 20)] {
      let corner = CGFloat(radius)
      let path = CGPath(roundedRect: whole, cornerWidth: corner, cornerHeight: corner, transform: nil)
      let image = try canvas(whole.size) {
        $0.addPath(path)
        $0.clip()
        $0.draw(try read("photo.png"), in: whole)
        guard border > 0 else { return }
        $0.setStrokeColor(CGColor(colorSpace: sRGB, components: [1, 0, 0, 1])!)
        $0.setLineWidth(CGFloat(border))
        $0.addPath(path)
        $0.strokePath()
      }
      let line = border > 0 ? ", border: (color: #FF0000, width: \(border), unit: pixels)" : ""
      let chain = "roundedCorners(radius: \(radius), unit: pixels\(line))"
      try add("CGPath corners\(border > 0 ? ", border" : "")", "photo.png", "nuke 13", chain, image)
    }
  }

  /// A canvas with 8 bits a channel and the default quality, unless `draw` changes that.
  private func canvas(
    _ size: CGSize, _ space: CGColorSpace? = nil, _ draw: (CGContext) throws -> Void
  ) throws -> CGImage {
    let context = CGContext(
      data: nil, width: Int(size.width), height: Int(size.height), bitsPerComponent: 8, bytesPerRow: 0,
      space: space ?? sRGB, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    try draw(try made(context, "canvas"))
    return try made(context?.makeImage(), "image of a canvas")
  }

  /// Ellipses and lines of all sizes, the same on every device.
  private func painted(in space: CGColorSpace, isOpaque: Bool) throws -> CGImage {
    var state: UInt64 = 20_261_123
    func next() -> CGFloat {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return CGFloat(state >> 40) / CGFloat(1 << 24)
    }
    func colour() -> CGColor {
      CGColor(colorSpace: space, components: [next(), next(), next(), isOpaque ? 1 : 0.3 + 0.7 * next()])!
    }
    return try canvas(whole.size, space) {
      $0.setFillColor(colour())
      if isOpaque { $0.fill(whole) }
      for _ in 0..<400 {
        let size = 4 + 160 * next() * next() * next()
        let corner = CGPoint(x: whole.width * next() - size / 2, y: whole.height * next() - size / 2)
        $0.setFillColor(colour())
        $0.fillEllipse(in: CGRect(origin: corner, size: CGSize(width: size, height: size * (0.3 + next()))))
        $0.setStrokeColor(colour())
        $0.setLineWidth(0.5 + 3 * next())
        $0.strokeLineSegments(between: [corner, CGPoint(x: whole.width * next(), y: whole.height * next())])
      }
    }
  }

  func made<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw Failure(what: what) }
    return value
  }

  private func source(_ name: String) throws -> CGImageSource {
    try made(CGImageSourceCreateWithURL(folder.appendingPathComponent(name) as CFURL, nil), name)
  }

  /// Not decoded yet: a JPEG is decoded when it is drawn.
  func read(_ name: String) throws -> CGImage {
    try made(CGImageSourceCreateImageAtIndex(try source(name), 0, nil), name)
  }

  private func write(_ image: CGImage, _ name: String, quality: Double? = nil, orientation: Int? = nil) throws
  {
    let kinds = ["png": "public.png", "jpg": "public.jpeg", "heic": "public.heic"]
    let file = folder.appendingPathComponent(name)
    var options: [CFString: Any] = [:]
    options[kCGImageDestinationLossyCompressionQuality] = quality
    options[kCGImagePropertyOrientation] = orientation
    let kind = try made(kinds[file.pathExtension], name) as CFString
    let destination = try made(CGImageDestinationCreateWithURL(file as CFURL, kind, 1, nil), name)
    CGImageDestinationAddImage(destination, image, options as CFDictionary)
    guard CGImageDestinationFinalize(destination) else { throw Failure(what: name) }
  }

  /// Writes a result and its row.
  func add(_ operation: String, _ source: String, _ client: String, _ chain: String, _ image: CGImage) throws
  {
    let name = "result-\(rows.count).png"
    try write(image, name)
    rows.append([operation, source, client, chain, "1", name])
  }
}
