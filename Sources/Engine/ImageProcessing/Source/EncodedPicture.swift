import CJPEG
import CVips
import Pictures

/// For which results a picture is decoded together.
struct DecodedSize: Hashable {
  /// How many stored pixels a side become one: 1, 2, 4 or 8.
  var divisor: Int
  /// They are drawn as devices do it.
  var isDevices: Bool
}

/// A picture's bytes as they came, and what decodes them.
final class EncodedPicture {
  let header: ImageHeader
  /// A frame of a GIF lacks a part of its last row.
  var isRagged: Bool { gif?.isRagged ?? false }
  /// There is no more than that.
  let isHead: Bool

  /// The file has a profile for other colours, or one that cannot be used, which is left alone; nil until its profile has
  /// been asked for.
  private(set) var hasForeignProfile: Bool?
  /// Where EXIF says nothing of it and XMP does: 2 to 8. Known with the facts.
  private(set) var xmpOrientation: Int?
  /// The file says what makes no sense of its colours, which is left alone.
  private(set) var hasOddColors: Bool

  private let isStrict: Bool
  private var isMended = false
  /// The first thing that the decoder found odd.
  private(set) var complaint: String?

  /// Both nil once libvips has taken over, which it does for good.
  private var plain: PlainJPEG?
  private var still: PlainStill?
  private let gif: GIFPicture?
  /// Of a block that our parser found in a PNG, which libvips may not know.
  private let exifOrientation: Int?
  /// Of a JPEG; empty without one.
  private let block: [UInt8]
  /// The picture's own XMP; empty without any.
  private let xmp: [UInt8]
  /// Until libvips has a copy of them; a JPEG may have to be mended yet.
  private var bytes: [UInt8]
  private var source: VipsSource?

  init(_ bytes: [UInt8], header: ImageHeader, isStrict: Bool, isHead: Bool) {
    self.header = header
    self.isStrict = isStrict
    self.isHead = isHead
    hasOddColors = header.hasOddColors
    func part(_ range: Range<Int>?) -> [UInt8] {
      range.map { Array(bytes[$0.clamped(to: bytes.indices)]) } ?? []
    }
    (block, xmp) = (header.format == .jpeg ? part(header.exif) : [], part(header.xmp))
    exifOrientation = header.format == .jpeg ? nil : header.exif.map { EXIFBlock.orientation(in: bytes[$0]) }
    gif = header.format == .gif ? GIFPicture(bytes, header, isStrict: isStrict) : nil
    self.bytes = bytes
    findPlain()
    still = PlainStill(bytes, header)
  }

  private func findPlain() {
    guard header.format == .jpeg, let plain = PlainJPEG(bytes, isMended ? nil : header),
      plain.width == header.width,
      plain.height == header.height
    else { return }
    self.plain = plain
    if hasForeignProfile == true { self.plain?.profile = [] }
  }

  /// Leaves a profile alone that is of no use. libvips is asked, which is opened for any other profile too.
  private func judgeProfile() throws(RasterFailure) {
    guard hasForeignProfile == nil, var dot = plain?.rows() ?? still?.rows, !dot.profile.isEmpty else {
      return
    }
    (dot.width, dot.height) = (1, 1)
    hasForeignProfile = Raster(try Canvas(dot)).hasForeignProfile
    guard hasForeignProfile == true else { return }
    plain?.profile = []
    still?.rows.profile = []
  }

  private func takeOver() -> VipsSource {
    if let source { return source }
    let source = VipsSource(bytes)
    if header.format != .jpeg || isMended { bytes = [] }
    (plain, still, self.source) = (nil, nil, source)
    return source
  }

  /// Runs work that may decode. A JPEG that something is wrong with is read once more when it has been mended: what
  /// libjpeg does about damage loses its bounds in libvips, which takes half a picture and refuses a hundred warnings.
  ///
  /// - Throws: of a JPEG, what has lost a part of the picture; where decoding is strict, all that is odd.
  func reading<Result>(_ work: (EncodedPicture) throws -> Result) throws -> Result {
    let canBeMended = header.format == .jpeg && !isHead
    if canBeMended, !isMended, !header.isComplete { try mend() }
    do {
      let result = try work(self)
      let warning = source == nil ? nil : RasterFailure.takeWarning()
      // Of the last rows libvips only warns.
      if canBeMended, !isMended, let warning { throw RasterFailure(isMemory: false, detail: warning) }
      complaint = complaint ?? warning
      return result
    } catch {
      guard canBeMended, !isMended, (error as? RasterFailure)?.isMemory == false else { throw error }
      try mend()
      return try work(self)
    }
  }

