import Foundation
import TestSupport
import Testing
import Text

@testable import SDWebImageCache

@Suite("SDWebImage's keys", .timeLimit(.minutes(10)))
struct KeyTests {
  /// A key's mark is what Foundation of iOS 17 and later makes of it, whose path functions Linux has too.
  @Test func marksAreThoseOfFoundation() {
    var generator = SeededGenerator(state: 7)
    let pieces = [
      "a", "photo", ".png", ".", "..", "/", "//", "%20", "%2F", "%7E", "%7B", "%25", "%E5%9B%BE", "%ff",
      "%3A",
      "{", "}", " ", "é", "図", ":", ";", "@2x", "?q=1.5", "#f.g", ",", "(", ")", "+", "&", "=", "~", "-", "_",
      ".jpg", ".tar.gz", "[", "]", "%5B", "%23", "|", "\"", "<", "^", "`", "\\", "%3F", "%00",
    ]
    let heads = [
      "https://example.com/", "http://e.com:80/a/", "", "/", "user/", "data:image/png,", "https://e.com",
    ]
    var checked = 0
    for _ in 0..<20_000 {
      let tail = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let key = (heads.randomElement(using: &generator) ?? "") + tail.joined()
      guard let wanted = FoundationMark.transformed(key, by: "T({1.5},#f)") else { continue }
      checked += 1
      let own = SDImageCacheKey.transformed(key, by: "T({1.5},#f)")
      #expect(own.utf8.elementsEqual(wanted.utf8), "\(key): \(own), not \(wanted)")
    }
    #expect(checked > 10_000)
  }

  @Test(
    arguments: [
      ("https://e.com/a%FF.png", "5.19.6", ""), ("https://e.com/a%FF.png", "5.19.7", ".png"),
      ("photo:1.png", "5.19.6", ""), ("photo:1.png", "5.19.7", ".png"),
      ("1:a.png", "5.0.0", ".png"), ("https://e.com", "5.21.5", ""), ("https://e.com/a?b=c.d", "5.21.5", ""),
      ("https://e.com/..png", "5.21.5", ".png"), ("https://e.com/x.%3A", "5.21.5", ""),
      ("https://e.com/x.%3A", "5.19.6", ".:"), ("https://e.com/a.b%20c", "5.21.5", ""),
      ("https://e.com/x.a%2Fb", "5.21.5", ""), ("https://e.com/a.png/", "5.21.5", ".png"),
      ("https://e.com/St.%20Moritz", "5.21.5", ""), ("https://e.com/a.jpg%20", "5.0.0", ""),
      ("Dr. Smith", "5.21.5", ""), ("https://e.com/a-brand.mark v2", "5.21.5", ""),
      ("https://e.com/a b.png", "5.21.5", ".png"), ("https://e.com/a.png%D8%9C", "5.21.5", ""),
      ("https://e.com/a.%E2%80%8Fpng", "5.21.5", ""), ("https://e.com/a.p%E2%81%A6ng", "5.21.5", ""),
      ("https://e.com/a.%E2%80%8Bpng", "5.21.5", ".\u{200b}png"),
      ("https://e.com/a.%C2%A0", "5.21.5", ".\u{a0}"),
    ])
  func extensionsFollowTheRelease(key: String, version: String, suffix: String) throws {
    let name = SDImageCacheKey.fileName(forKey: key, version: try SDWebImageVersion(parsing: version))
    #expect(name.dropFirst(32) == suffix)
    #expect(SDImageCacheKey.nameWithoutExtension(forKey: key) == name.prefix(32))
  }

  /// What CoreFoundation takes for no extension leaves the key as it is, with the mark at its end.
  @Test(arguments: [
    ("https://e.com/St.%20Moritz", "https://e.com/St.%20Moritz-M"),
    ("https://e.com/a.jpg%20", "https://e.com/a.jpg%20-M"), ("Dr. Smith", "Dr. Smith-M"),
    ("https://e.com/a.p%E2%80%8Eng?q#f", "https://e.com/a.p%E2%80%8Eng?q#f-M"),
    ("https://e.com/a%20b.png", "https://e.com/a%20b-M.png"),
  ])
  func aMarkGoesBehindWhatIsNoExtension(key: String, marked: String) {
    #expect(SDImageCacheKey.transformed(key, by: "M") == marked)
  }

  /// A port is a number once a path is put into a URL.
  @Test(arguments: [
    ("https://e.com:007/a.png", "https://e.com:7/a-M.png"), ("https://e.com:/a.png", "https://e.com/a-M.png"),
    ("https://e.com:000/a.png", "https://e.com:0/a-M.png"),
    ("https://e.com:8080/a.png", "https://e.com:8080/a-M.png"),
    ("https://u:007@e.com/a.png", "https://u:007@e.com/a-M.png"),
    ("https://[::1]:080/a.png", "https://[::1]:80/a-M.png"), ("https://[::]/a.png", "https://[::]/a-M.png"),
    ("https://007/a.png", "https://007/a-M.png"), ("https://e.com:007/a", "https://e.com:007/a-M"),
    ("photo:/a.png", "photo:/a-M.png"), ("//e.com:07/a.png?b=:07", "//e.com:7/a-M.png?b=:07"),
  ])
  func aPortIsANumber(key: String, marked: String) {
    #expect(SDImageCacheKey.transformed(key, by: "M") == marked)
  }

  @Test func theLongestExtensionIsKept() {
    let longest = String(repeating: "x", count: 222)
    #expect(SDImageCacheKey.fileName(forKey: "https://e.com/a.\(longest)").hasSuffix("." + longest))
    #expect(SDImageCacheKey.fileName(forKey: "https://e.com/a.\(longest)x").utf8.count == 32)
    // A colon is taken out before the length counts.
    #expect(SDImageCacheKey.fileName(forKey: "https://e.com/a.\(longest):").hasSuffix("." + longest))
  }

