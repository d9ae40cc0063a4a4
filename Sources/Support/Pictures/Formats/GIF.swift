extension FormatFacts {
  static let gif = FormatFacts(
    name: "GIF", isTrusted: true, drawingVersion: 9, endingsDrawnOtherwise: ["gif"],
    uniformType: "com.compuserve.gif", loader: nil, mustBeWhole: true,
    // RGBA: the canvas and the frame before.
    decoderMemory: { header, _, _ in product(header.width, header.height, 8) },
    // ImageIO takes other versions than 87a and 89a as well.
    begins: { $0.has("GIF") }, isLittleEndian: { _ in true },
    readHeader: ImageHeader.readGIF)
}

extension ImageHeader {
  /// Walks the blocks to the trailer. The canvas is the logical screen, or a first frame at its corner that is larger, as in Chromium
  /// (`gif_image_reader.cc`, "first frame").
  static func readGIF(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    var blocks = try GIFBlocks(source)
    var header = ImageHeader(
      format: .gif, width: try source.u16(6), height: try source.u16(8), frames: 0, channels: 4,
      hasAlpha: false, isComplete: false)
    do throws(RenderFailure) {
      while let frame = try blocks.next() {
        let isWhole = header.frames == 0 && frame.place.left == 0 && frame.place.top == 0
        if isWhole || header.width == 0 { header.width = max(header.width, frame.place.right) }
        if isWhole || header.height == 0 { header.height = max(header.height, frame.place.bottom) }
        if frame.transparent != nil { header.hasAlpha = true }
        if frame.isInterlaced { header.isInterlaced = true }
        header.frames += 1
      }
      (header.isComplete, header.hasOwnEnd) = (blocks.isComplete, blocks.hasTrailer)
    } catch {
      // A cut inside a frame leaves a header that is known and a picture that is not whole.
      guard error.code == .truncated, header.frames > 0 else { throw error }
    }
    guard header.frames > 0 else { throw source.damaged("holds no frame") }
    return header
  }
}

/// A frame and where its parts stand in the file.
package struct GIFFrame: Sendable, Hashable {
  package var place: Place
  package var isInterlaced: Bool
  /// Bytes of red, green and blue: its own, or the file's.
  package var palette: Range<Int>
  /// The index that is not drawn.
  package var transparent: Int?
  /// Applied before the next frame is drawn.
  package var disposal: Disposal
  /// Hundredths of a second.
  package var delay: Int
  /// Where the minimum code size stands, with the blocks of codes behind it.
  package var data: Int

  package struct Place: Sendable, Hashable {
    package let left: Int
    package let top: Int
    package var width: Int
    package var height: Int
    package var right: Int { left + width }
    package var bottom: Int { top + height }
    package var isEmpty: Bool { width == 0 || height == 0 }

    package init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// Whether it covers the part of another place that lies within a canvas.
    package func covers(_ other: Place, within size: (width: Int, height: Int)) -> Bool {
      let (right, bottom) = (min(other.right, size.width), min(other.bottom, size.height))
      return other.left >= right || other.top >= bottom
        || left <= other.left && top <= other.top && self.right >= right && self.bottom >= bottom
    }
  }

  package enum Disposal: Sendable { case stays, isCleared, isTakenBack }
}

/// The blocks of a GIF, from one frame to the next (GIF89a specification, sections 18 to 27).
package struct GIFBlocks {
  /// The file ended where it may: at its trailer, or without one between two blocks.
  package private(set) var isComplete = false
  private(set) var hasTrailer = false
  /// How often it plays again, 0 for ever; nil for once.
  package private(set) var loop: Int?

  private let source: HeaderBytes
  private let palette: Range<Int>
  private var offset: Int
  /// The data of a frame begin there.
  private var isInFrame = false
  /// The flags, the delay and the transparent index for the next frame.
  private var control = GIFBlocks.noControl

  /// Where no block says how long a frame shows, a tenth of a second, as browsers have it.
  private static let noControl = (flags: 0, delay: 10, transparent: 0)

  package init(_ bytes: [UInt8]) throws(RenderFailure) { try self.init(HeaderBytes(bytes, .gif)) }

  init(_ source: HeaderBytes) throws(RenderFailure) {
    self.source = source
    offset = 13 + GIFBlocks.colorTableSize(try source.u8(10))
    palette = 13..<offset
  }

  /// The next frame, whose data may still be cut; nil at the end.
  package mutating func next() throws(RenderFailure) -> GIFFrame? {
    if isInFrame { offset = try endOfSubBlocks(from: offset) }
    isInFrame = false
    // Some writers leave the trailer out, and all decoders show the frames.
    while offset < source.count {
      switch try source.u8(offset) {
      case 0x21: try readExtension()
      case 0x2C: return try readFrame()
      // Padding.
      case 0: offset += 1
      case 0x3B:
        (isComplete, hasTrailer) = (true, true)
        return nil
      default: return nil  // not a block: decoders stop here too
      }
    }
    isComplete = true
    return nil
  }

  private mutating func readExtension() throws(RenderFailure) {
    switch try source.u8(offset + 1) {
    case 0xF9:
      control = (try source.u8(offset + 3), try source.u16(offset + 4), try source.u8(offset + 6))
    case 0xFF where (0..<11).allSatisfy { (try? source.u8(offset + 3 + $0)) == Self.looping[$0] }:
      if try source.u8(offset + 14) == 3, try source.u8(offset + 15) == 1 {
        loop = try source.u16(offset + 16)
      }
    default: break
    }
    offset = try endOfSubBlocks(from: offset + 2)
  }

  private static let looping = "NETSCAPE2.0".utf8.map { Int($0) }

  private mutating func readFrame() throws(RenderFailure) -> GIFFrame {
    let flags = try source.u8(offset + 9)
    let own = offset + 10..<offset + 10 + GIFBlocks.colorTableSize(flags)
    let frame = GIFFrame(
      place: .init(
        left: try source.u16(offset + 1), top: try source.u16(offset + 3),
        width: try source.u16(offset + 5), height: try source.u16(offset + 7)),
      isInterlaced: flags & 0x40 != 0,
      palette: own.isEmpty ? palette : own,
      transparent: control.flags & 1 == 1 ? control.transparent : nil,
      disposal: [2: .isCleared, 3: .isTakenBack, 4: .isTakenBack][control.flags >> 2 & 7] ?? .stays,
      delay: control.delay, data: own.upperBound)
    (offset, isInFrame, control) = (own.upperBound + 1, true, GIFBlocks.noControl)
    return frame
  }

  private static func colorTableSize(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }

  private func endOfSubBlocks(from start: Int) throws(RenderFailure) -> Int {
    var offset = start
    while true {
      let size = try source.u8(offset)
      offset += 1 + size
      if size == 0 { return offset }
    }
  }
}
