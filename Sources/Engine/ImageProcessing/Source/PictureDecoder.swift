import Glibc
import Pictures
import Rendering

/// Decodes one source as often as its results need, and knows whether its bytes are whole.
final class PictureDecoder {
  /// Nil for a picture that came as pixels.
  var format: ImageFormat? { encoded?.header.format }
  /// Upright, in pixels of the full picture.
  private(set) var width: Int
  private(set) var height: Int
  /// Nil for a picture that came as pixels.
  private(set) var info: RenderAnswer.SourceInfo?

  let isGrey: Bool

  private let encoded: EncodedPicture?
  /// A decode has reached the end of the bytes without complaint.
  private var isProven = false
  /// All pixels, once they have been asked for.
  private var held: Picture?

  /// Pictures up to this size are kept in memory for further results.
  static let heldBytes = 96 << 20
  /// libvips has no higher image.
  private static let mostRows = 10_000_000

  /// Looks at the picture's own header, in its decoder's eyes.
  init(
    _ bytes: [UInt8], header: ImageHeader, limits: RenderLimits, isStrict: Bool, isHead: Bool = false
  ) throws(RenderFailure) {
    let encoded = EncodedPicture(bytes, header: header, isStrict: isStrict, isHead: isHead)
    self.encoded = encoded
    let facts: EncodedPicture.Facts
    do { facts = try encoded.reading { try $0.facts() } } catch { throw Self.failure(error, header) }
    let isTurned = facts.orientation >= 5
    isGrey = facts.isGrey
    width = isTurned ? facts.height : facts.width
    height = isTurned ? facts.width : facts.height
    info = RenderAnswer.SourceInfo(
      format: header.format, width: facts.width, height: facts.height, orientation: facts.orientation,
      hasAlpha: facts.hasAlpha, frames: header.frames)
    // The decoder may see another size than our parser did.
    try limits.check(width: width, height: height, of: "the decoded picture")
  }

  /// Turns the picture as XMP says, where EXIF says nothing, or leaves it as it is stored. Outputs of one source may be
  /// those of several clients.
  func turn(byXMP isOn: Bool) {
    guard let xmp = encoded?.xmpOrientation, var info else { return }
    info.orientation = isOn && format == .jpeg ? xmp : 1
    let isTurned = info.orientation >= 5
    (width, height) = isTurned ? (info.height, info.width) : (info.width, info.height)
    self.info = info
    held?.orientation = info.orientation
    held?.width = width
    held?.height = height
  }

  /// The note for an orientation that is left alone.
  var orientationNote: String? {
    guard let xmp = encoded?.xmpOrientation, info?.orientation == 1 else { return nil }
    return
      "an orientation of \(xmp) stands in XMP alone: it was not turned, and whether the app turns it is not known"
  }

  /// A picture that needs no decoding: its first step draws on it as a later one does on a result.
  ///
  /// - Throws: ``RenderFailure`` with the code `worker` where bytes and description contradict each other.
  convenience init(_ pixels: RenderPixels, _ bytes: [UInt8], limits: RenderLimits) throws {
    guard (1...4).contains(pixels.channels), bytes.count == pixels.byteCount else {
      throw RenderFailure(
        .worker, "\(bytes.count) bytes are not a picture of \(pixels.width) x \(pixels.height)")
    }
    try self.init(Raster.of(pixels, bytes), limits: limits)
  }

  /// - Parameter image: in memory and upright.
  init(_ image: Raster, limits: RenderLimits) throws(RenderFailure) {
    try limits.check(width: image.width, height: image.height, of: "the picture")
    (encoded, info) = (nil, nil)
    (width, height, isGrey) = (image.width, image.height, image.bands < 3)
    held = Picture(image, note: nil)
    isProven = true
  }

  /// Hands out all frames of an animation, each whole and upright, as it shows on the frames before it.
  func frames(_ take: (Raster, FilmInfo) throws -> Void) throws {
    guard let encoded else { throw RenderFailure(.worker, "pixels have no frames") }
    try requireKnownColors()
    let rows = product(height, encoded.header.frames)
    guard rows <= Self.mostRows else {
      throw RenderFailure(
        .limit, "\(encoded.header.frames) frames of \(height) rows are too many to be drawn")
    }
    let film = try encoded.film()
    for _ in 0..<film.info.count { try take(try film.next(), film.info) }
    isProven = true
  }

  /// The whole picture in memory, its pixels as they are stored.
  func picture() throws -> Picture {
    if let held { return held }
    try requireKnownColors()
    let image = try reading { encoded in
      let image = try encoded.image()
      return try (image.is8Bit ? image : image.eightBit()).inMemory()
    }
    isProven = true
    let picture = Picture(image: image, width: width, height: height, orientation: info?.orientation ?? 1)
    if image.byteCount <= PictureDecoder.heldBytes { held = picture }
    return picture
  }

  /// The picture drawn in several places, upright, in one way through its rows.
  func draw(_ placements: [Placement]) throws -> [Picture] {
    try requireKnownColors()
    let orientation = info?.orientation ?? 1
    var wanted: [DecodedSize: [Placement]] = [:]
    var order: [(size: DecodedSize, index: Int)] = []
    for placement in placements {
      let size = DecodedSize(divisor: divisor(for: placement), isDevices: placement.drawing == .device)
      order.append((size, wanted[size, default: []].count))
      wanted[size, default: []].append(placement.stored(orientation: orientation))
    }
    let drawn =
      try encoded?.reading { try $0.draw(wanted) }
      ?? wanted.mapValues { placements in try placements.compactMap { try held?.image.drawn($0) } }
    isProven = true
    return order.compactMap { place in
      (drawn[place.size]?[place.index]).map {
        Picture(image: $0, width: $0.width, height: $0.height, orientation: orientation)
      }
    }
  }

