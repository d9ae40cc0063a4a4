import Foundation

/// A space of RGB colours, and a profile of it.
struct TestProfile {
  /// X, Y and Z of red, green and blue under D50.
  var colors: [[Double]]
  /// g, a, b, c and d of the curve (ICC.1:2022, table 68, the fourth form).
  var curve: [Double]
  /// Other tags.
  var extra: [(name: String, data: [UInt8])] = []
  /// The curve as so many numbers.
  var tableCount: Int?
  var space = "RGB "
  /// In place of colours and curve: what perceptual intent makes of the numbers (ICC.1:2022, section 10.11).
  var table: [UInt8]?

  /// White is black in it, and all colours are grey.
  static let perceptualNegative: TestProfile = {
    let ramp = [UInt8](0...255)
    let curves: [UInt8] = ramp + ramp + ramp
    var table: [UInt8] = Array("mft1".utf8) + [0, 0, 0, 0, 3, 3, 2, 0]
    for cell in [1, 0, 0, 0, 1, 0, 0, 0, 1] { table += bigEndian(cell << 16) }
    table += curves
    for corner in 0..<8 { table += [UInt8(255 * (3 - corner.nonzeroBitCount) / 3), 128, 128] }
    table += curves
    var profile = TestProfile.sRGB
    profile.table = table
    return profile
  }()

  static let sRGBCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

  static let p3 = TestProfile(
    colors: [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]],
    curve: sRGBCurve)
  static let adobe = TestProfile(
    colors: [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]],
    curve: [2.19922, 1, 0, 0, 0])
  static let sRGB = TestProfile(
    colors: [[0.436, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]], curve: sRGBCurve)

  var bytes: [UInt8] {
    var tags = [
      ("desc", Self.text("A space with rather a long name")),
      ("cprt", Self.text(String(repeating: "c", count: 300))),
    ]
    if let table {
      tags.append(("A2B0", table))
    } else if space == "GRAY" {
      tags.append(("kTRC", curveTag))
    } else {
      for (name, color) in zip(["r", "g", "b"], colors) {
        tags += [("\(name)XYZ", Self.xyz(color)), ("\(name)TRC", curveTag)]
      }
    }
    tags += [("wtpt", Self.xyz([0.9642, 1, 0.8249]))] + extra
    var (rows, body): ([UInt8], [UInt8]) = ([], [])
    for (name, data) in tags {
      rows += Array(name.utf8) + bigEndian(132 + 12 * tags.count + body.count) + bigEndian(data.count)
      body += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
    }
    var head = bigEndian(132 + rows.count + body.count) + Array("test".utf8) + [4, 0x20, 0, 0]
    head +=
      Array("mntr\(space)\(table == nil ? "XYZ " : "Lab ")".utf8) + [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
      + Array("acsp".utf8)
    head += [UInt8](repeating: 0, count: 28) + Self.xyz([0.9642, 1, 0.8249]).dropFirst(8)
    head += [UInt8](repeating: 0, count: 128 - head.count)
    return head + bigEndian(tags.count) + rows + body
  }

  /// The chunk of a PNG.
  var chunk: (name: String, bytes: [UInt8]) { ("iCCP", Array("p".utf8) + [0, 0] + TestPicture.zlib(bytes)) }

  /// A JPEG with a profile behind its first marker.
  static func insert(_ profile: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    Exif.insert(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile, into: jpeg)
  }

  /// What a profile says, by three XYZ tags and one curve.
  init?(reading profile: [UInt8]) {
    if profile.isEmpty { return nil }
    func long(_ at: Int) -> Int { profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func fixed(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: long(at))) / 65_536 }
    var tags: [String: Int] = [:]
    for row in 0..<long(128) {
      tags[String(decoding: profile[132 + 12 * row..<136 + 12 * row], as: UTF8.self)] = long(136 + 12 * row)
    }
    let places = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0] }
    guard places.count == 3, let curve = tags["rTRC"], profile[curve] == UInt8(ascii: "p") else { return nil }
    colors = places.map { at in (0..<3).map { fixed(at + 8 + 4 * $0) } }
    let isGamma = profile[curve + 9] == 0
    self.curve = isGamma ? [fixed(curve + 12), 1, 0, 0, 0] : (0..<5).map { fixed(curve + 12 + 4 * $0) }
  }

  init(colors: [[Double]], curve: [Double]) { (self.colors, self.curve) = (colors, curve) }

  func light(_ level: Double) -> Double {
    level < curve[4] ? curve[3] * level : pow(curve[1] * level + curve[2], curve[0])
  }

  /// CIELAB under D50.
  func lab(_ levels: [UInt8]) -> [Double] {
    let lights = levels.prefix(3).map { light(Double($0) / 255) }
    let white = [0.9642, 1, 0.8249]
    let f = (0..<3).map { axis in
      let value = (0..<3).reduce(0) { $0 + colors[$1][axis] * lights[$1] } / white[axis]
      return value > 216 / 24_389 ? cbrt(value) : (24_389 / 27 * value + 16) / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  private var curveTag: [UInt8] {
    guard let tableCount else {
      return Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0] + curve.flatMap(Self.fixed)
    }
    let numbers = (0..<tableCount).map { Int(light(Double($0) / Double(tableCount - 1)) * 65_535 + 0.5) }
    return Array("curv".utf8) + [0, 0, 0, 0] + bigEndian(tableCount)
      + numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  private static func fixed(_ value: Double) -> [UInt8] { bigEndian(Int((value * 65_536).rounded())) }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
  }

  private static func text(_ text: String) -> [UInt8] {
    Array("mluc".utf8) + [0, 0, 0, 0] + bigEndian(1) + bigEndian(12) + Array("enUS".utf8)
      + bigEndian(2 * text.count)
      + bigEndian(28) + text.utf8.flatMap { [0, $0] }
  }
}
