import ClientKit
import Foundation
import KingfisherCache
import Syntax
import Testing
import Text

@testable import ClientRegistry

/// The printed request, turned back into a key by Kingfisher's own rules, is the key of the plan.
@Suite("Kingfisher's code and its keys", .timeLimit(.minutes(10)))
struct CodeKeyTests {
  @Test func tenThousandPrintedRequestsLeadToThePlannedKeys() throws {
    let dice = Dice()
    for _ in 0..<10_000 {
      let (client, chain) = dice.request()
      let scale = dice.one(of: [1, 2, 3, 1.5])
      let url = dice.one(of: ["https://e.com/a.png", "file:///Apps/S.app/img/a.png", "file:///tmp/a.png"])
      let hasIDs = Bool.random()
      let id = hasIDs && Bool.random() ? dice.one(of: ["i", "k\"1\\\n", "a@b"]) : nil
      var options = RequestOptions.none
      options.imageID = id
      let code = client.code(named: "card", chain: chain, scales: [scale], hasIDs: hasIDs)
      let read = try PrintedRequest(code.text, client, url: url, id: id).request
      let planned = ClientRules.Request(
        baseKey: client.baseKey(url: url, options: options, stripQuery: []),
        identifier: String(client.form(of: chain, scale: scale).suffix.text.dropFirst()),
        scaleFactor: scale, forcedExtension: client.format.naming.forcedExtension)
      #expect(read == planned, "\(client.identity)\n\(code.text)")
      if read != planned { return }
    }
  }

  private func client(
    _ version: KingfisherVersion, _ style: KingfisherKeyFormat.Style, path: String? = nil,
    automatic: Bool = false
  ) -> KingfisherClient {
    var values = SettingValues()
    values[KingfisherSettings.style] = style
    values[KingfisherSettings.pathExtension] = path
    values[KingfisherSettings.autoExtension] = automatic
    return KingfisherClient(version: version, values: values)
  }

  private func text(_ client: KingfisherClient, _ processors: [BuiltInProcessor]) -> String {
    client.code(named: "card", chain: Chain(processors), scales: [1], hasIDs: false).text
  }

  @Test func onlyTheModifierReplacesTheDefaultProcessor() {
    let builder = client(.latest, .builder)
    let small = DownsamplingImageProcessor(size: .init(width: 5, height: 5))
    #expect(text(builder, [small]).contains("\n    .downsampling(size: .init(width: 5, height: 5))\n"))
    let appended = ".appendProcessor(DownsamplingImageProcessor(size: .init(width: 5, height: 5)))"
    #expect(text(builder, [BlackWhiteProcessor(), small]).contains(appended))
    // The app's own `appendProcessor` first: `default` stands for what the builder starts with.
    #expect(text(builder, [DefaultImageProcessor.default, small]).contains(appended))
    #expect(!text(builder, [DefaultImageProcessor.default, small]).contains("DefaultImageProcessor"))
    #expect(!text(builder, [DefaultImageProcessor.default]).contains("Processor"))
  }

  @Test func whatTheWholeCacheHasSetIsAComment() {
    let note = "// Before the first request: ImageCache.default.diskStorage.config."
    for style in KingfisherKeyFormat.Style.allCases {
      let code = text(client(.latest, style, path: "j\"g", automatic: true), [])
      #expect(code.hasPrefix("\(note)pathExtension = \"j\\\"g\"\n\(note)autoExtAfterHashedFileName = true\n"))
      #expect(!text(client(.latest, style), []).contains("//"))
    }
  }
}

/// The parts of a printed function that make its key.
private struct PrintedRequest {
  var request: ClientRules.Request

  init(_ text: String, _ client: KingfisherClient, url: String, id: String?) throws {
    let rules = ClientRules(version: client.format.version)
    var code = text
    func between(_ start: String, _ end: String) throws -> String {
      guard let from = code.range(of: start),
        let to = code.range(of: end, range: from.upperBound..<code.endIndex)
      else { throw PrintedSwift.Unreadable(text: code) }
      return String(code[from.upperBound..<to.lowerBound])
    }
    if client.format.style == .options {
      let options = try between(
        "cardOptions: KingfisherOptionsInfo {\n", "\n}\n\n@MainActor static func card(")
      request = try rules.request(
        with: PrintedSwift(try between("view.kf.setImage(with: ", ", options: cardOptions)\n}")),
        options: PrintedSwift(options), url: url, id: id)
      return
    }
    code = try between(" -> KFImage {\n", "\n}")
    guard client.format.naming.forcedExtension != nil else {
      request = try rules.request(builder: PrintedSwift(code), url: url, id: id)
      return
    }
    let forced = try PrintedSwift(try between("image.options.forcedExtension = ", "\n  return image"))
    let builder = try PrintedSwift(try between("let image = ", "\n  image.options"))
    request = try rules.request(builder: builder, url: url, id: id)
    if case .text(let text) = forced { request.forcedExtension = text }
  }
}

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
    case 0: DefaultImageProcessor.default
    case 1:
      ResizingImageProcessor(referenceSize: size(), mode: one(of: BuiltInProcessor.ContentMode.allCases))
    // Often, since it has a modifier of its own.
    case 2...4: DownsamplingImageProcessor(size: size())
    case 5:
      RoundCornerImageProcessor(
        radius: radius(), targetSize: Bool.random() ? size() : nil, roundingCorners: corners(),
        backgroundColor: Bool.random() ? color() : nil)
    case 6: BlurImageProcessor(blurRadius: number())
    case 7: OverlayImageProcessor(overlay: color(), fraction: number())
    case 8: TintImageProcessor(tint: color())
    case 9:
      ColorControlsProcessor(
        brightness: number(), contrast: number(), saturation: number(), inputEV: number())
    case 10: BlackWhiteProcessor()
    case 11: CroppingImageProcessor(size: size(), anchor: .init(x: number(), y: number()))
    case 12:
      BlendImageProcessor(
        blendMode: one(of: BuiltInProcessor.BlendMode.allCases), alpha: number(),
        backgroundColor: Bool.random() ? color() : nil)
    case 13:
      BorderImageProcessor(
        border: Border(color: color(), lineWidth: number(), radius: radius(), roundingCorners: corners()))
    case 14: BuiltInProcessor(.custom(one(of: ["com.e.own", "a(b)|>c", "\"\\\u{202E}\n"])))
    default: BuiltInProcessor(ProcessorCall("blackWhite", as: "com.e.mono"))
    }
  }

  private func number() -> Double {
    one(of: [
      0, -0.0, 1, 44, 0.1, 33.3 * 3, 1e-5, 1e16, 9_007_199_254_740_994, .random(in: -9...99),
      Double(Int.random(in: 0...4000)),
    ])
  }

  private func size() -> CGSize { .init(width: number(), height: number()) }

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
