@testable import ImageProcessing
@testable import Pictures

extension TestPicture {
  /// As libvips reads it.
  func raster() throws -> Raster { try decoded(png()) }

  /// Through our own encoder.
  func jpeg(quality: Int = 90) throws -> [UInt8] {
    try render(png(), [], .jpeg(quality: quality)).bytes
  }

  /// Through libvips.
  func webp() throws -> [UInt8] { try render(png(), [], .recipe(EncodingRecipe(.webp(.init())))).bytes }

  /// GIF89a, every frame the same picture in 128 shades of grey of its first band.
  func gif(frames: Int = 1) -> [UInt8] {
    let size = littleEndian(width) + littleEndian(height)
    var bytes = Array("GIF89a".utf8) + size + [0xF6, 0, 0]
    for shade in 0..<128 { bytes += [UInt8](repeating: UInt8(shade * 2), count: 3) }
    for _ in 0..<frames { bytes += [0x2C, 0, 0, 0, 0] + size + [0, 7] + imageData() }
    return bytes + [0x3B]
  }

  /// LZW codes of eight bits that never grow: the table is cleared in time.
  private func imageData() -> [UInt8] {
    var codes: [UInt8] = []
    for index in 0..<width * height {
      if index % 100 == 0 { codes.append(128) }
      codes.append(samples[index * bands] / 2)
    }
    codes.append(129)
    var blocks: [UInt8] = []
    for start in stride(from: 0, to: codes.count, by: 255) {
      let block = codes[start..<min(start + 255, codes.count)]
      blocks += [UInt8(block.count)] + block
    }
    return blocks + [0]
  }

  private func littleEndian(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
}

/// One transparent pixel, lossless.
let tinyWebP: [UInt8] = [
  0x52, 0x49, 0x46, 0x46, 0x1A, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4C, 0x0D, 0, 0, 0, 0x2F,
  0, 0, 0, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0,
]
