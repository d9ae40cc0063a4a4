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
    let calls = reader.calls()
    return KeyReading(
      base: String(decoding: bytes[..<start], as: UTF8.self), calls: calls, unknown: reader.unknown,
      rows: processorRows)
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

/// Nuke's processors and thumbnails, read from what follows the image ID in a key. Identifiers stand side by side with
/// nothing between them, so each is read as far as its template goes.
private struct NukeKeyReader {
  private let context: KeyContext
  private var scanner: KeyScanner
  private(set) var unknown: [String] = []

  init(version: NukeVersion, scale: Double?, _ bytes: ArraySlice<UInt8>) {
    context = KeyContext(release: Release(version), scale: scale)
    scanner = KeyScanner(bytes)
  }

  /// Where an identifier of Nuke's own begins.
  static func nextMark(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let scanner = KeyScanner(bytes[start...])
    return ["com.github.kean/nuke/", "com.github/kean/nuke/thumbnail?"].compactMap(scanner.index).min()
  }

  mutating func calls() -> [ProcessorCall] {
    var calls: [ProcessorCall] = []
    while !scanner.atEnd {
      let rows = calls.isEmpty ? ProcessorKey.all : ProcessorKey.processors
      if let call = rows.read(&scanner, context) {
        calls.append(call)
        continue
      }
      // An identifier of the app's own goes as far as the next that is known.
      let start = scanner.position
      let next = Self.nextMark(in: scanner.bytes, from: min(start + 1, scanner.bytes.endIndex))
      scanner.move(to: next ?? scanner.bytes.endIndex)
      let text = scanner.text(from: start)
      unknown.append(text)
      calls.append(.custom(text))
    }
    return calls
  }
}