  private func mend() throws(RasterFailure) {
    isMended = true
    let mended = try MendedJPEG(bytes, hasEnd: header.isComplete)
    // libjpeg says nothing of some codes that do not fit, and of a few bytes.
    complaint = mended.complaint ?? (header.isComplete ? "codes or bytes that do not belong there" : nil)
    if isStrict, let complaint { throw RasterFailure(isMemory: false, detail: complaint) }
    (bytes, source) = (mended.bytes, nil)
    findPlain()
  }

  /// libvips takes what our own decoder does not, once it has been mended.
  private func giveUpPlain() throws(RasterFailure) {
    guard isMended || plain == nil else { throw RasterFailure(isMemory: false, detail: "libjpeg warns") }
    // libvips does not look at it.
    if let still, still.hasWrongSum(bytes) {
      complaint = complaint ?? "the checksum of its data is wrong"
      if isStrict { throw RasterFailure(isMemory: false, detail: "the checksum of its data is wrong") }
    }
    (plain, still) = (nil, nil)
  }

  /// What a decoder makes of the header. The pixels are those of the file as stored.
  typealias Facts = (width: Int, height: Int, isGrey: Bool, hasAlpha: Bool, orientation: Int)

  func facts() throws(RasterFailure) -> Facts {
    if let plain {
      if !plain.hasOrientation { xmpOrientation = XMPPacket.orientation(in: xmp) }
      return (plain.width, plain.height, plain.bands < 3, false, plain.orientation)
    }
    if let gif {
      try gif.requireWhole()
      return (gif.width, gif.height, false, gif.stillHasAlpha, 1)
    }
    if let still, still.isBare {
      let told = still.exif.isEmpty ? exifOrientation ?? 0 : still.orientation
      if told == 0 { xmpOrientation = XMPPacket.orientation(in: xmp) }
      let rows = still.rows
      return (rows.width, rows.height, rows.bands < 3, rows.bands % 2 == 0, max(told, 1))
    }
    let image = try headed()
    let orientation = image.orientation == 1 ? max(exifOrientation ?? 1, 1) : image.orientation
    if !xmp.isEmpty, orientation == 1, (exifOrientation ?? 0) == 0 {
      let exif = image.exif
      let isGiven = !exif.isEmpty && EXIFBlock.orientation(in: exif) != 0
      xmpOrientation = isGiven ? nil : XMPPacket.orientation(in: xmp)
    }
    return (image.width, image.height, image.bands < 3, image.hasAlpha, orientation)
  }

  /// The picture as libvips sees its header; of a still its pixels are not wanted.
  private func headed() throws(RasterFailure) -> Raster {
    guard still != nil else { return try image() }
    let image = try understood(VipsSource(bytes).image(header.format, shrink: 1, isStrict: isStrict))
    complaint = complaint ?? RasterFailure.takeWarning()
    still?.rows.profile = image.rowFormat.profile
    still?.exif = image.exif
    return image
  }

  /// The profile of its numbers; empty for sRGB and grey.
  func profile() throws(RasterFailure) -> [UInt8] {
    try judgeProfile()
    if let profile = plain?.profile ?? still?.rows.profile { return profile }
    return try image().rowFormat.profile
  }

  /// The EXIF block; empty without one.
  func exif() throws(RasterFailure) -> [UInt8] {
    if header.format == .jpeg { return block }
    if let still { return still.exif }
    return try image().exif
  }

  /// Hands all rows of the picture out, decoded once.
  ///
  /// - Parameter wanted: where the results lie on the stored picture.
  /// - Returns: the results, in the same order.
  func draw(_ wanted: [DecodedSize: [Placement]]) throws(RasterFailure) -> [DecodedSize: [Raster]] {
    var drawn = try scale(wanted.filter { !$0.key.isDevices })
    let wanted = wanted.filter(\.key.isDevices)
    if wanted.isEmpty { return drawn }
    try judgeProfile()
    let placements = Dictionary(uniqueKeysWithValues: wanted.map { ($0.key.divisor, $0.value) })
    if let canvases = try plain?.draw(placements, of: bytes) {
      for (size, _) in wanted { drawn[size] = canvases[size.divisor] }
      return drawn
    }
    if let placements = placements[1], let canvases = try still?.draw(placements, of: bytes) {
      drawn[DecodedSize(divisor: 1, isDevices: true)] = canvases
      return drawn
    }
    try giveUpPlain()
    for (size, placements) in wanted {
      let image = try image(shrink: size.divisor).drawable()
      drawn[size] = try image.drawn(placements, reducesFirst: header.format == .png)
    }
    return drawn
  }

