import ClientKit
import KingfisherCache
import Pictures
import Text

extension KingfisherClient {
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let reader = KingfisherKeyReader(format: format)
    let bytes = Array(key.utf8)
    let end: Int
    if let base, bytes.starts(with: base.utf8),
      [nil, UInt8(ascii: "@")].contains(bytes.dropFirst(base.utf8.count).first)
    {
      end = base.utf8.count
    } else {
      end = KingfisherKeyReader.end(ofBaseIn: bytes[...])
    }
    var reading = KeyReading(base: String(decoding: bytes[..<end], as: UTF8.self))
    guard end < bytes.count else { return reading }
    for part in KingfisherKeyReader.parts(bytes[(end + 1)...]) {
      let member = reader.member(part)
      if member == nil { reading.unknown.append(part) }
      reading.members.append(member ?? MemberSpelling.custom(part))
    }
    // The modifiers of `KFImage` append to the default processor, unless one comes first that takes its place.
    if format.style == .builder, reading.members.first == KingfisherSpelling.plain,
      let next = reading.members.dropFirst().first, next != KingfisherSpelling.plain,
      !next.hasPrefix("downsampling(")
    {
      reading.members.removeFirst()
    }
    return reading
  }

  /// Builders put `|>` before everything, except for a downsampling that comes first.
  package func settings(readFrom keys: [String]) -> [SettingProposal] {
    guard !knowsStyle, format.version >= KingfisherVersion(6, 0, 0) else { return [] }
    var built = 0
    for key in keys {
      let bytes = Array(key.utf8)
      let end = KingfisherKeyReader.end(ofBaseIn: bytes[...])
      guard end < bytes.count else { continue }
      let identifier = KeyScanner(bytes[(end + 1)...])
      if identifier.isAt("|>") {
        built += 1
      } else if !identifier.isAt(KingfisherKeyReader.prefix + "DownsamplingImageProcessor(") {
        return []
      }
    }
    guard built > 0 else { return [] }
    return [
      SettingProposal(
        name: KingfisherSettings.style.name, value: KingfisherKeyFormat.Style.builder.rawValue,
        reason: "the keys are those of KF and KFImage: their processors begin with |>")
    ]
  }
}

/// Kingfisher's processors, read from what follows the base key and its `@`.
private struct KingfisherKeyReader {
  let format: KingfisherKeyFormat

  static let prefix = "com.onevcat.Kingfisher."
  private static let joint = "|>"

  /// Where the base key ends: at the `@` before the first identifier, or at the key's end.
  ///
  /// A URL may hold an `@` too. What follows it counts as an identifier where it is one of Kingfisher's, where several are
  /// joined, or where it reads like the name of an app's own: words joined by dots, the last of them no file's ending.
  static func end(ofBaseIn bytes: ArraySlice<UInt8>) -> Int {
    let scanner = KeyScanner(bytes)
    if let joint = scanner.index(of: joint) {
      return bytes[..<joint].lastIndex(of: UInt8(ascii: "@")) ?? bytes.endIndex
    }
    if let own = scanner.index(of: "@" + prefix) { return own }
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")),
      isName(bytes[(at + 1)...], after: bytes[..<at])
    else { return bytes.endIndex }
    return at
  }

