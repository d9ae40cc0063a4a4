import ClientKit
import Foundation
import Pictures
import Syntax

/// An option of a job line: its row of the table of settings, and its field of a request.
package struct LineOption: Sendable {
  package let row: Setting
  /// A list of sources has none of its own.
  var isForOneSource = false
  /// Reads the value, or turns on what needs none.
  let read: @Sendable (inout LineScanner, inout RequestOptions) throws(Mistake) -> Void

  var name: String { row.name }
  /// `reload` stands alone, `id=` takes a value.
  var isFlag: Bool { row.form == .flag && row.owner == nil }

  /// `name=VALUE`.
  private init<Value: Hashable & Sendable>(
    _ name: String, _ field: any WritableKeyPath<RequestOptions, Value> & Sendable,
    _ type: SettingType<Value>, _ summary: String, example: String, isForOneSource: Bool = false
  ) {
    row = Setting(
      name: name, value: (type.name, type.form), places: .line, topic: .job, summary: summary,
      example: "\(name)=\(example)"
    ) { scanner, _, _ throws(Mistake) in _ = try type.read(&scanner, name) }
    self.isForOneSource = isForOneSource
    read = { scanner, options throws(Mistake) in options[keyPath: field] = try type.read(&scanner, name) }
  }

  private init(
    _ name: String, _ field: any WritableKeyPath<RequestOptions, Bool> & Sendable, _ summary: String
  ) {
    row = Setting(
      name: name, value: ("", .flag), places: .line, topic: .job, summary: summary, example: name
    ) { _, _, _ in }
    read = { _, options in options[keyPath: field] = true }
  }

  /// A setting of a client's requests, which a line may have for itself: `style=builder`.
  package init(_ setting: Setting) {
    row = setting.with { $0.example.replace(" ", with: "=", maxReplacements: 1) }
    read = { scanner, options throws(Mistake) in
      let start = scanner.position
      var values = SettingValues()
      try setting.read(&scanner, &values, JobVariables())
      options.settings[setting.name] = String(
        decoding: scanner.bytes[start..<scanner.position], as: UTF8.self)
    }
  }

  static func named(_ bytes: ArraySlice<UInt8>) -> LineOption? {
    all.first { $0.name.utf8.elementsEqual(bytes) }
  }

  package static let names = all.map(\.name)

  /// In the order in which lines are written.
  package static let all: [LineOption] = [
    LineOption(
      "id", \.imageID, SettingType("TEXT") { scanner, _ throws(Mistake) in try scanner.wordOrQuoted() },
      "replaces the URL in the key, as the app's image ID or cache key does", example: "product-2",
      isForOneSource: true),
    LineOption(
      "priority", \.priority, priority,
      "which sources come first: veryLow, low, normal, high or veryHigh", example: "high"),
    LineOption("reload", \.reload, "fetch and render again, whatever is there"),
    LineOption("offline", \.offline, "fetch nothing: made from what is there, or it fails"),
    LineOption("noDiskRead", \.noDiskRead, "the app's request does not look in the disk cache"),
    LineOption("noDiskWrite", \.noDiskWrite, "the app's request does not store what it draws"),
    LineOption(
      "sha256", \.sha256, digest, "the digest that the body must have", example: " and 64 hexadecimal digits",
      isForOneSource: true),
    LineOption(
      "expires", \.expiry, SettingType<EntryExpiry>.expiry.optional,
      "when the entry expires, where the client's entries do", example: "7d"),
    LineOption(
      "encode", \.encoding, SettingType<EncodingChoice>.encoding.optional,
      "how the result is encoded, as the setting", example: "jpeg(quality: 80)"),
    LineOption(
      "embedded", \.embedded,
      SettingType<EmbeddedUse>.choices("USE", of: "use of embedded thumbnails").optional,
      "use of EXIF thumbnails, as the setting", example: "prefer"),
  ]

  private static let priority = SettingType<RequestPriority>("NAME") { scanner, _ throws(Mistake) in
    let start = scanner.position
    let word = try scanner.wordOrQuoted()
    let known = RequestPriority.allCases
    if let priority = known.first(where: { "\($0)" == word }) { return priority }
    throw .noSuch("priority", word, known: known.map { "\($0)" }, at: start)
  }

  private static let digest = SettingType<String?>("DIGEST") { scanner, _ throws(Mistake) in
    let start = scanner.position
    let word = try scanner.wordOrQuoted()
    guard word.utf8.count == 64, word.utf8.allSatisfy(\.isHexadecimalDigit) else {
      throw Mistake(start, "a SHA-256 digest has 64 hexadecimal digits")
    }
    return word.lowercased()
  }
}

extension SettingTable {
  /// Settings of the clients' requests, which a line may have for itself.
  package var ofRequests: [LineOption] {
    rows.filter { $0.places.contains(.line) && $0.owner != nil }.map { LineOption($0) }
  }

  func lineOption(_ name: ArraySlice<UInt8>) -> LineOption? {
    LineOption.named(name)
      ?? row(named: String(decoding: name, as: UTF8.self)).flatMap { row in
        row.places.contains(.line) ? LineOption(row) : nil
      }
  }
}

/// Words and lines of a job as text that reads back as what they were made from.
package enum JobWord {
  /// A line that names a source.
  ///
  /// - Parameters:
  ///   - url: as the app holds it.
  ///   - chains: their names, or their texts.
  package static func line(url: String, chains: [String], id: String?) -> String {
    let words = [text(url)] + chains + (id.map { ["id=\(QuotedText.quoted($0))"] } ?? [])
    return words.joined(separator: " ")
  }

  package static func text(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.first != "#" && !text.utf8.contains { "\" \t".utf8.contains($0) }
    return isPlain ? text : QuotedText.quoted(text)
  }
}