  /// The first mark of a key without an extension makes one, before which the second goes.
  @Test func twoMarksGoInOneAfterTheOther() {
    let thumbnail = SDImageThumbnail(width: 200, height: 200)
    #expect(
      SDImageCacheKey.key(
        original: "https://e.com/noext", thumbnail: thumbnail, transformers: [.blur(radius: 5)])
        == "https://e.com/noext-Thumbnail(%7B200.000000,200-SDImageBlurTransformer(5.000000).000000%7D,1)")
    #expect(
      SDImageCacheKey.key(
        original: "https://e.com/a.png", thumbnail: thumbnail,
        transformers: [.blur(radius: 5), .blur(radius: 6)])
        == "https://e.com/a-Thumbnail(%7B200.000000,200.000000%7D,1)-SDImageBlurTransformer(5.000000)"
        + "-SDImageBlurTransformer(6.000000).png")
  }

  @Test(
    arguments: [
      (0, "0.000000"), (-0.0, "-0.000000"), (1e15, "1000000000000000.000000"), (-12.3456789, "-12.345679"),
      (0.0000004, "0.000000"), (1e22, "10000000000000000000000.000000"), (2.5e-7, "0.000000"),
    ])
  func numbersHaveSixDecimals(number: Double, text: String) {
    #expect(SDImageTransformer.blur(radius: number).key() == "SDImageBlurTransformer(\(text))")
  }

  @Test func componentsOfColoursAreRounded() {
    let color = SDImageTransformer.Color(red: 0.499, green: 0.5, blue: 1.0 / 510, alpha: 0.1)
    #expect(
      SDImageTransformer.tint(color: color, blendMode: nil).key() == "SDImageTintTransformer(#1a7f8001,18)")
    #expect(
      SDImageTransformer.tint(color: color, blendMode: .plusLighter).key()
        == "SDImageTintTransformer(#1a7f8001,27)")
  }

  @Test func whatAReleaseLacksHasAReason() {
    let color = SDImageTransformer.Color(red: 1, green: 0, blue: 0)
    let old = SDWebImageVersion(5, 19, 7)
    #expect(reason(SDImageTransformer.tint(color: color, blendMode: nil).call, old) == nil)
    #expect(reason(SDImageTransformer.tint(color: color, blendMode: .copy).call, old) != nil)
    #expect(reason(SDImageTransformer.tint(color: color, blendMode: .copy).call, .latest) == nil)
    #expect(reason(SDImageThumbnail(width: 1, height: 1).call, SDWebImageVersion(5, 4, 3)) != nil)
    #expect(reason(SDImageThumbnail(width: 1, height: 1).call, SDWebImageVersion(5, 5, 0)) == nil)
    for number in [Double.infinity, -.infinity, .nan] {
      #expect(reason(SDImageTransformer.blur(radius: number).call, .latest) != nil)
      #expect(reason(SDImageThumbnail(width: 1, height: number).call, .latest) != nil)
    }
    let wide = SDImageTransformer.Color(red: 1.1, green: 0, blue: 0)
    #expect(reason(SDImageTransformer.tint(color: wide, blendMode: nil).call, .latest) != nil)
    #expect(reason(SDImageTransformer.custom(key: "").call, .latest) != nil)
  }

  @Test(
    arguments: [
      ("https://e.com/a@2x.png", 2), ("https://e.com/a%402x.png", 2), ("https://e.com/a@3x.png?b", 3),
      ("https://e.com/a.png", nil), ("a@2x.pn", nil), ("a@2x.png", 2), ("a%402x.png", nil),
      ("https://e.com/a@2x", nil), ("https://e.com/@3x.@2x.png", 2),
    ] as [(String, Double?)])
  func theKeySaysTheScale(key: String, scale: Double?) {
    #expect(SDImageCacheKey.scale(ofKey: key) == scale)
  }
}

private func reason(_ call: ProcessorCall, _ version: SDWebImageVersion) -> String? {
  TransformerKey.unsupportedReason(call, KeyContext(release: Release(version)))
}

/// `SDTransformedKeyForKey` with Foundation's own functions; nil where Linux's are known to differ from Apple's.
private enum FoundationMark {
  static func transformed(_ key: String, by mark: String) -> String? {
    guard let url = URL(string: key) else { return raw(key, mark) }
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
    // An opaque URL has no path for `NSURL`, and neither has one whose path is no UTF-8.
    if let scheme = components.scheme, !url.absoluteString.dropFirst(scheme.count + 1).hasPrefix("/") {
      return nil
    }
    let path = components.path
    if path.hasSuffix("//") { return nil }
    if stops(path) { return nil }
    guard path.isEmpty == components.percentEncodedPath.isEmpty else { return "\(key)-\(mark)" }
    let found = pathExtension(path)
    guard !found.isEmpty else { return "\(key)-\(mark)" }
    components.path = (path as NSString).deletingPathExtension + "-" + mark + "." + found
    return components.url?.absoluteString
  }

  /// Linux's `NSString` lacks the rule about spaces.
  private static func pathExtension(_ path: String) -> String {
    let found = (path as NSString).pathExtension
    return found.contains(" ") ? "" : found
  }

  /// Linux's path functions stop the process at some paths with repeated slashes.
  private static func stops(_ path: String) -> Bool {
    path.contains("//") && (path.hasSuffix("/") || path.utf8.contains { $0 > 0x7f })
  }

  private static func raw(_ key: String, _ mark: String) -> String? {
    if stops(key) { return nil }
    let found = pathExtension(key)
    return found.isEmpty
      ? "\(key)-\(mark)" : (key as NSString).deletingPathExtension + "-" + mark + "." + found
  }
}
