import Foundation
import NukeCache
import Pictures
import TestSupport
import Testing

/// The built command on real pictures over real HTTP.
@Suite(.timeLimit(.minutes(10)))
struct RunTests {
  static let images = Fixtures.folder.appendingPathComponent("images")

  /// A folder with a job in it.
  private func job(
    _ lines: String, head: String = "client nuke 12\ncache cache\nscale 2 3\nallow-private 127.0.0.1\n"
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data((head + lines + "\n").utf8).write(to: folder.file("test.job"))
    return folder
  }

  private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path)
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.file("cache/\($0)"))) })
  }

  private static let chains = """
    chain card   = resize(width: 60)
    chain avatar = resize(size: 44x44, crop: true) | circle
    chain list   = thumbnail(maxPixelSize: 100)
    """

  @Test func everyRenditionLiesWhereTheAppLooks() throws {
    let server = try NginxServer(serving: Self.images)
    let names = ["mountains.jpg", "portrait-6.jpg", "balloons.webp", "logo.png", "planets.gif"]
    let folder = try job(
      Self.chains + "\n"
        + names.map { "\(server.baseURL)/\($0) card avatar list original" }.joined(separator: "\n"))
    let result = try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url)
    #expect(result.status == 0, "\(result.messages)")

    let files = try contents(folder)
    for name in names {
      let url = "\(server.baseURL)/\(name)"
      let original = try Data(contentsOf: Self.images.appendingPathComponent(name))
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

  @Test func aPortraitStandsUpright() throws {
    let folder = try job("./portrait-6.jpg resize(width: 60)")
    try FileManager.default.copyItem(
      at: Self.images.appendingPathComponent("portrait-6.jpg"), to: folder.file("portrait-6.jpg"))
    #expect(try BuiltCommand.run(["run", "test.job"], in: folder.url).status == 0)
    let sizes = try contents(folder).filter { $0.key.count == 40 }.values.map {
      try ImageHeader.read([UInt8]($0))
    }.map {
      [$0.width, $0.height]
    }
    #expect(Set(sizes) == [[120, 160], [180, 240]])
  }

  @Test func aSecondRunMakesNothingAgainAndTransfersNoBody() throws {
    let server = try NginxServer(serving: Self.images)
    let folder = try job(Self.chains + "\n\(server.baseURL)/mountains.jpg card avatar list original")
    #expect(try BuiltCommand.run(["run", "test.job"], in: folder.url).status == 0)
    let first = try contents(folder)
    let requests = try server.requests().count
    let second = try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url)
    #expect(second.status == 0)
    // Fresh or not: nothing but header fields came.
    #expect(try server.answers().dropFirst(requests).allSatisfy { $0.status == 304 && $0.bytes == 0 })
    #expect(try contents(folder) == first)
    #expect(try second.objects().last?["current"] as? Int == 6)
  }

  @Test func aLostFileIsMadeAgainToTheSameBytes() throws {
    let server = try NginxServer(serving: Self.images)
    let folder = try job(Self.chains + "\n\(server.baseURL)/mountains.jpg card avatar")
    #expect(try BuiltCommand.run(["run", "test.job"], in: folder.url).status == 0)
    let first = try contents(folder)
    let victim = try #require(first.keys.sorted().last)
    try FileManager.default.removeItem(at: folder.file("cache/\(victim)"))
    let second = try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url)
    #expect(try second.objects().last?["made"] as? Int == 1)
    #expect(try contents(folder) == first)
  }

  @Test func twoFoldersFromOneJobAreByteIdentical() throws {
    let server = try NginxServer(serving: Self.images)
    let lines =
      Self.chains + "\n"
      + ["mountains.jpg", "logo.png", "progressive.jpg", "cmyk.jpg", "grey.jpg"]
      .map { "\(server.baseURL)/\($0) card avatar list roundedCorners(radius: 8) | gaussianBlur(radius: 2)" }
      .joined(separator: "\n")
    let one = try job(lines)
    let two = try job(lines)
    #expect(try BuiltCommand.run(["run", "test.job", "-w", "1"], in: one.url).status == 0)
    let other = ["TZ": "Asia/Tokyo", "LC_ALL": "C"]
    #expect(
      try BuiltCommand.run(["run", "test.job", "-w", "4"], in: two.url, environment: other).status == 0)
    #expect(try contents(one) == contents(two))
  }

  @Test func nothingOfPreheatsOwnIsInTheCache() throws {
    let folder = try job("./logo.png circle")
    try FileManager.default.copyItem(
      at: Self.images.appendingPathComponent("logo.png"), to: folder.file("logo.png"))
    #expect(try BuiltCommand.run(["run", "test.job"], in: folder.url).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache").path).sorted()
    #expect(names.first == ".data-cache-info")
    #expect(names.count == 2 && names.last?.count == 40)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache.preheat/tmp").path)
    #expect(left.isEmpty)
  }
}
