import ClientKit
import NukeCache
import Text

extension NukeClient {
  /// Identifiers stand side by side with nothing between them, so each is read as far as its template goes.
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    var scanner = KeyScanner(key)
    let start = base.flatMap { scanner.isAt($0) ? $0.utf8.count : nil } ?? Self.nextMark(in: scanner)
    scanner.move(to: start)
    var calls: [ProcessorCall] = []
    while !scanner.atEnd {
      let rows = calls.isEmpty ? ProcessorKey.all : ProcessorKey.processors
      if let call = rows.read(&scanner, context(scale)) {
        calls.append(call)
        continue
      }
      // An identifier of the app's own goes as far as the next that is known.
      let start = scanner.position
      scanner.move(to: start + 1)
      scanner.move(to: Self.nextMark(in: scanner))
      calls.append(.custom(scanner.text(from: start)))
    }
    return KeyReading(base: String(decoding: scanner.bytes[..<start], as: UTF8.self), calls: calls)
  }

  /// Where an identifier of Nuke's own begins, or the end.
  private static func nextMark(in scanner: KeyScanner) -> Int {
    ["com.github.kean/nuke/", "com.github/kean/nuke/thumbnail?"].compactMap(scanner.index).min()
      ?? scanner.bytes.endIndex
  }

  /// A resize to a width or a height has 9999 points as its other side, so its key tells the screen's scale.
  package func settings(readFrom keys: [String]) -> [SettingProposal] {
    let found = [2, 3].filter { scale in
      let side = KeyContext(release: Release(version)).side(9999 * scale, .pixels)
      let texts = [", \(NumberText.number(side))),cm=.aspectFit", "s=(\(NumberText.number(side)), "]
      return keys.contains { key in
        let scanner = KeyScanner(key)
        return texts.contains { scanner.index(of: $0) != nil }
      }
    }
    guard !found.isEmpty else { return [] }
    let reason =
      "the open side of a resize to a width or a height is 9999 points, and the keys have it in pixels"
    return [("scale", found.map { NumberText.plain($0) }.joined(separator: " "), reason)]
  }
}
