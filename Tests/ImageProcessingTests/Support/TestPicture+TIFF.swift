/// What a TIFF says of its samples (TIFF 6.0).
struct TIFFKind {
  var isDeep = false
  /// SampleFormat: 1 unsigned, 2 signed.
  var sampleFormat = 1
  /// ExtraSamples: 0 unspecified, 1 premultiplied alpha, 2 alpha; nil leaves the entry out.
  var extraSamples: Int?
  var profile: [UInt8] = []
  /// 256 colours in the picture's one band; three times as many numbers of 16 bits.
  var colorMap: [Int] = []
}

extension TestPicture {
  /// Big-endian, one strip, not compressed; the blocks that entries point to come behind the pixels, the profile last.
  func tiff(_ kind: TIFFKind = TIFFKind()) -> [UInt8] {
    let pixels = kind.isDeep ? samples.flatMap { [$0, $0] } : samples
    let photometric = !kind.colorMap.isEmpty ? 3 : bands < 3 ? 1 : 2
    var entries: [(tag: Int, type: Int, values: [Int])] = [
      (256, 4, [width]), (257, 4, [height]),
      (258, 3, [Int](repeating: kind.isDeep ? 16 : 8, count: bands)), (259, 3, [1]), (262, 3, [photometric]),
      (273, 4, [8]), (277, 3, [bands]), (278, 4, [height]), (279, 4, [pixels.count]),
    ]
    if !kind.colorMap.isEmpty { entries.append((320, 3, kind.colorMap)) }
    if let extra = kind.extraSamples { entries.append((338, 3, [extra])) }
    entries.append((339, 3, [Int](repeating: kind.sampleFormat, count: bands)))
    if !kind.profile.isEmpty { entries.append((34_675, 7, kind.profile.map(Int.init))) }

    let directory = 8 + pixels.count + pixels.count % 2
    var blocks: [UInt8] = []
    let blocksAt = directory + 2 + 12 * entries.count + 4
    var lines: [UInt8] = [0, UInt8(entries.count)]
    for entry in entries {
      let bytes = entry.values.flatMap { value in
        switch entry.type {
        case 3: [UInt8(value >> 8 & 255), UInt8(value & 255)]
        case 4: bigEndian(value)
        default: [UInt8(value)]
        }
      }
      lines +=
        [UInt8(entry.tag >> 8), UInt8(entry.tag & 255), 0, UInt8(entry.type)] + bigEndian(entry.values.count)
      if bytes.count <= 4 {
        lines += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        lines += bigEndian(blocksAt + blocks.count)
        blocks += bytes
      }
    }
    let padding = [UInt8](repeating: 0, count: pixels.count % 2)
    return [0x4D, 0x4D, 0, 42] + bigEndian(directory) + pixels + padding + lines + bigEndian(0) + blocks
  }
}
