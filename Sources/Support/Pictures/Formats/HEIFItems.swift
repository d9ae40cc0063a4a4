/// What HEIF and AVIF pictures say beside their samples, and libheif 1.15 leaves to others.
package struct VideoFacts: Sendable, Hashable {
  /// Grey, whose black is 16 of 255 and whose white is 235.
  package var isGrey = false, isLimited = false
  /// Its colours are weighted by alpha.
  package var isPremultiplied = false
  /// It is turned or mirrored by a property, not by EXIF.
  package var isTurned = false
  /// What it has that would be drawn in wrong colours, or lose its alpha.
  package var unknown: String?
  /// The alpha picture does not say how large it is, and libheif leaves it out.
  package var hasLostAlpha = false
}

/// The items of a file's `meta` box: what belongs to the picture, and what to its alpha, tiles and thumbnails.
struct HEIFItems {
  /// In the order of `ipco`.
  private(set) var properties: [(type: Int, body: Range<Int>)] = []
  private var primary = 0
  /// Numbers of properties, from 1 on.
  private var associations: [Int: [Int]] = [:]
  private var references: [(type: Int, from: Int, to: Int)] = []
  /// Where an item's data begin in the file.
  private var offsets: [Int: Int] = [:]

  /// ISO/IEC 14496-12, section 8.11; ISO/IEC 23008-12, section 9.3.
  mutating func read(_ source: HeaderBytes, _ type: Int, _ body: Range<Int>) throws(RenderFailure) {
    switch type {
    case fourCharacters("pitm") where body.count >= 6:
      primary = try source.number(body.lowerBound + 4, size: try idSize(source, body))
    case fourCharacters("iloc") where body.count >= 8: try readOffsets(source, body)
    case fourCharacters("iref") where body.count >= 4:
      let size = try idSize(source, body)
      try ImageHeader.walkBoxes(source, body.dropFirst(4)) { (type, entry) throws(RenderFailure) in
        guard entry.count >= 2 * size + 2 else { return }
        let from = try source.number(entry.lowerBound, size: size)
        let to = try source.number(entry.lowerBound + size + 2, size: size)
        references.append((type, from, to))
      }
    case fourCharacters("iprp"):
      try ImageHeader.walkBoxes(source, body) { (type, body) throws(RenderFailure) in
        switch type {
        case fourCharacters("ipco"):
          try ImageHeader.walkBoxes(source, body) { properties.append(($0, $1)) }
        case fourCharacters("ipma") where body.count >= 8: try readAssociations(source, body)
        default: break
        }
      }
    default: break
    }
  }

  private func idSize(_ source: HeaderBytes, _ body: Range<Int>) throws(RenderFailure) -> Int {
    try source.u8(body.lowerBound) == 0 ? 2 : 4
  }

  /// ISO/IEC 14496-12, section 8.11.3.
  private mutating func readOffsets(_ source: HeaderBytes, _ body: Range<Int>) throws(RenderFailure) {
    let (version, sizes) = (try source.u8(body.lowerBound), try source.u16(body.lowerBound + 4))
    let (ofOffset, ofLength, ofBase) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let (ofIndex, ofID, ofMethod) = (version > 0 ? sizes & 15 : 0, version < 2 ? 2 : 4, version > 0 ? 2 : 0)
    let ofHead = ofID + ofMethod + 2 + ofBase
    var at = body.lowerBound + 6 + ofID
    while at + ofHead + 2 + ofIndex + ofOffset <= body.upperBound {
      let item = try source.number(at, size: ofID)
      let extents = try source.u16(at + ofHead)
      // Other ways to say it are those of derived pictures.
      if extents > 0, try source.number(at + ofID, size: ofMethod) & 15 == 0 {
        let base = try source.number(at + ofHead - ofBase, size: ofBase)
        offsets[item] = base &+ (try source.number(at + ofHead + 2 + ofIndex, size: ofOffset))
      }
      at += ofHead + 2 + extents * (ofIndex + ofOffset + ofLength)
    }
  }

  private mutating func readAssociations(
    _ source: HeaderBytes, _ body: Range<Int>
  ) throws(RenderFailure) {
    let (idSize, size) = (try idSize(source, body), try source.u8(body.lowerBound + 3) & 1 + 1)
    var offset = body.lowerBound + 8
    while offset + idSize < body.upperBound {
      let item = try source.number(offset, size: idSize)
      let first = offset + idSize + 1
      offset = first + size * (try source.u8(first - 1))
      guard offset <= body.upperBound else { return }
      for at in stride(from: first, to: offset, by: size) {
        // The upper bit says that it is essential.
        associations[item, default: []].append(
          try source.number(at, size: size) & (size == 1 ? 0x7F : 0x7FFF))
      }
    }
  }

