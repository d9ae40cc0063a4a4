import ClientKit
import KingfisherCache
import Pictures
import Text

extension KingfisherClient {
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let bytes = Array(key.utf8)
    let end: Int
    if let base, bytes.starts(with: base.utf8),
      [nil, UInt8(ascii: "@")].contains(bytes.dropFirst(base.utf8.count).first)
    {
      end = base.utf8.count
    } else {
      end = KingfisherKeyReader.end(ofBaseIn: bytes[...])
    }
    let parts = end < bytes.count ? KingfisherKeyReader.parts(bytes[(end + 1)...]) : []
    var calls = parts.map { call($0) ?? .custom($0) }
    // The modifiers of `KFImage` append to the default processor, unless one comes first that takes its place.
    if format.style == .builder, calls.first?.name == ProcessorKey.plain.name,
      let next = calls.dropFirst().first, !ProcessorKey.starters.contains(next.name)
    {
      calls.removeFirst()
    }
    return KeyReading(base: String(decoding: bytes[..<end], as: UTF8.self), calls: calls)
  }

  /// The processor with this identifier; nil where it is not one of Kingfisher's own.
  private func call(_ identifier: String) -> ProcessorCall? {
    if identifier.isEmpty { return ProcessorCall(ProcessorKey.plain.name) }
    var scanner = KeyScanner(identifier)
    let call = last.read(&scanner, ProcessorKey.named, KeyContext(release: identity.release))
    return scanner.atEnd ? call : nil
  }

  /// Builders put `|>` before everything, except for a downsampling that comes first.
  package func settings(readFrom keys: [String]) -> [SettingProposal] {
    guard !knowsStyle, format.version >= KingfisherVersion(6, 0, 0) else { return [] }
    var built = 0
    for key in keys {
      let bytes = Array(key.utf8)
      let end = KingfisherKeyReader.end(ofBaseIn: bytes[...])
      guard end < bytes.count else { continue }
      let first = KingfisherKeyReader.parts(bytes[(end + 1)...])[0]
      if first.isEmpty {
        built += 1
      } else if !ProcessorKey.starters.contains(call(first)?.name ?? "") {
        return []
      }
    }
    guard built > 0 else { return [] }
    let reason = "the keys are those of KF and KFImage: their processors begin with |>"
    return [(KingfisherSettings.style.name, KingfisherKeyFormat.Style.builder.rawValue, reason)]
  }
}

/// Kingfisher's processors, read from what follows the base key and its `@`.
private enum KingfisherKeyReader {
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
    if let own = scanner.index(of: "@" + KingfisherKeyFormat.prefix) { return own }
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")),
      isName(bytes[(at + 1)...], after: bytes[..<at])
    else { return bytes.endIndex }
    return at
  }

  private static func isName(_ bytes: ArraySlice<UInt8>, after base: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: bytes, as: UTF8.self).lowercased()
      .split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = bytes.allSatisfy {
      $0.isLetterOrDigit || "._-(){}[]:,=+ ".utf8.contains($0)
    }
    guard isPlain, !words.contains(where: \.isEmpty), let last = words.last, !endings.contains(last) else {
      return false
    }
    if words.count > 2 { return true }
    // `a.png@mono`: a file's name has ended already. `a.jpg@200w` is how picture servers take a size.
    let ending = base.split(separator: UInt8(ascii: ".")).last.map {
      String(decoding: $0, as: UTF8.self).lowercased()
    }
    return ending.map { endings.contains($0[...]) } ?? false
      && bytes.allSatisfy { $0.isLetter || "._-".utf8.contains($0) }
  }

  private static let endings = Set(
    (ImageFormat.allCases.map(\.rawValue) + ["jpg", "heic", "bmp", "tif", "jxl"]).map { $0[...] })

  static func parts(_ bytes: ArraySlice<UInt8>) -> [String] {
    var scanner = KeyScanner(bytes)
    var parts: [String] = []
    while let part = scanner.text(upTo: joint) {
      parts.append(part)
      _ = scanner.take(joint)
    }
    return parts + [String(decoding: scanner.rest, as: UTF8.self)]
  }
}