  /// By libvips, which has the picture in memory, unless it is a large one that comes row by row.
  private func scale(_ wanted: [DecodedSize: [Placement]]) throws(RasterFailure) -> [DecodedSize: [Raster]] {
    if wanted.isEmpty { return [:] }
    try judgeProfile()
    let plainImages =
      try plain?.images(of: bytes, shrinks: wanted.keys.map(\.divisor), how: PJ_AS_SPECIFIED)
      ?? still?.image(of: bytes).map { [1: $0] }
    if plainImages == nil { try giveUpPlain() }
    var scaled: [DecodedSize: [Raster]] = [:]
    for (size, placements) in wanted {
      var held = plainImages?[size.divisor]
      for placement in placements {
        // What comes row by row comes once.
        let image = if let held { held } else { try image(shrink: size.divisor).drawable() }
        if image.byteCount <= PictureDecoder.heldBytes { held = try image.inMemory() }
        scaled[size, default: []].append(try (held ?? image).drawn(placement))
      }
    }
    return scaled
  }

  /// All pixels, in memory where libvips does not have them, else lazy.
  func image() throws(RasterFailure) -> Raster {
    try judgeProfile()
    if let image = plain?.image(of: bytes) ?? still?.image(of: bytes) { return image }
    try giveUpPlain()
    return try image(shrink: 1)
  }

  /// Of a GIF in memory; of others by libvips, lazily, with 1/`shrink` of the pixels a side.
  private func image(shrink: Int) throws(RasterFailure) -> Raster {
    if let gif { return try gif.still() }
    let isStrict = isStrict || (header.format == .jpeg && !isMended)
    let image = try takeOver().image(header.format, shrink: shrink, isStrict: isStrict)
    guard let shown = header.shownChannels, shown < image.bands else { return try understood(image) }
    return try understood(image.keeping(bands: shown))
  }

  /// As its header says what decoders ignore, with a profile that fits its numbers, or with none.
  private func understood(_ image: Raster) throws(RasterFailure) -> Raster {
    var image = image
    let video = header.video
    if video.isGrey, image.bands > 2 {
      image = try .make { vips.grey(image.handle, video.isLimited ? 1 : 0, $0) }
    }
    if video.isPremultiplied, image.hasAlpha { image = try .make { vips.unpremultiply(image.handle, $0) } }
    hasForeignProfile = hasForeignProfile ?? image.hasForeignProfile
    if hasForeignProfile == true { image = try image.meant(in: []) }
    guard let space = header.space, header.isSpaceOverProfile || image.rowFormat.profile.isEmpty else {
      return image
    }
    let (isGrey, gamut) = (image.bands < 3, PictureSpace.sRGB.places)
    let found = space.profile(isGrey: isGrey)
    if found == nil { hasOddColors = true }
    let profile = found ?? PictureSpace(places: gamut, curve: space.curve).profile(isGrey: isGrey) ?? []
    if profile == image.rowFormat.profile { return image }
    let meant = try image.meant(in: profile)
    // Eight bits of linear light show steps, and sRGB has all of these colours.
    return space.places == gamut && !image.is8Bit ? try meant.plain() : meant
  }

  /// Gives all frames, one after the other, each whole and upright.
  func film() throws -> (info: FilmInfo, next: () throws -> Raster) {
    if let gif { return (gif.info, try gif.film()) }
    let image = try takeOver().image(header.format, shrink: 1, isStrict: isStrict, allFrames: true)
    let info = image.filmInfo
    let frames = try understood(image)
    var index = 0
    return (
      info,
      {
        defer { index += 1 }
        return try frames.frame(index, of: info)
      }
    )
  }

  /// Decodes to the end, as cheaply as that can be done.
  func prove() throws(RasterFailure) {
    if gif != nil || isMended { return }
    if try plain?.draw([:], of: bytes) != nil { return }
    if try still?.draw([], of: bytes) != nil { return }
    try giveUpPlain()
    let leastSide = 8
    let isSmall = min(header.width, header.height) < 8 * leastSide
    try image(shrink: header.format.facts.shrinking == nil || isSmall ? 1 : 8).drain()
  }
}
