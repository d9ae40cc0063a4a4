import Foundation

extension FormatFacts {
  static let jpeg = FormatFacts(
    name: "JPEG", isTrusted: true, drawingVersion: 6, uniformType: "public.jpeg",
    // libjpeg's JPEG_MAX_DIMENSION.
    longestWrittenSide: 65_500,
    loader: "jpegload_buffer", shrinking: "shrink",
    // A multi-scan picture keeps all its coefficients, two bytes each.
    decoderMemory: { header, _, strip in header.isInterlaced ? product(header.storedSamples, 2) : strip },
    begins: { $0.starts(with: [0xFF, 0xD8, 0xFF]) },
    readHeader: ImageHeader.readJPEG, checkStructure: PictureStructure.checkJPEG)
}

extension ImageHeader {
  /// Walks the segments to the frame header (ITU-T T.81, B.1.1), and on through the scans to the end
  /// mark. Junk and fill bytes between segments are skipped, as libjpeg does.
  static func readJPEG(_ source: HeaderBytes) throws(RenderFailure) -> ImageHeader {
    var header: ImageHeader?
    var componentCount = 0
    var hasCodes = false
    var (exif, xmp): (Range<Int>?, Range<Int>?)
    var (pieces, allPieces, isOrderly): ([Range<Int>], Int, Bool) = ([], 0, true)
    var (offset, end) = (2, 2)
    while let marker = nextMarker(source, from: &offset) {
      // Nothing in between, no other coding, and nothing that has no segment.
      isOrderly = isOrderly && offset == end + 2 && ![0x01, 0xC9, 0xCA, 0xCC, 0xDC].contains(marker)
      let segment = offset + 2..<offset + max((try? source.u16(offset)) ?? 2, 2)
      switch marker {
      case 0x01, 0xD0...0xD7: continue  // stand alone
      case 0xD8: throw source.damaged("has a second start inside")
      case 0xD9: throw source.damaged("ends before it holds a picture")
      case 0xDA:
        guard var header else { throw source.damaged("has image data before its size") }
        // Frames of Motion JPEG leave out the standard's own. No device of Apple's puts them in.
        guard hasCodes else { throw otherKind("a JPEG without Huffman tables") }
        let length = try segmentLength(source, offset)
        // One scan that lacks components means that others follow, and libjpeg keeps everything
        // until they came, just as it does for a progressive picture.
        if try source.u8(offset + 2) < componentCount { header.isInterlaced = true }
        (header.exif, header.xmp) = (exif, xmp)
        if isOrderly, pieces.count == allPieces { header.profilePieces = pieces }
        header.isComplete = try reachesEnd(source, from: offset + length)
        return header
      case 0xC4: hasCodes = true
      case 0xCC: break  // arithmetic conditioning
      case 0xC0...0xC2, 0xC9, 0xCA:
        guard header == nil else { throw source.damaged("gives its size twice") }
        (header, componentCount) = try readFrame(source, marker: marker, at: offset)
        // Arithmetic codes have no tables.
        if marker > 0xC8 { hasCodes = true }
      case 0xE1 where source.bytes.has("Exif", at: offset + 2):
        if exif != nil { isOrderly = false }
        exif = exif ?? segment
      case 0xE1 where xmp == nil && source.bytes.has("http://ns.adobe.com/xap/1.0/\0", at: offset + 2):
        xmp = segment.dropFirst(29)
      case 0xE2 where source.bytes.has("ICC_PROFILE", at: offset + 2):
        // Behind the name stand a zero, for which libvips does not ask, the piece's number and that of all.
        let numbers = source.bytes.dropFirst(offset + 13).prefix(3).map { Int($0) }
        if pieces.isEmpty { allPieces = numbers.last ?? 0 }
        isOrderly = isOrderly && segment.count > 14 && numbers == [0, pieces.count + 1, allPieces]
        pieces.append(segment.dropFirst(14))
      case 0xDB...0xDD, 0xE0...0xEF, 0xFE: break
      default: throw otherKind(marker)
      }
      offset += try segmentLength(source, offset)
      end = offset
    }
    // The size is known but no data follow: a decoder would only find out later.
    throw source.end()
  }

  /// What libjpeg does not read.
  private static func otherKind(_ marker: Int) -> RenderFailure {
    switch marker {
    case 0xC3, 0xC7, 0xCB, 0xCF: otherKind("a lossless JPEG")
    case 0xC5, 0xC6, 0xCD, 0xCE, 0xDE, 0xDF: otherKind("a hierarchical JPEG")
    case 0xF7, 0xF8: otherKind("a JPEG-LS picture")
    default:
      otherKind(
        "a JPEG with the marker FF\(marker < 16 ? "0" : "")\(String(marker, radix: 16, uppercase: true))")
    }
  }