  /// Of an item.
  private func properties(of item: Int) -> [(type: Int, body: Range<Int>)] {
    associations[item, default: []].compactMap {
      properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil
    }
  }

  /// The space of the picture's colours where no profile says it, and what else has to be known to draw it.
  func colors(_ source: HeaderBytes) throws(RenderFailure) -> (PictureSpace?, VideoFacts) {
    var facts = VideoFacts()
    var (bits, nclx, hasProfile, isMirrored): (Int, [Int]?, Bool, Bool) = (8, nil, false, false)
    let tile = references.first { $0.type == fourCharacters("dimg") && $0.from == primary }?.to
    // A picture of tiles has the coding of its first, and what it says itself comes before what that says.
    for (type, body) in (tile.map(properties) ?? []) + properties(of: primary) {
      let at = body.lowerBound
      switch type {
      case fourCharacters("av1C") where body.count >= 4:
        let flags = try source.u8(at + 2)
        (facts.isGrey, bits) = (flags & 0x10 != 0, flags & 0x40 != 0 ? 10 : 8)
        // An `nclx` box comes before them.
        if nclx == nil, let start = offsets[tile ?? primary] {
          nclx = try? AV1Sequence.colors(source, at: start)
        }
      case fourCharacters("hvcC") where body.count >= 23:
        (facts.isGrey, bits) = (try source.u8(at + 16) & 3 == 0, try source.u8(at + 17) & 7 + 8)
      case fourCharacters("irot") where body.count >= 1:
        if try source.u8(at) & 3 != 0 { facts.isTurned = true }
      case fourCharacters("imir"): (facts.isTurned, isMirrored) = (true, true)
      case fourCharacters("colr") where body.count >= 11:
        let kind = try source.tag(at)
        hasProfile = hasProfile || kind == fourCharacters("prof") || kind == fourCharacters("rICC")
        guard kind == fourCharacters("nclx") else { continue }
        nclx = try [4, 6, 8].map { offset throws(RenderFailure) in try source.u16(at + offset) }
        nclx?.append(try source.u8(at + 10) >> 7)
      default: break
      }
    }
    let alpha = references.first { reference in
      reference.type == fourCharacters("auxl") && reference.to == primary
        && properties(of: reference.from).contains { Self.isAlpha(source, $0.type, $0.body) }
    }?.from
    facts.hasLostAlpha =
      alpha.map { properties(of: $0).allSatisfy { $0.type != fourCharacters("ispe") } } ?? false
    // Measured: libheif 1.15 turns and mirrors the picture, but not its alpha, and mirrors 8 bits alone.
    if alpha != nil, facts.isTurned { facts.unknown = "transparency beside a turn or a mirror (irot, imir)" }
    if isMirrored, bits > 8 { facts.unknown = "a mirror (imir) of more than 8 bits" }
    facts.isPremultiplied = references.contains { $0.type == fourCharacters("prem") && $0.from == primary }
    guard let nclx else { return (nil, facts) }
    facts.isLimited = facts.isGrey && nclx[3] == 0
    let space = PictureSpace(primaries: nclx[0], transfer: nclx[1])
    if !facts.isGrey {
      facts.unknown =
        facts.unknown ?? Self.unknown(matrix: nclx[2], isLimited: nclx[3] == 0, isDeep: bits > 8)
    }
    if space == nil, !hasProfile {
      facts.unknown =
        PictureSpace.dynamicRange(transfer: nclx[1]) ?? "the colours \(nclx[0])/\(nclx[1]) of ITU-T H.273"
    }
    return (space, facts)
  }

  static func isAlpha(_ source: HeaderBytes, _ type: Int, _ body: Range<Int>) -> Bool {
    // Ends in "alpha" in its URN of MPEG-B, in ":auxid:1" in that of HEVC.
    let text = source.bytes[body].dropFirst(4).prefix(64)
    return type == fourCharacters("auxC") && (text.holds("alpha") || text.holds("auxid:1"))
  }

  /// Measured: libheif 1.15 does not take RGB and YCgCo as they are, and takes others for BT.601.
  private static func unknown(matrix: Int, isLimited: Bool, isDeep: Bool) -> String? {
    switch matrix {
    case 0 where isLimited: "RGB of limited range"
    case 8 where isDeep: "YCgCo of more than 8 bits"
    case 10, 11, 13...65_535: "the matrix \(matrix) of ITU-T H.273"
    default: nil
    }
  }
}
