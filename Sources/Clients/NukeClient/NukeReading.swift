import ClientKit
import NukeCache
import Text

extension NukeClient {
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let bytes = Array(key.utf8)
    let start =
      base.flatMap { bytes.starts(with: $0.utf8) ? $0.utf8.count : nil }
      ?? NukeKeyReader.nextMark(in: bytes[...], from: 0) ?? bytes.count
    var reader = NukeKeyReader(version: version, scale: scale, bytes[start...])
    let members = reader.members()
    return KeyReading(
      base: String(decoding: bytes[..<start], as: UTF8.self), members: members, unknown: reader.unknown)
  }
}

extension NukeClient {
  /// A resize to a width or a height has 9999 points as its other side, so its key tells the screen's scale.
  package func settings(readFrom keys: [String]) -> [SettingProposal] {
    let found = [2, 3].filter { scale in
      let side = CacheKeyFormat(version: version).pixelSize(width: 9999 * scale, height: 0, unit: .pixels)
        .width
      let texts = [", \(NumberText.number(side))),cm=.aspectFit", "s=(\(NumberText.number(side)), "]
      return keys.contains { key in
        let scanner = KeyScanner(key)
        return texts.contains { scanner.index(of: $0) != nil }
      }
    }
    guard !found.isEmpty else { return [] }
    let scales = found.map { NumberText.plain($0) }.joined(separator: " ")
    return [
      SettingProposal(
        name: "scale", value: scales,
        reason:
          "the open side of a resize to a width or a height is 9999 points, and the keys have it in pixels")
    ]
  }
}

/// Nuke's processors and thumbnails, read from what follows the image ID in a key.
///
/// Identifiers stand side by side with nothing between them, so each is read as far as its grammar goes, and what it
/// spells is made again: only what comes out with the same bytes counts.
private struct NukeKeyReader {
  let format: CacheKeyFormat
  let scale: Double?
  private var scanner: KeyScanner
  private(set) var unknown: [String] = []

  init(version: NukeVersion, scale: Double?, _ bytes: ArraySlice<UInt8>) {
    format = CacheKeyFormat(version: version, screenScale: scale ?? 1)
    self.scale = scale
    scanner = KeyScanner(bytes)
  }

  private static let processor = "com.github.kean/nuke/"
  private static let thumbnail = "com.github/kean/nuke/thumbnail?"

  /// Where an identifier of Nuke's own begins.
  static func nextMark(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let scanner = KeyScanner(bytes[start...])
    return [processor, thumbnail].compactMap(scanner.index).min()
  }

  mutating func members() -> [String] {
    var members: [String] = []
    while !scanner.atEnd {
      let start = scanner.position
      if let member = known(isFirst: members.isEmpty) {
        members.append(member)
        continue
      }
      // An identifier of the app's own goes as far as the next that is known.
      scanner.move(to: start)
      let next = Self.nextMark(in: scanner.bytes, from: min(start + 1, scanner.bytes.endIndex))
      scanner.move(to: next ?? scanner.bytes.endIndex)
      let text = scanner.text(from: start)
      unknown.append(text)
      members.append(MemberSpelling.custom(text))
    }
    return members
  }

  private mutating func known(isFirst: Bool) -> String? {
    let start = scanner.position
    if scanner.take(Self.thumbnail) {
      guard isFirst, let thumbnail = thumbnail(),
        format.unsupportedReason(thumbnail: thumbnail, processors: []) == nil,
        format.thumbnailIdentifier(of: thumbnail) == scanner.text(from: start)
      else { return nil }
      return NukeSpelling.text(thumbnail)
    }
    guard scanner.take(Self.processor) else { return nil }
    let candidates = processors()
    let text = scanner.text(from: start)
    let found = candidates.first {
      format.unsupportedReason(thumbnail: nil, processors: [$0]) == nil && format.identifier(of: $0) == text
    }
    return found.map(NukeSpelling.text)
  }

  /// What may come out as the text that the scanner has stepped over.
  private mutating func processors() -> [ImageProcessor] {
    if scanner.take("resize?s=") { return resizes() }
    if scanner.take("circle") {
      guard scanner.take("?border=") else { return [.circle(border: nil)] }
      return borders().map { .circle(border: $0) }
    }
    if scanner.take("rounded_corners?radius=") {
      guard let pixels = scanner.number() else { return [] }
      let (radius, unit) = length(pixels)
      guard scanner.take(",border=") else {
        return [.roundedCorners(radius: radius, unit: unit, border: nil)]
      }
      return borders().map { .roundedCorners(radius: radius, unit: unit, border: $0) }
    }
    if scanner.take("gaussian_blur?radius=") {
      return scanner.whole().map { [.gaussianBlur(radius: $0)] } ?? []
    }
    if scanner.take("core_image?name=") {
      guard let name = scanner.text(upTo: ")"), scanner.take(")") else { return [] }
      return [.coreImageFilter(name: name, identifier: nil)]
    }
    return []
  }

