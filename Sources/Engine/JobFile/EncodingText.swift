import Pictures
import Syntax

/// `jpeg(quality: 80)`, `webp(lossless: true)`, `keep`, `client`: encoders as a job spells them.
enum EncodingText {
  /// An encoder's name in a job, what it takes, and how it is made of that.
  private struct Encoder: Sendable {
    package var name: String
    package var labels: [String]
    package var make: @Sendable (inout ArgumentReader) -> EncodingRecipe.Format
  }

  private static let fit = "fitBytes"

  private static let encoders = [
    Encoder(name: "jpeg", labels: ["quality", "progressive", "optimized", "chroma", fit]) { reader in
      .jpeg(
        .init(
          quality: reader.optional("quality", .whole(1...100)) ?? 80,
          isProgressive: reader.optional("progressive", .bool) ?? false,
          optimizesCoding: reader.optional("optimized", .bool) ?? true,
          chroma: reader.optional("chroma", .oneOf) ?? .auto))
    },
    Encoder(name: "png", labels: ["compression", "palette"]) { reader in
      .png(
        .init(
          compression: reader.optional("compression", .whole(0...9)) ?? 6,
          hasPalette: reader.optional("palette", .bool) ?? false))
    },
    Encoder(name: "webp", labels: ["quality", "lossless", "effort", fit]) { reader in
      .webp(
        .init(
          quality: reader.optional("quality", .whole(1...100)) ?? 80,
          isLossless: reader.optional("lossless", .bool) ?? false,
          effort: reader.optional("effort", .whole(0...6)) ?? 4))
    },
    Encoder(name: "heic", labels: ["quality", fit]) { reader in
      .heic(quality: reader.optional("quality", .whole(1...100)) ?? 60)
    },
    Encoder(name: "avif", labels: ["quality", fit]) { reader in
      .avif(quality: reader.optional("quality", .whole(1...100)) ?? 60)
    },
    Encoder(name: "keep", labels: ["quality", fit]) { reader in
      .source(quality: reader.optional("quality", .whole(1...100)) ?? 80)
    },
  ]

  static let encoderNames = encoders.map(\.name) + ["client"]

  /// `jpeg(quality: 80)`, `webp(lossless: true)`, `keep`, `client`.
  package static func encoding(_ scanner: inout LineScanner) throws(Mistake) -> EncodingChoice {
    let start = scanner.position
    let name = String(decoding: scanner.name(), as: UTF8.self)
    if name == "client", scanner.next != UInt8(ascii: "(") { return .client }
    guard let encoder = encoders.first(where: { $0.name == name }) else {
      throw .noSuch("encoder", name, known: encoderNames, at: start)
    }
    let arguments = scanner.next == UInt8(ascii: "(") ? try scanner.arguments(depth: 1) : []
    var reader = ArgumentReader(arguments, of: name, at: start, labels: encoder.labels)
    let format = encoder.make(&reader)
    let fitBytes = encoder.labels.contains(fit) ? reader.optional(fit, .byteCount) : nil
    if let mistake = reader.mistakes.first { throw mistake }
    if fitBytes != nil, format.quality == nil {
      let place = arguments.first { $0.label == fit }?.offset ?? start
      throw Mistake(
        place, "lossless data has no quality that could be lowered to fit", help: "take one of the two out")
    }
    return EncodingChoice(EncodingRecipe(format, fitBytes: fitBytes))
  }

  /// `encode=...` behind a chain's processors, if that comes next.
  static func chainEncoding(_ scanner: inout LineScanner) throws(Mistake) -> EncodingChoice? {
    let start = scanner.position
    scanner.skipBlank()
    guard scanner.name().elementsEqual(JobKey.encode.name.utf8), scanner.take("=") else {
      scanner.move(to: start)
      return nil
    }
    return try encoding(&scanner)
  }
}

extension EncodingChoice {
  /// What is to be known about devices that decode it. HEIC, from iOS 11 on, is read wherever the clients run.
  func lint(at place: Int) -> Mistake? {
    guard case .recipe(let recipe) = self, let format = recipe.format.written,
      let needs = format.facts.deviceNeeds
    else { return nil }
    let alternative = format.facts.isTrusted ? "jpeg" : "heic"
    return Mistake(
      place, "only \(needs) and later decode \(format.writtenName)",
      help: "\(alternative), where the app runs on older ones")
  }
}
