import CDraw
import CVips
import Pictures

/// What a decoder's rows are.
struct RowFormat {
  var width: Int
  var height: Int
  /// An even number has alpha.
  var bands: Int
  /// That the numbers are meant in; empty for sRGB and grey.
  var profile: [UInt8]
}

/// One way through a picture's rows, from top to bottom, on which results are drawn as Core Graphics draws them.
final class DrawingPass: RowTaker {
  /// In the order of the placements; done when all rows have been taken.
  private(set) var canvases: [Raster] = []
  private let handle: OpaquePointer

  /// - Parameters:
  ///   - placements: on the picture as its rows are stored.
  ///   - reducesFirst: thumbnails are made as ImageIO makes those of a PNG.
  init(_ rows: RowFormat, _ placements: [Placement], reducesFirst: Bool = false) throws(RasterFailure) {
    // fits: a decoder's sizes, and those of results, have 32 bits.
    guard let handle = pd_pass_new(Int32(rows.width), Int32(rows.height), Int32(rows.bands)) else {
      throw DrawingPass.noMemory
    }
    self.handle = handle
    for placement in placements {
      let clears = placement.isClear && rows.bands % 2 == 1
      canvases.append(try add(placement, rows, bands: rows.bands + (clears ? 1 : 0), reducesFirst))
    }
  }

  deinit { pd_pass_free(handle) }

  /// Test hook: draws with the loops that every processor has.
  func usePlainLoops() { pd_pass_use_plain_loops(handle) }

  static let noMemory = RasterFailure(isMemory: true, detail: "no memory to draw")

  private func add(
    _ placement: Placement, _ rows: RowFormat, bands: Int, _ reducesFirst: Bool
  ) throws(RasterFailure) -> Raster {
    var layout = pd_layout(
      x: placement.x, y: placement.y, width: placement.width, height: placement.height,
      canvas_width: Int32(placement.canvas.width), canvas_height: Int32(placement.canvas.height),
      reduces_first: reducesFirst && placement.isThumbnail ? 1 : 0)
    let canvas = try Canvas(
      RowFormat(
        width: placement.canvas.width, height: placement.canvas.height, bands: bands, profile: rows.profile))
    guard let pixels = canvas.pixels.baseAddress,
      pd_pass_add(handle, &layout, pixels.assumingMemoryBound(to: UInt8.self), Int32(bands)) == 0
    else { throw DrawingPass.noMemory }
    return Raster(canvas)
  }

  /// Takes all rows of an image with 8 bits a channel; of a lazy one they are decoded meanwhile.
  func take(_ image: Raster) throws(RasterFailure) {
    if let rows = image.rowsOfCanvas, let pixels = image.stored {
      let isTaken = take(
        rows: pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), stride: rows.width * rows.bands,
        count: Int32(rows.height))
      guard isTaken else { throw DrawingPass.noMemory }
      return
    }
    try Raster.check(vips.rows(image.handle, DrawingPass.take, UnsafeMutableRawPointer(handle)))
  }

  private static let take: pv_take = { pass, rows, stride, count in
    pd_pass_rows(pass.map { OpaquePointer($0) }, rows, stride, count)
  }

  func take(rows: UnsafePointer<UInt8>?, stride: Int, count: Int32) -> Bool {
    pd_pass_rows(handle, rows, stride, count) == 0
  }
}
