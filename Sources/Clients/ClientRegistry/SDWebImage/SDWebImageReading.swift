import ClientKit
import Foundation
import SDWebImageCache
import Text

extension SDWebImageClient {
  /// What a key may have been made of, the longest chain first. Each makes exactly this key by the client's rules; the
  /// last is the key itself as an original. Keys of transformers of an app's own look like names.
  ///
  /// The path of a key with marks was decoded and encoded again, so the base key is one of several that make the same key.
  func readings(ofKey key: String) -> some Sequence<KeyReading> {
    (candidates(of: key) + [KeyReading(base: key)]).lazy.filter { candidate in
      !candidate.base.isEmpty
        && self.key(base: candidate.base, suffix(of: candidate.calls)).utf8.elementsEqual(key.utf8)
    }
  }

  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let readings = readings(ofKey: key)
    let exact = base.flatMap { base in readings.first { $0.base.utf8.elementsEqual(base.utf8) } }
    if exact == nil, let base, let own = ownMark(of: key, base: base) {
      return KeyReading(base: base, calls: [.custom(own)])
    }
    return exact ?? readings.first { _ in true } ?? KeyReading(base: key)
  }

  /// The transformer's key of the app's own that makes this key of a base key: what stands where another would.
  private func ownMark(of key: String, base: String) -> String? {
    func made(_ mark: String) -> String? { joinedKey(base: base, KeySuffix(part: "U+p1", "-" + mark)) }
    let probe = "PreheatProbe"
    guard let whole = made(probe), let place = whole.range(of: "-" + probe, options: .backwards) else {
      return nil
    }
    let (head, tail) = (
      Array(whole[..<place.lowerBound].utf8) + Array("-".utf8), Array(whole[place.upperBound...].utf8)
    )
    let bytes = Array(key.utf8)
    guard bytes.count > head.count + tail.count, bytes.starts(with: head),
      bytes.suffix(tail.count).elementsEqual(tail)
    else { return nil }
    let text = String(decoding: bytes[head.count..<(bytes.count - tail.count)], as: UTF8.self)
    return [text.removingPercentEncoding, text].compactMap { $0 }.first { mark in
      made(mark)?.utf8.elementsEqual(key.utf8) ?? false
    }
  }
}

/// Marks in text, from a hyphen on to its end.
extension SDWebImageClient {
  /// Marks stand before the extension, at the end, or, where a thumbnail's mark made an extension, inside of that mark.
  private func candidates(of key: String) -> [KeyReading] {
    var found: [KeyReading] = []
    func add(_ text: [UInt8], _ base: ([UInt8]) -> String) {
      for (start, calls) in marks(endingIn: text) {
        found.append(KeyReading(base: base(Array(text[..<start])), calls: calls))
      }
    }
    let url = KeyURL(key)
    let path = url?.path ?? Array(key.utf8)
    let named = url.map { $0.pathExtension } ?? KeyPath.pathExtension(path)
    if let named, !named.isEmpty {
      let tail = [UInt8(ascii: ".")] + named
      let stem = KeyPath.withoutExtension(path)
      func text(_ path: [UInt8]) -> String {
        url.map { $0.path == nil ? "" : $0.text(withPath: path) } ?? String(decoding: path, as: UTF8.self)
      }
      // The transformer's mark went into the thumbnail's: `noext-Thumbnail({8.000000,8-MARK.000000},1)`.
      for (start, inner) in marks(endingIn: stem) where inner.first?.name != TransformerKey.thumbnail.name {
        for (end, outer) in marks(endingIn: Array(stem[..<start]) + tail)
        where outer.map(\.name) == [TransformerKey.thumbnail.name] {
          found.append(KeyReading(base: text(Array(stem[..<end])), calls: outer + inner))
        }
      }
      add(stem) { text($0 + tail) }
    }
    add(Array(key.utf8)) { String(decoding: $0, as: UTF8.self) }
    return found
  }

  /// All places at which the text ends with marks, each behind a hyphen; the first place first.
  private func marks(endingIn text: [UInt8]) -> [(start: Int, calls: [ProcessorCall])] {
    let starts = ["-Thumbnail(", "-SDImage"].flatMap { mark in
      text.indices.filter { text[$0...].starts(with: mark.utf8) }
    }
    return starts.sorted().compactMap { start in
      var scanner = KeyScanner(text[start...])
      var calls: [ProcessorCall] = []
      while scanner.take("-") {
        var context = context
        context.isFirst = calls.isEmpty
        let rows = calls.isEmpty ? TransformerKey.all : TransformerKey.transformers
        guard let call = last.read(&scanner, rows, context) else { return nil }
        calls.append(call)
      }
      return scanner.atEnd ? (start, calls) : nil
    }
  }
}