  /// How many stored pixels a side become one while a picture is decoded that is drawn at once: as ImageIO does, the
  /// largest of 1, 2, 4 and 8 that leaves no fewer pixels than are drawn; as libvips does, twice as many.
  private func divisor(for placement: Placement) -> Int {
    let isDevices = placement.drawing == .device
    guard format?.facts.shrinking != nil, !isDevices || !placement.isBitmap else { return 1 }
    let ratio = min(Double(width) / placement.width, Double(height) / placement.height) / (isDevices ? 1 : 2)
    return [8, 4, 2].first { Double($0) <= ratio && $0 <= min(width, height) } ?? 1
  }

  /// - Throws: ``RenderFailure`` with the code `truncated` where the file is cut, or where there is only its head.
  func requireWhole() throws {
    guard let encoded, !encoded.header.isComplete else { return }
    if encoded.header.isLeftToDecoder, !isHead { return try prove() }
    throw RenderFailure(
      .truncated, "the \(encoded.header.format.name) data ends before the picture does; fetch it again")
  }

  private func requireKnownColors() throws(RenderFailure) {
    guard let header = encoded?.header, let unknown = header.video.unknown else { return }
    throw RenderFailure(.format, "\(header.format.name) pictures with \(unknown) are not drawn")
  }

  /// Decodes to the end unless that has been done.
  func prove() throws {
    if isProven { return }
    try reading { try $0.prove() }
    isProven = true
  }

  /// Only the beginning of the file is there.
  var isHead: Bool { encoded?.isHead ?? false }

  /// The thumbnail's bytes as they stand in the EXIF block; nil without one.
  func embeddedThumbnail() throws -> [UInt8]? {
    // What is in EXIF is not turned with the picture.
    guard let encoded, !encoded.header.video.isTurned, encoded.header.video.unknown == nil else { return nil }
    return EXIFBlock.thumbnail(in: try reading { try $0.exif() })
  }

  /// The profile of its numbers; empty for sRGB, for grey and for pixels.
  func profile() throws -> [UInt8] { try encoded?.reading { try $0.profile() } ?? [] }

  /// What the decoder found odd so far.
  var complaint: String? { (encoded?.complaint).map { "the picture is not quite in order (\($0))" } }

  /// About its data and colours, once it has been drawn from.
  var note: String? {
    let notes = [
      complaint,
      encoded?.hasForeignProfile == true
        ? "the colour profile does not fit the picture or cannot be used, and was left alone" : nil,
      encoded?.hasOddColors == true
        ? "what the file says of its colours makes no sense or is not known, and was left alone" : nil,
      encoded?.header.video.hasLostAlpha == true
        ? "the picture's transparency does not say how large it is, and was left out" : nil,
      encoded?.isRagged == true ? "the last row of a frame is not whole" : nil,
    ].compactMap { $0 }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  private func reading<Result>(_ work: (EncodedPicture) throws -> Result) throws -> Result {
    guard let encoded else { throw RenderFailure(.worker, "pixels have nothing to be decoded from") }
    return try encoded.reading(work)
  }

  /// Whether there is less memory than a decoder needs, and a bit more. Some call that an error like any other.
  private static func lacksRoom(for header: ImageHeader) -> Bool {
    let need = RenderLimits().decodeMemoryEstimate(header)
    let (size, isBeyond) = (need / 4).addingReportingOverflow(need)
    guard !isBeyond else { return true }
    // Reserved and not used: only the process's own limit is asked.
    let room = mmap(nil, max(size, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if room == MAP_FAILED { return true }
    munmap(room, max(size, 1))
    return false
  }

  /// Explains an error of work that may read from the source.
  func failure(_ error: any Error) -> RenderFailure { Self.failure(error, encoded?.header) }

  /// libvips' message does not tell a cut file from a damaged one reliably; our own parser does.
  static func failure(_ error: any Error, _ header: ImageHeader?) -> RenderFailure {
    if let failure = error as? RenderFailure { return failure }
    let failure = error as? RasterFailure ?? RasterFailure(isMemory: false, detail: "\(error)")
    if failure.isMemory || (!failure.isCut && header.map(lacksRoom(for:)) == true) {
      return RenderFailure(.memory, "the picture needs more memory than a worker may have")
    }
    guard let header else {
      return RenderFailure(.damaged, "the picture cannot be drawn (\(failure.detail))")
    }
    let name = header.format.name
    if failure.isCut || !(header.isComplete || header.isLeftToDecoder) {
      return RenderFailure(
        .truncated, "the \(name) data ends before the picture does; fetch it again (\(failure.detail))")
    }
    if let most = header.format.facts.longestWrittenSide, max(header.width, header.height) > most {
      return RenderFailure(.limit, "the \(name) picture is larger than its decoder takes (\(failure.detail))")
    }
    if let kind = header.rareKind {
      return RenderFailure(
        .format, "this is a \(name) picture \(kind), which is not decoded (\(failure.detail))",
        advice: "convert it to a JPEG, PNG or WebP")
    }
    return RenderFailure(.damaged, "the \(name) data is damaged (\(failure.detail))")
  }
}
