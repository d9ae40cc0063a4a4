import Foundation
import KingfisherCache
import NukeCache
import Pictures
import SDWebImageCache
import TestSupport
import Testing

/// What a run leaves of an animated GIF, as each client's own library finds it.
@Suite(.timeLimit(.minutes(10)))
struct AnimatedSourceTests {
  private let folder: TemporaryFolder
  private let server: NginxServer
  private let url: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("www")
    try Data(GIFFilm.sample).write(to: folder.file("www/film.gif"))
    server = try NginxServer(serving: folder.file("www"))
    url = "\(server.baseURL)/film.gif"
  }

  /// - Returns: the renditions and the summary, as `run --json` prints them.
  private func run(_ client: String, _ cache: String, _ chains: String) throws -> [[String: Any]] {
    let job = "client \(client)\ncache \(cache)\nallow-private 127.0.0.1\n\(url) \(chains)\n"
    try folder.write(job, to: "test.job")
    let result = try BuiltCommand.run(["run", "test.job", "--json"], in: folder.url).expect(0)
    return try result.objects().filter { $0["type"] as? String != "diagnostic" }
  }

  private func nuke(_ release: String, _ processor: NukeCache.ImageProcessor) throws -> [UInt8]? {
    let format = CacheKeyFormat(version: try NukeVersion(parsing: release), screenScale: 1)
    let key = format.dataCacheKey(imageID: url, processors: [processor])
    return try DataCache(path: folder.file("nuke-\(release)")).cachedData(for: key).map { [UInt8]($0) }
  }

  @Test func nukeFindsTheGIFsOwnBytesFrom1210On() throws {
    for release in ["12.0.0", "12.1.0"] {
      let objects = try run("nuke \(release)", "nuke-\(release)", "circle")
      #expect(objects.first?["status"] as? String == "made")
      let note = try #require(objects.first?["note"] as? String)
      #expect(note.hasPrefix("animated GIF: "), "\(note)")
    }
    let still = try #require(try nuke("12.0.0", .circle()))
    #expect(try ImageHeader.read(still).format == .png)
    #expect(try nuke("12.1.0", .circle()) == GIFFilm.sample)
  }

  @Test func kingfisherFindsNothingOfAProcessedGIF() throws {
    let cache = "com.onevcat.Kingfisher.ImageCache.default"
    let objects = try run("kingfisher 8", cache, "blur(blurRadius: 4)")
    #expect(objects.first?["status"] as? String == "notStored")
    #expect(objects.first?["hit"] as? Bool == false)
    #expect((objects.first?["note"] as? String)?.contains("in memory alone") == true)
    #expect(objects.last?["animated"] as? Int == 1)
    let storage = try DiskStorage.Backend(config: .init(name: "default", directory: folder.url))
    let identifier = BlurImageProcessor(blurRadius: 4).identifier
    #expect(try storage.value(forKey: "\(url)@\(identifier)") == nil)
    #expect(try storage.value(forKey: url) == nil)
    // Beside the original the app has something to draw from.
    let both = try run("kingfisher 8", cache, "blur(blurRadius: 4) original")
    #expect(
      both.filter { $0["type"] as? String == "rendition" }.compactMap { $0["hit"] as? Bool } == [true, true])
    #expect(try storage.value(forKey: "\(url)@\(identifier)") == nil)
    #expect(try storage.value(forKey: url).map { [UInt8]($0) } == GIFFilm.sample)
  }

  @Test(arguments: ["5.0.0", "5.10.4", "5.12.6", "5.13.5", "5.14.0", "5.21.5"])
  func sdwebimageFindsTheGIFUntransformed(release: String) throws {
    let version = try SDWebImageVersion(parsing: release)
    func data(_ transformers: [SDImageTransformer]) throws -> [UInt8]? {
      let cache = try SDImageCache(
        namespace: "default", diskCacheDirectory: folder.file("sd"), version: version)
      let key = SDImageCacheKey.key(original: url, transformers: transformers, version: version)
      return try cache.diskImageData(forKey: key).map { [UInt8]($0) }
    }
    let objects = try run("sdwebimage \(release)", "sd/default", "blur(radius: 2)")
    #expect(objects.first?["status"] as? String == "made")
    #expect(try data([]) == GIFFilm.sample)
    let isUnderBoth = version >= SDWebImageVersion(5, 14, 0)
    #expect(try data([.blur(radius: 2)]) == (isUnderBoth ? GIFFilm.sample : nil))
    #expect(objects.first?["exact"] as? Bool == isUnderBoth)
    // What is in place is not made again, and no body is transferred for it.
    let answers = try server.answers().count
    let second = try run("sdwebimage \(release)", "sd/default", "blur(radius: 2)")
    #expect(second.last?["current"] as? Int == 1 && second.last?["filesWritten"] as? Int == 0)
    #expect(try server.answers().dropFirst(answers).allSatisfy { $0.bytes == 0 })
    #expect(try data([]) == GIFFilm.sample)
    // A plan names the files that are there.
    let plan = try BuiltCommand.run(["plan", "test.job", "--json"], in: folder.url).objects()
    let stores = try #require(plan.first?["stores"] as? [[String: Any]])
    #expect(Set(stores.compactMap { $0["content"] as? String }) == ["original"])
  }

  @Test func sdwebimageFindsAThumbnailOfEveryFrame() throws {
    let objects = try run("sdwebimage 5.21.5", "sd/default", "thumbnail(size: 20x20)")
    #expect((objects.first?["note"] as? String)?.contains("thumbnails of all frames") == true)
    let cache = try SDImageCache(namespace: "default", diskCacheDirectory: folder.file("sd"))
    let key = SDImageCacheKey.key(original: url, thumbnail: SDImageThumbnail(width: 20, height: 20))
    let film = GIFFilm([UInt8](try #require(try cache.diskImageData(forKey: key))))
    #expect((film.width, film.height) == (20, 15))
    #expect(film.frames.map(\.delay) == [10, 20, 7, 100] && film.loop == 3)
    #expect(Set(film.frames.map(\.canvas)).count == 4)
    let second = try run("sdwebimage 5.21.5", "sd/default", "thumbnail(size: 20x20)")
    #expect(second.last?["current"] as? Int == 1)
  }

  @Test func transformersDrawEveryFrameWhereTheJobSaysSo() throws {
    let release = "sdwebimage 5.21.5\ntransform-animated frames"
    _ = try run(release, "sd/default", "resize(size: 10x10) | flip(horizontal: true)")
    let cache = try SDImageCache(namespace: "default", diskCacheDirectory: folder.file("sd"))
    let key = SDImageCacheKey.key(
      original: url,
      transformers: [
        .resizing(size: .init(width: 10, height: 10), scaleMode: .fill),
        .flipping(horizontal: true, vertical: false),
      ])
    let film = GIFFilm([UInt8](try #require(try cache.diskImageData(forKey: key))))
    #expect(film.frames.count == 4 && film.width == 10)
  }

  @Test func aFileThatIsKeptUnderTheURLAloneIsNotPruned() throws {
    let client = "sdwebimage 5.10.4\nprune on"
    _ = try run(client, "sd/default", "blur(radius: 2)")
    let second = try run(client, "sd/default", "blur(radius: 2)")
    #expect(second.last?["current"] as? Int == 1)
    let names = try folder.names("sd/default")
    #expect(names == [SDImageCacheKey.fileName(forKey: url)])
  }
}
