import CVips
import Rendering

extension WorkerCapabilities {
  /// Tries every encoder on a small picture: libheif says only then what it has.
  static func probe(isConfined: Bool) -> WorkerCapabilities {
    WorkerCapabilities(
      version: PreheatVersion.text, libvips: VipsLibrary.version,
      decodes: ImageFormat.allCases.filter(\.canBeDecoded), encodes: encodable(), isConfined: isConfined)
  }

  private static func encodable() -> [ImageFormat] {
    let recipes: [EncodingRecipe.Format] = [
      .jpeg(.init()), .png(.init()), .webp(.init()), .heic(quality: 50), .avif(quality: 50),
    ]
    let pixels = RenderPixels(width: 16, height: 16, channels: 3)
    guard let image = try? VipsImage.of(pixels, [UInt8](repeating: 255, count: pixels.byteCount)) else {
      return []
    }
    return recipes.compactMap { recipe in
      let encoder = OutputEncoder(
        encoding: .recipe(EncodingRecipe(recipe)), source: nil, deadline: Deadline(seconds: 10))
      return (try? encoder.encode(image))?.format
    }
  }
}

extension ImageFormat {
  fileprivate var canBeDecoded: Bool {
    let operation =
      switch self {
      case .jpeg: "jpegload_buffer"
      case .png: "pngload_buffer"
      case .gif: "gifload_buffer"
      case .webp: "webpload_buffer"
      case .tiff: "tiffload_buffer"
      case .heif, .avif: "heifload_buffer"
      }
    return pv_has_operation(operation) != 0
  }
}