  // MARK: Sizes

  private mutating func resizes() -> [ImageProcessor] {
    guard let (width, height) = scanner.pair(), scanner.take(",cm=."),
      let mode = scanner.word(ImageProcessor.ContentMode.allCases), scanner.take(",crop="),
      let crop = scanner.flag(), scanner.take(",upscale="), let upscale = scanner.flag()
    else { return [] }
    var found: [ImageProcessor] = []
    if mode == .aspectFit, !crop {
      for unit in units {
        let open = side(9999, unit)
        if height == open, let width = value(width, unit) {
          found.append(.resize(width: width, unit: unit, upscale: upscale))
        }
        if width == open, let height = value(height, unit) {
          found.append(.resize(height: height, unit: unit, upscale: upscale))
        }
      }
    }
    for unit in units {
      guard let (width, height, unit) = sides(width, height, unit) else { continue }
      found.append(
        .resize(
          width: width, height: height, unit: unit, contentMode: mode, crop: crop, upscale: upscale))
    }
    return found
  }

  /// Points are what apps write, where the scale is known; pixels come out in any case.
  private var units: [ImageProcessor.Unit] { scale == nil ? [.pixels] : [.points, .pixels] }

  /// A side as this version holds it.
  private func side(_ value: Double, _ unit: ImageProcessor.Unit) -> Double {
    format.pixelSize(width: value, height: 0, unit: unit).width
  }

  private func value(_ pixels: Double, _ unit: ImageProcessor.Unit) -> Double? {
    switch unit {
    case .pixels: short(pixels)
    case .points:
      PointText.points(pixels, scale: format.screenScale) { side($0, .points) }
    }
  }

  private func sides(
    _ width: Double, _ height: Double, _ unit: ImageProcessor.Unit
  ) -> (Double, Double, ImageProcessor.Unit)? {
    value(width, unit).flatMap { width in value(height, unit).map { (width, $0, unit) } }
  }

  /// The shortest number that is held as this one.
  private func short(_ pixels: Double) -> Double {
    guard let text = Double("\(Float(pixels))"), side(text, .pixels) == pixels else { return pixels }
    return text
  }

  /// A length that is never held as a Float.
  private func length(_ pixels: Double) -> (Double, ImageProcessor.Unit) {
    guard let scale, let points = PointText.points(pixels, scale: scale, { $0 * scale }) else {
      return (pixels, .pixels)
    }
    return (points, .points)
  }

  // MARK: Thumbnails

  private mutating func thumbnail() -> ThumbnailOptions? {
    var options: ThumbnailOptions
    if scanner.take(format.version >= NukeVersion(12, 0, 0) ? "maxPixelSize=" : "mxs=") {
      guard let side = scanner.number() else { return nil }
      options = ThumbnailOptions(maxPixelSize: side)
    } else {
      guard scanner.take("width="), let width = scanner.number(), scanner.take(",height="),
        let height = scanner.number(), scanner.take(",contentMode=."),
        let mode = scanner.word(ImageProcessor.ContentMode.allCases)
      else { return nil }
      let found = units.compactMap { sides(width, height, $0) }.first
      guard let (width, height, unit) = found else { return nil }
      options = ThumbnailOptions(width: width, height: height, unit: unit, contentMode: mode)
    }
    guard scanner.take(",options="), let first = scanner.flag(), let second = scanner.flag(),
      let third = scanner.flag(), let fourth = scanner.flag()
    else { return nil }
    options.createThumbnailFromImageIfAbsent = first
    options.createThumbnailFromImageAlways = second
    options.createThumbnailWithTransform = third
    options.shouldCacheImmediately = fourth
    return options
  }

  // MARK: Borders

  private mutating func borders() -> [ImageProcessor.Border] {
    guard scanner.take("Border(color: #") else { return [] }
    let digits = scanner.hexadecimals()
    guard scanner.take(", width: "), let pixels = scanner.number(), scanner.take(" pixels)") else {
      return []
    }
    let (width, unit) = length(pixels)
    return Self.colors(digits).map { ImageProcessor.Border(color: $0, width: width, unit: unit) }
  }

