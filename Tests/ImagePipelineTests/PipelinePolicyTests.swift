import Foundation
import NukeCache
import TestSupport
import Testing

@testable import ImagePipeline
@testable import Planning
@testable import Running

/// What a pipeline leaves in its data cache, for every policy, by the rules of the version.
@Suite(.timeLimit(.minutes(10)))
struct PipelinePolicyTests {
  private static let processors: [ImageProcessor] = [
    .resize(width: 40, unit: .pixels), .roundedCorners(radius: 4, unit: .pixels),
  ]

  struct Case: Sendable, CustomStringConvertible {
    var policy: DataCachePolicy
    var version: NukeVersion
    var description: String { "\(policy) \(version)" }
  }

  static let cases: [Case] = DataCachePolicy.allCases.flatMap { policy in
    [NukeVersion(12, 5, 0), NukeVersion(12, 9, 0), .latest].map { Case(policy: policy, version: $0) }
  }

  private func shapes(_ url: URL) -> [ImageRequest] {
    [nil, ThumbnailOptions(maxPixelSize: 64)].flatMap { thumbnail in
      [0, 1, 2].map { count in
        ImageRequest(url: url, processors: Array(Self.processors.prefix(count)), thumbnail: thumbnail)
      }
    }
  }

  /// The keys that hold something, by what it is.
  private func stored(_ kit: PipelineKit, _ request: ImageRequest, original: [UInt8]) -> Set<StoredEntry> {
    let keys = [false, true].flatMap { thumbnail in
      (0...2).map { KeyPart(hasThumbnail: thumbnail, processorCount: $0) }
    }
    var found: Set<StoredEntry> = []
    for key in keys where key.processorCount <= request.processors.count {
      if key.hasThumbnail && request.thumbnail == nil { continue }
      let text = kit.pipeline.cache.makeDataCacheKey(for: request.limited(to: key))
      guard let data = kit.dataCache.cachedData(for: text) else { continue }
      found.insert(StoredEntry(key, data == Data(original) ? .original : .encoded))
    }
    return found
  }

  @Test(arguments: cases)
  func anImageRequestStoresWhatTheRulesSay(_ aCase: Case) async throws {
    let original = try PipelineKit.picture("mountains.jpg")
    let kit = try PipelineKit {
      $0.dataCachePolicy = aCase.policy
      $0.version = aCase.version
    }
    for index in shapes(kit.server.url("/")).indices {
      let request = shapes(kit.server.url("/\(index)"))[index]
      _ = try await kit.pipeline.image(for: request)
      let rules = aCase.version
      let expected = rules.storedEntries(
        for: RequestShape(request), from: .http, policy: aCase.policy)
      #expect(stored(kit, request, original: original) == Set(expected), "\(index)")
    }
    kit.dataCache.flush()
  }

  @Test func aGIFIsStoredAsItCame() async throws {
    let original = try PipelineKit.picture("planets.gif")
    let kit = try PipelineKit { _ in
    } handler: { _ in
      OriginServer.Answer(body: original)
    }
    let request = ImageRequest(url: kit.server.url("/a.gif"), processors: Self.processors)
    let response = try await kit.pipeline.imageTask(with: request).response
    #expect(response.container.data == Data(original))
    #expect(kit.pipeline.cache.cachedData(for: request) == Data(original))
  }

  @Test func filesAndDataURLsAreLoadedInlineAndNotStoredAsOriginals() async throws {
    let picture = try PipelineKit.picture("logo.png")
    let kit = try PipelineKit { $0.dataCachePolicy = .storeAll }
    let file = kit.folder.file("logo.png")
    try Data(picture).write(to: file)
    let text = "data:image/png;base64," + Data(picture).base64EncodedString()
    for url in [file, try #require(URL(string: text))] {
      let request = ImageRequest(url: url)
      #expect(try await !kit.pipeline.image(for: request).isOpaque)
      #expect(!kit.pipeline.cache.containsData(for: request))
    }
    #expect(kit.downloads == 0)
  }

  @Test func thumbnailsAreMadeByTheDecoderAndFoundAgain() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a"), thumbnail: ThumbnailOptions(maxPixelSize: 50))
    let image = try await kit.pipeline.image(for: request)
    #expect(max(image.width, image.height) == 50)
    #expect(try await kit.restarted().imageTask(with: request).response.cacheType == .disk)
    // Nuke 13 finds the original for it, too.
    kit.pipeline.cache.removeCachedImage(for: request)
    let response = try await kit.restarted().imageTask(with: request).response
    #expect(response.cacheType == .disk)
    #expect(response.image == image)
    #expect(kit.downloads == 1)
  }

  @Test func aRunAndAPipelineWriteTheSameFiles() async throws {
    let kit = try PipelineKit {
      $0.dataCachePolicy = .storeAll
      $0.screenScale = 2
    } handler: { request in
      let name = String(request.path.dropFirst())
      return OriginServer.Answer(body: (try? PipelineKit.picture(name)) ?? [])
    }
    let names = ["mountains.jpg", "logo.png", "grey.jpg", "planets.gif", "portrait-6.jpg", "balloons.webp"]
    let processors: [[ImageProcessor]] = [[], [.resize(width: 20)], [.resize(width: 20), .circle()]]
    for name in names {
      for chain in processors {
        _ = try await kit.pipeline.image(
          for: ImageRequest(
            url: kit.server.url("/" + name), processors: chain, options: [.reloadIgnoringCachedData]))
      }
    }
    kit.dataCache.flush()

    let cache = kit.folder.file("run").path
    var text = "client nuke 13\ncache \(cache)\npolicy storeAll\nscale 2\nallow-private 127.0.0.1\n"
    text += "default original resize(width: 20) resize(width: 20)|circle\n"
    for name in names { text += kit.server.url("/" + name).absoluteString + "\n" }
    let job = kit.folder.file("a.job")
    try text.write(to: job, atomically: true, encoding: .utf8)
    let plan = try #require(Plan.make(.file(job.path)).plan)
    let report = try await RunEngine.run(
      [plan], options: RunOptions(renderer: BuiltCommand.renderer.path, workers: 1), observer: NoObserver())
    #expect(report.counts.failed == 0)
    let (ours, theirs) = (try files(in: kit.folder.file("data")), try files(in: kit.folder.file("run")))
    #expect(Set(ours.keys) == Set(theirs.keys))
    #expect(ours.count == names.count * 3)
    for (name, bytes) in ours {
      let isSame = theirs[name] == bytes
      #expect(isSame, "\(name)")
    }
  }

  private func files(in folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
  }
}

private struct NoObserver: RunObserver {
  func settled(_ outcome: RenditionOutcome, report: RunReport) {}
  func warned(_ text: String, evenIfQuiet: Bool) {}
}
