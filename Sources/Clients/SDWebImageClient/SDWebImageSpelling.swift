import SDWebImageCache
import Text

/// Thumbnail sizes and transformers as a job spells them, so that the job reads them back as the same keys.
extension SDImageThumbnail {
  package var jobText: String {
    "thumbnail(size: \(NumberText.plain(width))x\(NumberText.plain(height))"
      + (preservesAspectRatio ? ")" : ", preserveAspectRatio: false)")
  }
}

extension SDImageTransformer {
  package var jobText: String {
    switch self {
    case .resizing(let size, let mode):
      "resize(size: \(Self.number(size.width))x\(Self.number(size.height))"
        + (mode == .fill ? ")" : ", scaleMode: \(mode))")
    case .cropping(let rect):
      "crop(rect: (\([rect.x, rect.y, rect.width, rect.height].map(Self.number).joined(separator: ", "))))"
    case .roundCorner(let radius, let corners, let width, let color):
      Self.call(
        "roundCorner",
        [
          "radius: \(Self.number(radius))",
          corners == .allCorners ? nil : "corners: \(Self.words(corners))",
          width == 0 && width.sign == .plus ? nil : "borderWidth: \(Self.number(width))",
          color.map { "borderColor: \($0.jobText)" },
        ])
    case .flipping(let horizontal, let vertical):
      Self.call("flip", [horizontal ? "horizontal: true" : nil, vertical ? "vertical: true" : nil])
    case .rotation(let angle, let fits):
      Self.call("rotate", ["angle: \(Self.number(angle))", fits ? nil : "fitSize: false"])
    case .tint(let color, let mode):
      Self.call("tint", ["color: \(color.jobText)", mode.map { "blendMode: \($0)" }])
    case .blur(let radius): "blur(radius: \(Self.number(radius)))"
    case .filter(let name): "filter(name: \(Self.quoted(name)))"
    case .custom(let key): "custom(\(Self.quoted(key)))"
    case .identified(let transformer, let key): "\(transformer.jobText) as \(Self.quoted(key))"
    }
  }

  private static func number(_ value: Double) -> String { NumberText.plain(value) }

  private static func call(_ name: String, _ arguments: [String?]) -> String {
    let arguments = arguments.compactMap { $0 }
    return arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  /// Bits beyond the four corners have no word.
  private static func words(_ corners: RectCorner) -> String {
    let names: [(RectCorner, String)] = [
      (.topLeft, "topLeft"), (.topRight, "topRight"), (.bottomLeft, "bottomLeft"),
      (.bottomRight, "bottomRight"),
    ]
    let present = names.filter { corners.contains($0.0) }.map(\.1)
    return present.isEmpty ? "none" : present.joined(separator: "+")
  }
}

extension SDImageTransformer.Color {
  /// `#RRGGBBAA`: a key holds bytes.
  fileprivate var jobText: String {
    let digits = Array("0123456789ABCDEF")
    return "#"
      + [red, green, blue, alpha].map { component in
        let byte = Int((min(max(component, 0), 1) * 255).rounded())
        return "\(digits[byte >> 4])\(digits[byte & 15])"
      }.joined()
  }
}