  private static func isName(_ bytes: ArraySlice<UInt8>, after base: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: bytes, as: UTF8.self).lowercased()
      .split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = bytes.allSatisfy {
      isLetter($0) || (48...57).contains($0) || "._-(){}[]:,=+ ".utf8.contains($0)
    }
    guard isPlain, !words.contains(where: \.isEmpty), let last = words.last, !endings.contains(last) else {
      return false
    }
    if words.count > 2 { return true }
    // `a.png@mono`: a file's name has ended already. `a.jpg@200w` is how picture servers are told a size.
    let ending = base.split(separator: UInt8(ascii: ".")).last.map {
      String(decoding: $0, as: UTF8.self).lowercased()
    }
    return ending.map { endings.contains($0[...]) } ?? false
      && bytes.allSatisfy { isLetter($0) || "._-".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static let endings = Set(
    (ImageFormat.allCases.map(\.rawValue) + ["jpg", "heic", "svg", "bmp", "tif", "jxl"]).map { $0[...] })

  static func parts(_ bytes: ArraySlice<UInt8>) -> [String] {
    var scanner = KeyScanner(bytes)
    var parts: [String] = []
    while let part = scanner.text(upTo: joint) {
      parts.append(part)
      _ = scanner.take(joint)
    }
    return parts + [String(decoding: scanner.rest, as: UTF8.self)]
  }

  /// The processor with this identifier as a job spells it; nil where it is none of Kingfisher's own.
  func member(_ identifier: String) -> String? {
    if identifier.isEmpty { return KingfisherSpelling.plain }
    var scanner = KeyScanner(identifier)
    guard scanner.take(Self.prefix) else { return nil }
    let found = processors(&scanner).first {
      format.unsupportedReason(processors: [$0]) == nil
        && format.identifier(of: [.default, $0]) == "|>" + identifier
    }
    return found.map(KingfisherSpelling.text)
  }

  private func processors(_ scanner: inout KeyScanner) -> [BuiltInProcessor] {
    if scanner.take("BlackWhiteProcessor") { return [.blackWhite] }
    if scanner.take("ResizingImageProcessor(") {
      guard let size = size(&scanner) else { return [] }
      let mode =
        scanner.take(", ")
        ? scanner.word(BuiltInProcessor.ContentMode.allCases) : BuiltInProcessor.ContentMode.none
      return mode.map { [.resizing(referenceSize: size, mode: $0)] } ?? []
    }
    if scanner.take("DownsamplingImageProcessor(") {
      return size(&scanner).map { [.downsampling(size: $0)] } ?? []
    }
    if scanner.take("BlurImageProcessor(") { return scanner.number().map { [.blur(blurRadius: $0)] } ?? [] }
    if scanner.take("OverlayImageProcessor(") {
      let color = color(&scanner)
      guard scanner.take("_"), let fraction = scanner.number() else { return [] }
      return color.map { .overlay(color: $0, fraction: fraction) }
    }
    if scanner.take("TintImageProcessor(") { return color(&scanner).map { .tint(color: $0) } }
    if scanner.take("ColorControlsProcessor(") {
      guard let brightness = scanner.number(), scanner.take("_"), let contrast = scanner.number(),
        scanner.take("_"), let saturation = scanner.number(), scanner.take("_"),
        let inputEV = scanner.number()
      else { return [] }
      return [
        .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
      ]
    }
    if scanner.take("CroppingImageProcessor(") {
      guard let size = size(&scanner), scanner.take("_"), let anchor = scanner.pair() else { return [] }
      return [.cropping(size: size, anchor: .init(x: anchor.0, y: anchor.1))]
    }
    if scanner.take("BlendImageProcessor(") { return blends(&scanner) }
    let isBorder = scanner.take("BorderImageProcessor(")
    guard isBorder || scanner.take("RoundCornerImageProcessor(") else { return [] }
    return scanner.take("Border(") ? borders(&scanner) : roundCorners(&scanner)
  }

  private func blends(_ scanner: inout KeyScanner) -> [BuiltInProcessor] {
    guard let number = scanner.whole(), let mode = BuiltInProcessor.BlendMode(rawValue: number),
      scanner.take(","), let alpha = scanner.number(), scanner.take(")")
    else { return [] }
    guard scanner.take("_") else { return [.blend(mode: mode, alpha: alpha, backgroundColor: nil)] }
    return color(&scanner).map { .blend(mode: mode, alpha: alpha, backgroundColor: $0) }
  }

  private func roundCorners(_ scanner: inout KeyScanner) -> [BuiltInProcessor] {
    guard let radius = radius(&scanner, width: "w_frac_", height: "h_frac_", point: "") else { return [] }
    let start = scanner.position
    var target: BuiltInProcessor.Size?
    if scanner.take("_"), let size = size(&scanner) { target = size } else { scanner.move(to: start) }
    var corners = BuiltInProcessor.RectCorner.all
    if scanner.take("_corner(") {
      guard let bits = scanner.whole(), scanner.take(")") else { return [] }
      corners = BuiltInProcessor.RectCorner(rawValue: bits)
    }
    guard scanner.take(")") else { return [] }
    let background = scanner.take("_") ? described(&scanner) : nil
    return [.roundCorner(radius: radius, targetSize: target, corners: corners, backgroundColor: background)]
  }

  private func borders(_ scanner: inout KeyScanner) -> [BuiltInProcessor] {
    guard scanner.take("color: "), let color = described(&scanner), scanner.take(", lineWidth: "),
      let width = scanner.number(), scanner.take(", radius: Kingfisher.Radius."),
      let radius = radius(&scanner, width: "widthFraction(", height: "heightFraction(", point: "point("),
      scanner.take("), roundingCorners: Kingfisher.RectCorner(rawValue: "), let bits = scanner.whole()
    else { return [] }
    return [.border(color: color, lineWidth: width, radius: radius, corners: .init(rawValue: bits))]
  }

  private func radius(
    _ scanner: inout KeyScanner, width: String, height: String, point: String
  ) -> BuiltInProcessor.Radius? {
    if scanner.take(width) { return scanner.number().map { .widthFraction($0) } }
    if scanner.take(height) { return scanner.number().map { .heightFraction($0) } }
    return scanner.take(point) ? scanner.number().map { .point($0) } : nil
  }

  private func size(_ scanner: inout KeyScanner) -> BuiltInProcessor.Size? {
    scanner.pair().map { BuiltInProcessor.Size(width: $0.0, height: $0.1) }
  }

  /// The colours that may stand so: digits, or since 7.1.0 decimals.
  private func color(_ scanner: inout KeyScanner) -> [BuiltInProcessor.Color] {
    if scanner.take("#") {
      let digits = scanner.hexadecimals()
      guard digits.count == 8, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return []
      }
      // Kingfisher truncates, so a value in the middle of a step comes out in any case.
      let bytes = [24, 16, 8, 0].map { Double(value >> UInt32($0) & 0xFF) }
      return [bytes.map { $0 / 255 }, bytes.map { min(1, ($0 + 0.5) / 255) }].map(Self.color)
    }
    guard scanner.take("(") else { return [] }
    var values: [Double] = []
    repeat {
      guard let value = scanner.number() else { return [] }
      values.append(value)
    } while scanner.take(",")
    return values.count == 4 && scanner.take(")") ? [Self.color(values)] : []
  }

