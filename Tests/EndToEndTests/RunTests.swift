import Foundation
import NukeCache
import Pictures
import TestSupport
import Testing

/// The built command on real pictures over real HTTP.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct RunTests {
  private static let chains = """
    chain card   = resize(width: 60)
    chain avatar = resize(size: 44x44, crop: true) | circle
    chain list   = thumbnail(maxPixelSize: 100)
    """

  @Test func everyRenditionLiesWhereTheAppLooks() throws {
    let server = try NginxServer(serving: Scene.images)
    let names = ["mountains.jpg", "portrait-6.jpg", "balloons.webp", "logo.png", "planets.gif"]
    let lines = names.map { "\(server.baseURL)/\($0) card avatar list original" }
    let scene = try Scene(
      ([Self.chains] + lines).joined(separator: "\n"),
      head: "client nuke 12\ncache cache\nscale 2 3\nallow-private 127.0.0.1\n")
    let result = try scene.run(["--json"]).expect(0)

    let files = try scene.files()
    #expect(files.keys.filter { $0.count != 40 } == [".data-cache-info"], "nothing else is ours")
    for name in names {
      let url = "\(server.baseURL)/\(name)"
      let original = try Data(contentsOf: Scene.images.appendingPathComponent(name))
      #expect(files[try fileName(url)] == original)
      for scale in [2.0, 3.0] {
        let card = try #require(files[try fileName(url, scale, [.resize(width: 60)])])
        let avatar = try #require(
          files[try fileName(url, scale, [.resize(width: 44, height: 44, crop: true), .circle()])])
        if name == "planets.gif" {
          // Nuke 12.1 and later keeps a GIF's own bytes under every key.
          #expect(card == original && avatar == original)
          continue
        }
        let cardHeader = try ImageHeader.read([UInt8](card))
        #expect(cardHeader.width == Int(60 * scale))
        #expect(name != "portrait-6.jpg" || cardHeader.height == Int(80 * scale), "it stands upright")
        #expect(cardHeader.format == (name == "logo.png" ? .png : .jpeg))
        let avatarHeader = try ImageHeader.read([UInt8](avatar))
        #expect(avatarHeader.format == .png)
        #expect(avatarHeader.width == Int(44 * scale) && avatarHeader.height == Int(44 * scale))
      }
    }
    // Each source was downloaded once, whatever is made of it.
    #expect(try server.requests().sorted() == names.map { "/\($0)" }.sorted())
    let summary = try #require(try result.objects().last)
    #expect(summary["type"] as? String == "summary")
    #expect(summary["made"] as? Int == 30)
  }

  private func fileName(
    _ url: String, _ scale: Double = 1, _ processors: [ImageProcessor] = []
  ) throws -> String {
    let format = CacheKeyFormat(version: NukeVersion(12, 9, 0), screenScale: scale)
    return try #require(
      CacheKeyFormat.fileName(forKey: format.dataCacheKey(imageID: url, processors: processors)))
  }
}