  private static func otherKind(_ name: String) -> RenderFailure {
    RenderFailure(
      .format, "this is \(name), a kind that is not decoded",
      advice: "save it as a baseline or progressive JPEG with 8 bits a channel")
  }

  /// The code of the next marker; `offset` is moved behind it. Nil at the end of the bytes.
  fileprivate static func nextMarker(_ source: HeaderBytes, from offset: inout Int) -> Int? {
    while let mark = find(0xFF, in: source.bytes, from: offset) {
      offset = mark + 1
      while offset < source.count, source.bytes[offset] == 0xFF { offset += 1 }
      guard offset < source.count else { return nil }
      let code = Int(source.bytes[offset])
      offset += 1
      if code != 0 { return code }
    }
    return nil
  }

  fileprivate static func segmentLength(_ source: HeaderBytes, _ offset: Int) throws(RenderFailure) -> Int {
    let length = try source.u16(offset)
    guard length >= 2 else { throw source.damaged("has a segment of \(length) bytes") }
    return length
  }

  /// A frame header (T.81, B.2.2); its length field lies at `offset`.
  private static func readFrame(
    _ source: HeaderBytes, marker: Int, at offset: Int
  ) throws(RenderFailure) -> (ImageHeader, componentCount: Int) {
    let bits = try source.u8(offset + 2)
    guard bits == 8 else { throw otherKind("a JPEG of \(bits) bits a channel") }
    let (height, width) = (try source.u16(offset + 3), try source.u16(offset + 5))
    guard height > 0 else { throw otherKind("a JPEG whose height stands behind its data (DNL)") }
    let count = try source.u8(offset + 7)
    guard (1...4).contains(count), try segmentLength(source, offset) >= 8 + 3 * count else {
      throw source.damaged("has \(count) colour components")
    }
    let factors = try (0..<count).map { index throws(RenderFailure) in
      let factor = try source.u8(offset + 9 + 3 * index)
      guard (1...4).contains(factor >> 4), (1...4).contains(factor & 15) else {
        throw source.damaged("has an impossible subsampling")
      }
      return (horizontal: factor >> 4, vertical: factor & 15)
    }
    let widest = factors.map(\.horizontal).max() ?? 1
    let tallest = factors.map(\.vertical).max() ?? 1
    guard factors.allSatisfy({ widest % $0.horizontal == 0 && tallest % $0.vertical == 0 }) else {
      throw otherKind("a JPEG whose channels lie between each other's pixels (fractional sampling)")
    }
    let samples = factors.reduce(0) { sum, factor in
      sum
        + (width * factor.horizontal + widest - 1) / widest
        * ((height * factor.vertical + tallest - 1) / tallest)
    }
    let header = ImageHeader(
      format: .jpeg, width: width, height: height,
      isInterlaced: marker & 3 == 2,
      bitsPerSample: bits, channels: count, hasAlpha: false, planeSamples: samples,
      isComplete: false)
    return (header, count)
  }

  /// More keep a decoder busy for long (LJT-01-003 of libjpeg-turbo's audit), and libvips takes no more either.
  private static let mostScans = 100

  /// Whether an end mark follows the scan data that begin at `offset`.
  private static func reachesEnd(_ source: HeaderBytes, from offset: Int) throws(RenderFailure) -> Bool {
    var offset = offset
    var scans = 1
    while let marker = nextMarker(source, from: &offset) {
      switch marker {
      case 0xD9: return true
      case 0x01, 0xD0...0xD8: continue
      default:
        if marker == 0xDA { scans += 1 }
        if scans > mostScans { throw RenderFailure(.limit, "the JPEG has more than \(mostScans) scans") }
        guard let length = try? segmentLength(source, offset) else { return false }
        offset += length
      }
    }
    return false
  }

  private static func find(_ byte: UInt8, in bytes: [UInt8], from offset: Int) -> Int? {
    guard offset < bytes.count else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress,
        // fits: a byte.
        let hit = memchr(start + offset, Int32(byte), buffer.count - offset)
      else { return nil }
      return start.distance(to: UnsafeRawPointer(hit))
    }
  }
}

extension PictureStructure {
  /// Every scan up to the end mark has data.
  static func checkJPEG(_ source: HeaderBytes) throws(RenderFailure) {
    var offset = 2
    while let marker = ImageHeader.nextMarker(source, from: &offset), marker != 0xD9 {
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      offset += try ImageHeader.segmentLength(source, offset)
      // Behind the head of a scan.
      if marker == 0xDA, try source.u8(offset) == 0xFF, try source.u8(offset + 1) != 0 {
        throw RenderFailure(.truncated, "the JPEG picture has a scan without data, at byte \(offset)")
      }
    }
  }
}
