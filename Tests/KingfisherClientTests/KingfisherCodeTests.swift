import ClientKit
import Foundation
import KingfisherCache
import Syntax
import Testing

@testable import ClientRegistry

/// Printed requests; ``GeneratedCodeTests`` makes them and compares their keys.
@Suite("Kingfisher's code", .timeLimit(.minutes(10)))
struct KingfisherCodeTests {
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
    client.code(("card", Chain(processors.map(\.call)), [1], false, .none)).text
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