  /// The colours that may stand as these digits: two for each component, before 13.2.0 more for one outside 0...1.
  private static func colors(_ digits: ArraySlice<UInt8>) -> [ImageProcessor.Color] {
    splits(digits).compactMap { parts in
      let values = parts.map { part in
        // A negative one prints all 64 bits.
        UInt64(String(decoding: part, as: UTF8.self), radix: 16).map { Double(Int64(bitPattern: $0)) / 255 }
      }
      let known = values.compactMap { $0 }
      guard known.count == values.count else { return nil }
      // It prints its alpha only where it is not opaque, however nearly.
      let alpha = known.count == 4 ? (known[3] >= 1 ? 0.999 : known[3]) : 1
      return .rgba(red: known[0], green: known[1], blue: known[2], alpha: alpha)
    }
  }

  /// Three or four components: the usual two digits first.
  private static func splits(_ digits: ArraySlice<UInt8>) -> [[ArraySlice<UInt8>]] {
    guard (6...64).contains(digits.count) else { return [] }
    func all(_ rest: ArraySlice<UInt8>, _ count: Int) -> [[ArraySlice<UInt8>]] {
      if count == 0 { return rest.isEmpty ? [[]] : [] }
      return [2, 3, 16].filter { rest.count >= $0 }.flatMap { length in
        all(rest.dropFirst(length), count - 1).map { [rest.prefix(length)] + $0 }
      }
    }
    return all(digits, 3) + all(digits, 4)
  }
}

/// Nuke's processors as a job spells them.
enum NukeSpelling {
  static func text(_ processor: ImageProcessor) -> String {
    var member: MemberSpelling
    switch processor {
    case .resize(let resize):
      member = MemberSpelling("resize")
      switch resize.target {
      case .size(let width, let height):
        member.add("size", MemberSpelling.size(width: width, height: height))
        add(resize.unit, to: &member)
        add(resize.contentMode, to: &member)
        member.add("crop", resize.crop, unless: false)
      case .width(let side):
        member.add("width", NumberText.plain(side))
        add(resize.unit, to: &member)
      case .height(let side):
        member.add("height", NumberText.plain(side))
        add(resize.unit, to: &member)
      }
      member.add("upscale", resize.upscale, unless: false)
    case .circle(let border):
      member = MemberSpelling("circle")
      add(border, to: &member)
    case .roundedCorners(let radius, let unit, let border):
      member = MemberSpelling("roundedCorners")
      member.add("radius", NumberText.plain(radius))
      add(unit, to: &member)
      add(border, to: &member)
    case .gaussianBlur(let radius):
      member = MemberSpelling("gaussianBlur")
      member.add("radius", radius, unless: 8)
    case .coreImageFilter(let name, let identifier):
      member = MemberSpelling("coreImage")
      member.add("name", isWord(name) ? name : quoted(name))
      if let identifier { member.add("identifier", quoted(identifier)) }
    case .custom(let identifier): return MemberSpelling.custom(identifier)
    case .composition(let members): return members.map(text).joined(separator: " | ")
    case .identified(let processor, let identifier): return "\(text(processor)) as \(quoted(identifier))"
    }
    return member.text
  }

  static func text(_ thumbnail: ThumbnailOptions) -> String {
    var member = MemberSpelling("thumbnail")
    switch thumbnail.size {
    case .maxPixelSize(let side): member.add("maxPixelSize", NumberText.plain(side))
    case .flexible(let width, let height, let unit, let mode):
      member.add("size", MemberSpelling.size(width: width, height: height))
      add(unit, to: &member)
      add(mode, to: &member)
    }
    let flags = [
      thumbnail.createThumbnailFromImageIfAbsent, thumbnail.createThumbnailFromImageAlways,
      thumbnail.createThumbnailWithTransform, thumbnail.shouldCacheImmediately,
    ]
    for (name, flag) in zip(NukeProcessors.thumbnailSwitches, flags) { member.add(name, flag, unless: true) }
    return member.text
  }

  private static func add(_ unit: ImageProcessor.Unit, to member: inout MemberSpelling) {
    member.add("unit", unit.rawValue, unless: ImageProcessor.Unit.points.rawValue)
  }

  private static func add(_ mode: ImageProcessor.ContentMode, to member: inout MemberSpelling) {
    member.add("contentMode", mode.rawValue, unless: ImageProcessor.ContentMode.aspectFill.rawValue)
  }

  private static func add(_ border: ImageProcessor.Border?, to member: inout MemberSpelling) {
    guard let border, case .rgba(let red, let green, let blue, let alpha) = border.color else { return }
    var group = MemberSpelling("")
    group.add("color", MemberSpelling.rgba([red, green, blue, alpha]))
    group.add("width", NumberText.plain(border.width), unless: "1")
    add(border.unit, to: &group)
    member.add("border", group.text)
  }

  private static func quoted(_ text: String) -> String { MemberSpelling.quoted(text) }

  /// Whether it stands without quotes.
  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (48...57).contains($0) }
  }
}
