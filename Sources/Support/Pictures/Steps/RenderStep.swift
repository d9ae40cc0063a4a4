/// One drawing operation on the upright picture, in pixels unless it says points. Names, versions and screen scales of
/// the clients are resolved before.
package struct RenderStep: Hashable, Sendable {
  package let value: any DrawingStep

  package init(_ value: any DrawingStep) { self.value = value }

  /// The steps that a worker reads. A new one is a value in this folder, its type in this list, and its drawing in
  /// `ImageProcessing/Steps`.
  static let known: [any DrawingStep.Type] = [
    Thumbnail.self, Resize.self, Resizing.self, Letterbox.self, Cropping.self, Region.self, Circle.self,
    WideCircle.self, RoundedCorners.self, CornerRounding.self, EdgeLine.self, Framing.self, Flip.self,
    Rotation.self, GaussianBlur.self, BoxBlur.self, Overlay.self, Tint.self, ColorControls.self, Blend.self,
    ColorBlend.self, Filter.self,
  ]

  package var name: String { type(of: value).name }

  /// Why no picture whatever can come of the step; nil where that depends on the picture.
  package var obstacle: String? {
    value.isNothing ? "no picture has this size: it is 0 or less, under a pixel or infinite" : nil
  }

  package static func == (a: RenderStep, b: RenderStep) -> Bool { a.value.equals(b.value) }

  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

package typealias PixelSize = (width: Int, height: Int)

/// A way to draw: a value with its parameters, which says what it does to a size and what it needs of its input.
///
/// It is drawn in `ImageProcessing/Steps`, because only that target links to libvips, while steps are
/// made and planned by the coordinator, which decodes nothing.
package protocol DrawingStep: Codable, Hashable, Sendable {
  /// In the request to a worker, in the ledger's text of a drawing, and in recordings.
  static var name: String { get }
  /// False where the parameters stand directly under the name, and not under a `_0` as well. Both forms are older than
  /// this protocol, and a change of the text would make all cached files again.
  static var isWrapped: Bool { get }

  /// No picture whatever can come of it.
  var isNothing: Bool { get }
  /// Whether the step draws the whole picture into a rectangle: it reads rows from top to bottom, once.
  var isPlaced: Bool { get }
  /// Whether the step, at the beginning of a chain, starts from the embedded thumbnail if the job leaves that to the
  /// client.
  var embedded: EmbeddedUse { get }
  /// Core Image draws the step, whose results are sRGB.
  var isCoreImage: Bool { get }
  /// Whether the step, at the beginning of a chain, leaves the pixels as the file stores them.
  var keepsStoredPixels: Bool { get }

  /// The result's pixels.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where a side comes to nothing.
  func size(of source: PixelSize) throws(RenderFailure) -> PixelSize
  /// Where the whole picture is drawn; nil where it stays as it is, and for steps that are not placed.
  ///
  /// - Throws: as ``size(of:)``.
  func placement(of source: PixelSize) throws(RenderFailure) -> Placement?
}

/// A canvas and the rectangle of it that the whole picture is drawn into, from the upper left corner and in pixels of the
/// canvas. The rectangle has fractions where the client does not round it, and may be larger than the canvas.
package struct Placement: Sendable {
  package var canvas: PixelSize
  package var x, y, width, height: Double
  /// What ImageIO makes a thumbnail by, which reduces a PNG before it draws it.
  package var isThumbnail = false
  /// The client has decoded the picture before: it is not decoded smaller.
  package var isBitmap = false
  /// What the picture leaves free of the canvas is transparent.
  package var isClear = false
  package private(set) var drawing = Drawing.device

  /// Where the picture lies on all of a canvas.
  package init(all canvas: PixelSize) {
    self.init(canvas, x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
  }

  init(_ canvas: PixelSize, x: Double, y: Double, width: Double, height: Double) {
    self.canvas = canvas
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Whether the picture hides all of the canvas, except for what rounding takes.
  var coversCanvas: Bool {
    let noise = 1e-6
    return x <= noise && y <= noise && x + width >= Double(canvas.width) - noise
      && y + height >= Double(canvas.height) - noise
  }

  /// The same drawn in another way. libvips knows whole pixels alone: edges go to the nearest ones, and a pixel of the
  /// canvas' edge that the picture touches is part of it.
  ///
  /// - Throws: ``RenderFailure`` with the code `limit` for what libvips has no size for.
  package func drawn(by drawing: Drawing) throws(RenderFailure) -> Placement {
    guard drawing != .device else { return self }
    var placement = self
    placement.drawing = drawing
    (placement.x, placement.width) = Self.whole(x, width, canvas.width)
    (placement.y, placement.height) = Self.whole(y, height, canvas.height)
    guard max(placement.width, placement.height) <= Self.longest else {
      throw RenderFailure(
        .limit,
        "the whole picture would be \(placement.width) x \(placement.height) pixels, and libvips draws up to "
          + "\(Int(Self.longest)) a side: use drawing device")
    }
    return placement
  }

  private static let longest = 10_000_000.0

  private static func whole(_ start: Double, _ length: Double, _ canvas: Int) -> (Double, Double) {
    let (end, edge) = (start + length, Double(canvas))
    let first = start > 0 && start < 1 ? 0 : start.rounded()
    let last = end < edge && end > edge - 1 ? edge : end.rounded()
    return (first, max(last - first, 1))
  }

  /// The same for a picture as the file stores it, on a canvas that is turned upright afterwards.
  ///
  /// - Parameter orientation: of the file, 1 to 8 (Exif 2.32, tag 274).
  package func stored(orientation: Int) -> Placement {
    let right = Double(canvas.width) - x - width
    let bottom = Double(canvas.height) - y - height
    var stored = self
    (stored.x, stored.y) =
      switch orientation {
      case 2: (right, y)
      case 3: (right, bottom)
      case 4: (x, bottom)
      case 5: (y, x)
      case 6: (y, right)
      case 7: (bottom, right)
      case 8: (bottom, x)
      default: (x, y)
      }
    if orientation >= 5 {
      (stored.width, stored.height) = (height, width)
      stored.canvas = (canvas.height, canvas.width)
    }
    return stored
  }
}

extension DrawingStep {
  package static var isWrapped: Bool { true }
  package var isNothing: Bool { false }
  package var isPlaced: Bool { false }
  package var embedded: EmbeddedUse { .never }
  package var isCoreImage: Bool { false }
  package var keepsStoredPixels: Bool { false }

  package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize { source }

  package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? { nil }

  fileprivate func equals(_ other: any DrawingStep) -> Bool { other as? Self == self }
}

/// Neither Core Graphics nor Nuke 13.2.0 goes beyond it.
let longestSide = Double(1 << 30)

/// A bitmap has room for the last fraction of a pixel, but not for the noise of a multiplication. Nil for no size.
func wholePixels(_ side: Double) -> Int? {
  let whole = (side - 1e-6).rounded(.up)
  return whole >= 1 && whole <= longestSide ? Int(whole) : nil
}

extension RenderStep: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    static let wrapped = Key("_0")

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// As the synthesised text of an enum with a case for each step: `{"tint": {...}}`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    guard type(of: value).isWrapped else { return try container.encode(value, forKey: Key(name)) }
    var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
    try inner.encode(value, forKey: .wrapped)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first,
      let step = Self.known.first(where: { $0.name == key.stringValue })
    else {
      let names = container.allKeys.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not the name of a step: \(names)"))
    }
    value =
      step.isWrapped
      ? try container.nestedContainer(keyedBy: Key.self, forKey: key).decode(step, forKey: .wrapped)
      : try container.decode(step, forKey: key)
  }
}

extension RenderStep {
  package enum ContentMode: String, Codable, Hashable, Sendable {
    case aspectFill, aspectFit

    /// A picture that fills its target has a side as soon as one of the target's has; one that fits needs both.
    func isNothing(_ width: Double, _ height: Double) -> Bool {
      self == .aspectFill ? max(width, height) <= 0 : min(width, height) <= 0
    }
  }

  /// sRGB, not premultiplied, components in 0...1.
  package struct Color: Codable, Hashable, Sendable {
    package var red, green, blue, alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }
}
