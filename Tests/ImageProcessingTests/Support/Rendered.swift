import Foundation
import TestSupport

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// One result as a test looks at it.
struct Rendered {
  var format: ImageFormat
  var width: Int
  var height: Int
  var note: String?
  var bytes: [UInt8]

  /// Decoded again.
  func image() throws -> Raster { try decoded(bytes, format) }

  var size: String { "\(width)x\(height)" }
}

/// By libvips, whole.
func decoded(_ bytes: [UInt8], _ format: ImageFormat = .png, isStrict: Bool = true) throws -> Raster {
  try VipsSource(bytes).image(format, shrink: 1, isStrict: isStrict).inMemory()
}

/// - Throws: the result's `RenderFailure`; `KeptOriginal` where the source itself is the result.
func render(
  _ source: [UInt8], _ steps: [RenderStep], _ encoding: RenderRequest.Encoding = .png,
  input: RenderRequest.Input = .encoded, embedded: EmbeddedUse = .client, keepsGamut: Bool = false,
  drawsFrames: Bool? = nil, drawing: Drawing = .device, limits: RenderLimits = RenderLimits(),
  formats: Set<ImageFormat> = ImageFormat.trusted, isStrict: Bool = false
) throws -> Rendered {
  let output = RenderOutput(
    steps: steps, encoding: encoding, embedded: embedded, keepsGamut: keepsGamut, drawsFrames: drawsFrames
  ).drawn(by: drawing)
  let request = RenderRequest(
    input: input, outputs: [output], limits: limits, formats: formats, isStrict: isStrict)
  let (answer, payloads) = ImageRenderer.render(request, source)
  switch answer.outputs[0] {
  case .failed(let failure): throw failure
  case .original, .pixels: throw KeptOriginal()
  case .encoded(let format, let width, let height, let count, let note):
    precondition(payloads.map(\.count) == [count])
    return Rendered(format: format, width: width, height: height, note: note, bytes: payloads[0])
  }
}

struct KeptOriginal: Error {}

/// The code that checking the source's own bytes ends with; nil where they are fine.
func proof(_ source: [UInt8], isStrict: Bool = false) -> RenderFailure.Code? {
  let request = RenderRequest(
    outputs: [.init(steps: [], encoding: .original)], formats: Set(ImageFormat.allCases), isStrict: isStrict)
  guard case .failed(let failure) = ImageRenderer.render(request, source).answer.outputs[0] else {
    return nil
  }
  return failure.code
}

func failure(_ work: () throws -> Rendered) -> RenderFailure.Code? {
  do {
    _ = try work()
    return nil
  } catch {
    return (error as? RenderFailure)?.code
  }
}

enum Corpus {
  static var isHere: Bool { Fixtures.corpus != nil }

  /// Name and bytes of the files of one part, by name.
  static func files(_ part: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = Fixtures.corpus?.appendingPathComponent(part) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }
}

extension RenderStep {
  static func resize(
    _ width: Double, _ height: Double, _ mode: ContentMode = .aspectFill, crop: Bool = false,
    upscale: Bool = false, cropEnlarges: Bool = false
  ) -> RenderStep {
    .resize(
      width: width, height: height, contentMode: mode, crop: crop, upscale: upscale,
      cropEnlarges: cropEnlarges)
  }

  static func resizing(_ width: Double, _ height: Double, _ mode: ContentMode? = nil) -> RenderStep {
    .resizing(Resizing(width: width, height: height, contentMode: mode, scale: 1))
  }

  static func thumbnail(_ side: Double, ifAbsent: Bool = true, always: Bool = true) -> RenderStep {
    .thumbnail(size: .maxPixelSize(side), fromImageIfAbsent: ifAbsent, fromImageAlways: always)
  }
}