  /// A colour in UIKit's words.
  private func described(_ scanner: inout KeyScanner) -> BuiltInProcessor.Color? {
    func numbers(_ count: Int) -> [Double]? {
      var values: [Double] = []
      while values.count < count, scanner.take(" "), let value = scanner.number() { values.append(value) }
      return values.count == count ? values : nil
    }
    if scanner.take("UIExtendedSRGBColorSpace") { return numbers(4).map(Self.color) }
    if scanner.take("UIExtendedGrayColorSpace") {
      return numbers(2).map { .gray(white: $0[0], alpha: $0[1]) }
    }
    return nil
  }

  private static func color(_ values: [Double]) -> BuiltInProcessor.Color {
    .rgba(red: values[0], green: values[1], blue: values[2], alpha: values[3])
  }
}

/// Kingfisher's processors as a job spells them.
enum KingfisherSpelling {
  static let plain = "default"

  static func text(_ processor: BuiltInProcessor) -> String {
    var member: MemberSpelling
    switch processor {
    case .default: return plain
    case .blackWhite: return "blackWhite"
    case .resizing(let size, let mode):
      member = MemberSpelling("resizing")
      member.add("referenceSize", text(size))
      member.add("mode", mode.rawValue, unless: BuiltInProcessor.ContentMode.none.rawValue)
    case .downsampling(let size):
      member = MemberSpelling("downsampling")
      member.add("size", text(size))
    case .roundCorner(let radius, let target, let corners, let background):
      member = MemberSpelling("roundCorner")
      if case .point(let points) = radius {
        member.add("cornerRadius", NumberText.plain(points))
      } else {
        member.add("radius", text(radius))
      }
      if let target { member.add("targetSize", text(target)) }
      add(corners, to: &member)
      if let background { member.add("backgroundColor", text(background)) }
    case .blur(let radius):
      member = MemberSpelling("blur")
      member.add("blurRadius", NumberText.plain(radius))
    case .overlay(let color, let fraction):
      member = MemberSpelling("overlay")
      member.add("color", text(color))
      member.add("fraction", NumberText.plain(fraction), unless: "0.5")
    case .tint(let color):
      member = MemberSpelling("tint")
      member.add("color", text(color))
    case .colorControls(let brightness, let contrast, let saturation, let inputEV):
      member = MemberSpelling("colorControls")
      member.add("brightness", NumberText.plain(brightness))
      member.add("contrast", NumberText.plain(contrast))
      member.add("saturation", NumberText.plain(saturation))
      member.add("inputEV", NumberText.plain(inputEV))
    case .cropping(let size, let anchor):
      member = MemberSpelling("cropping")
      member.add("size", text(size))
      member.add(
        "anchor", "(\(NumberText.plain(anchor.x)), \(NumberText.plain(anchor.y)))", unless: "(0.5, 0.5)")
    case .blend(let mode, let alpha, let background):
      member = MemberSpelling("blend")
      member.add("blendMode", "\(mode)")
      member.add("alpha", NumberText.plain(alpha), unless: "1")
      if let background { member.add("backgroundColor", text(background)) }
    case .border(let color, let width, let radius, let corners):
      member = MemberSpelling("border")
      member.add("color", text(color), unless: "gray(0, 1)")
      member.add("lineWidth", NumberText.plain(width), unless: "4")
      member.add("radius", text(radius), unless: "point(0)")
      add(corners, to: &member)
    case .custom(let identifier): return MemberSpelling.custom(identifier)
    case .identified(let processor, let identifier):
      return "\(text(processor)) as \(MemberSpelling.quoted(identifier))"
    }
    return member.text
  }

