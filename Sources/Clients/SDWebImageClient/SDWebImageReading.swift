import ClientKit
import Foundation
import SDWebImageCache

/// A key read backwards: what it was made of. The path of a key with marks was decoded and encoded again, so the base
/// key is one of several that make the same key.
package struct SDWebImageReading: Hashable, Sendable {
  /// The original key: a URL, or what a `cacheKeyFilter` returned.
  package var base: String
  package var request: SDWebImageRequest

  /// The chain's members as a job spells them.
  package var members: [String] {
    (request.thumbnail.map { [$0.jobText] } ?? []) + request.transformers.map(\.jobText)
  }

  /// The chain as a job spells it.
  package var chainText: String { members.isEmpty ? "original" : members.joined(separator: " | ") }

  /// What a key may have been made of, the longest chain first. Each makes exactly this key by the client's rules; the
  /// last is the key itself as an original. Keys of transformers of an app's own cannot be told from names.
  package static func readings(ofKey key: String, client: SDWebImageClient) -> [SDWebImageReading] {
    var found: [SDWebImageReading] = []
    for candidate in candidates(of: key) + [SDWebImageReading(base: key, request: SDWebImageRequest())] {
      let suffix = client.form(of: candidate.request.chain, scale: 1).suffix
      let made = client.joinedKey(base: candidate.base, suffix) ?? candidate.base
      guard made.utf8.elementsEqual(key.utf8), !candidate.base.isEmpty, !found.contains(candidate),
        client.unsupportedReason(candidate.request.chain) == nil
      else { continue }
      found.append(candidate)
    }
    return found
  }

  /// Marks stand before the extension, at the end, or, where a thumbnail's mark made an extension, inside of that mark.
  private static func candidates(of key: String) -> [SDWebImageReading] {
    var found: [SDWebImageReading] = []
    func add(_ text: [UInt8], _ base: ([UInt8]) -> String) {
      for (start, request) in MarkReader.marks(endingIn: text) {
        found.append(SDWebImageReading(base: base(Array(text[..<start])), request: request))
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
      for (start, inner) in MarkReader.marks(endingIn: stem) where inner.thumbnail == nil {
        for (end, outer) in MarkReader.marks(endingIn: Array(stem[..<start]) + tail)
        where outer.thumbnail != nil && outer.transformers.isEmpty {
          let request = SDWebImageRequest(thumbnail: outer.thumbnail, transformers: inner.transformers)
          found.append(SDWebImageReading(base: text(Array(stem[..<end])), request: request))
        }
      }
      add(stem) { text($0 + tail) }
    }
    add(Array(key.utf8)) { String(decoding: $0, as: UTF8.self) }
    return found
  }
}

extension SDWebImageClient {
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    let readings = SDWebImageReading.readings(ofKey: key, client: self)
    guard let base else {
      let found = readings.first ?? SDWebImageReading(base: key, request: SDWebImageRequest())
      return KeyReading(base: found.base, members: found.members)
    }
    if let found = readings.first(where: { $0.base.utf8.elementsEqual(base.utf8) }) {
      return KeyReading(base: found.base, members: found.members)
    }
    if let own = ownMark(of: key, base: base) {
      return KeyReading(base: base, members: [MemberSpelling.custom(own)], unknown: [own])
    }
    let found = readings.first ?? SDWebImageReading(base: key, request: SDWebImageRequest())
    return KeyReading(base: found.base, members: found.members)
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

/// Reads marks out of text, from a hyphen on to its end.
private struct MarkReader {
  private var rest: KeyScanner

  /// All places at which the text ends with marks, each behind a hyphen; the first place first.
  static func marks(endingIn text: [UInt8]) -> [(start: Int, request: SDWebImageRequest)] {
    let starts = ["-Thumbnail(", "-SDImage"].flatMap { mark in
      text.indices.filter { text[$0...].starts(with: mark.utf8) }
    }
    return starts.sorted().compactMap { start in
      var reader = MarkReader(rest: KeyScanner(text[(start + 1)...]))
      return reader.request().map { (start, $0) }
    }
  }

  private mutating func request() -> SDWebImageRequest? {
    var request = SDWebImageRequest()
    if rest.isAt("Thumbnail(") {
      guard let thumbnail = thumbnail() else { return nil }
      request.thumbnail = thumbnail
      if rest.atEnd { return request }
      guard take("-") else { return nil }
    }
    repeat {
      guard let transformer = transformer() else { return nil }
      request.transformers.append(transformer)
    } while take("-")
    return rest.atEnd ? request : nil
  }

  private mutating func thumbnail() -> SDImageThumbnail? {
    guard take("Thumbnail({"), let width = number(), take(","), let height = number(), take("},"),
      let preserves = flag(), take(")")
    else { return nil }
    return SDImageThumbnail(width: width, height: height, preservesAspectRatio: preserves)
  }

  private mutating func transformer() -> SDImageTransformer? {
    guard take("SDImage") else { return nil }
    if take("ResizingTransformer({") {
      guard let width = number(), take(","), let height = number(), take("},"), let raw = whole(), take(")"),
        let mode = Int(exactly: raw).flatMap(SDImageTransformer.ScaleMode.init(rawValue:))
      else { return nil }
      return .resizing(size: .init(width: width, height: height), scaleMode: mode)
    }
    if take("CroppingTransformer({") {
      guard let x = number(), take(","), let y = number(), take(","), let width = number(), take(","),
        let height = number(), take("})")
      else { return nil }
      return .cropping(rect: .init(x: x, y: y, width: width, height: height))
    }
    if take("RoundCornerTransformer(") { return roundCorner() }
    if take("FlippingTransformer(") {
      guard let horizontal = flag(), take(","), let vertical = flag(), take(")") else { return nil }
      return .flipping(horizontal: horizontal, vertical: vertical)
    }
    if take("RotationTransformer(") {
      guard let angle = number(), take(","), let fits = flag(), take(")") else { return nil }
      return .rotation(angle: angle, fitSize: fits)
    }
    if take("TintTransformer(") { return tint() }
    if take("BlurTransformer(") {
      guard let radius = number(), take(")") else { return nil }
      return .blur(radius: radius)
    }
    if take("FilterTransformer("), let name = rest.text(upTo: ")"), take(")") { return .filter(name: name) }
    return nil
  }

  private mutating func roundCorner() -> SDImageTransformer? {
    guard let radius = number(), take(","), let corners = whole(), take(","), let width = number(), take(",")
    else { return nil }
    let color = take("(null)") ? nil : color()
    guard take(")") else { return nil }
    return .roundCorner(
      radius: radius, corners: .init(rawValue: corners), borderWidth: width, borderColor: color)
  }

  /// The mode stands there since 5.20.0; the usual one is that of a tint without.
  private mutating func tint() -> SDImageTransformer? {
    guard let color = color() else { return nil }
    if take(")") { return .tint(color: color, blendMode: nil) }
    guard take(","), let raw = whole(), take(")"),
      let mode = Int(exactly: raw).flatMap(SDImageTransformer.BlendMode.init(rawValue:))
    else { return nil }
    return .tint(color: color, blendMode: mode == .sourceIn ? nil : mode)
  }

  private mutating func take(_ text: String) -> Bool { rest.take(text) }

  private mutating func flag() -> Bool? { take("1") ? true : take("0") ? false : nil }

  private mutating func whole() -> UInt? { rest.unsigned() }

  private mutating func number() -> Double? { rest.number().flatMap { $0.isFinite ? $0 : nil } }

  /// `#aarrggbb`.
  private mutating func color() -> SDImageTransformer.Color? {
    guard take("#") else { return nil }
    let digits = rest.hexadecimals()
    guard digits.count == 8, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return nil
    }
    func part(_ shift: UInt32) -> Double { Double(value >> shift & 0xff) / 255 }
    return .init(red: part(16), green: part(8), blue: part(0), alpha: part(24))
  }
}
