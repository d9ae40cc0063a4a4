import ClientKit
import KingfisherCache
import Syntax

@testable import KingfisherClient

/// Requests at random, of all versions and all processors.
struct Dice {
  private static let versions: [KingfisherVersion] =
    KingfisherVersion.newestPatches.flatMap { major, patches in
      patches.enumerated().map { KingfisherVersion(major, $0, $1) }
    } + [KingfisherVersion(7, 2, 0), KingfisherVersion(7, 1, 0), KingfisherVersion(6, 1, 0)]

  func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices)] }

  /// A client, and a chain that its version has.
  func request() -> (KingfisherClient, Chain) {
    while true {
      let version = one(of: Self.versions)
      var values = SettingValues()
      values[KingfisherSettings.style] = one(of: KingfisherKeyFormat.Style.allCases)
      if version >= KingfisherVersion(8, 1, 0), Int.random(in: 0..<4) == 0 {
        values[KingfisherSettings.forcedExtension] = one(of: ["heic", "a\"b"])
      }
      let client = KingfisherClient(version: version, values: values)
      let chain = (0..<Int.random(in: 0...4)).map { _ in processor() }
      if client.format.unsupportedReason(chain.map(\.call)) == nil { return (client, Chain(chain)) }
    }
  }

  private func processor() -> BuiltInProcessor {
    switch Int.random(in: 0..<16) {
    case 0: .default
    case 1: .resizing(referenceSize: size(), mode: one(of: BuiltInProcessor.ContentMode.allCases))
    // Often, since it has a modifier of its own.
    case 2...4: .downsampling(size: size())
    case 5:
      .roundCorner(
        radius: radius(), targetSize: Bool.random() ? size() : nil, corners: corners(),
        backgroundColor: Bool.random() ? color() : nil)
    case 6: .blur(blurRadius: number())
    case 7: .overlay(color: color(), fraction: number())
    case 8: .tint(color: color())
    case 9: .colorControls(brightness: number(), contrast: number(), saturation: number(), inputEV: number())
    case 10: .blackWhite
    case 11: .cropping(size: size(), anchor: .init(x: number(), y: number()))
    case 12:
      .blend(
        mode: one(of: BuiltInProcessor.BlendMode.allCases), alpha: number(),
        backgroundColor: Bool.random() ? color() : nil)
    case 13: .border(color: color(), lineWidth: number(), radius: radius(), corners: corners())
    case 14: .custom(identifier: one(of: ["com.e.own", "a(b)|>c", "\"\\\u{202E}\n"]))
    default: .identified(.blackWhite, as: "com.e.mono")
    }
  }

  private func number() -> Double {
    one(of: [
      0, -0.0, 1, 44, 0.1, 33.3 * 3, 1e-5, 1e16, 9_007_199_254_740_994, .random(in: -9...99),
      Double(Int.random(in: 0...4000)),
    ])
  }

  private func size() -> BuiltInProcessor.Size { .init(width: number(), height: number()) }

  private func radius() -> BuiltInProcessor.Radius {
    one(of: [.point(number()), .widthFraction(number()), .heightFraction(number())])
  }

  private func corners() -> BuiltInProcessor.RectCorner { .init(rawValue: .random(in: 0...15)) }

  /// Inside 0...1, where every version's print is simple.
  private func color() -> BuiltInProcessor.Color {
    func part() -> Double { one(of: [0, 1, 0.5, 0.125, .random(in: 0...1)]) }
    return Bool.random()
      ? .rgba(red: part(), green: part(), blue: part(), alpha: part()) : .gray(white: part(), alpha: part())
  }
}

extension Chain {
  init(_ processors: [BuiltInProcessor]) { self.init(processors.map(\.call)) }
}