  private static func text(_ size: BuiltInProcessor.Size) -> String {
    MemberSpelling.size(width: size.width, height: size.height)
  }

  private static func text(_ radius: BuiltInProcessor.Radius) -> String {
    switch radius {
    case .widthFraction(let part): "widthFraction(\(NumberText.plain(part)))"
    case .heightFraction(let part): "heightFraction(\(NumberText.plain(part)))"
    case .point(let points): "point(\(NumberText.plain(points)))"
    }
  }

  private static func text(_ color: BuiltInProcessor.Color) -> String {
    switch color {
    case .rgba(let red, let green, let blue, let alpha): MemberSpelling.rgba([red, green, blue, alpha])
    case .gray(let white, let alpha): "gray(\(NumberText.plain(white)), \(NumberText.plain(alpha)))"
    }
  }

  private static func add(_ corners: BuiltInProcessor.RectCorner, to member: inout MemberSpelling) {
    let names: [(BuiltInProcessor.RectCorner, String)] = [
      (.topLeft, "topLeft"), (.topRight, "topRight"), (.bottomLeft, "bottomLeft"),
      (.bottomRight, "bottomRight"),
    ]
    let present = names.filter { corners.contains($0.0) }.map(\.1).joined(separator: "+")
    if corners != .all { member.add("roundingCorners", present.isEmpty ? "none" : present) }
  }
}
