import Foundation
import NukeCache
import TestSupport

@testable import Concurrency
@testable import Fetching
@testable import ImagePipeline
@testable import Signposts

/// A pipeline with caches of its own, a server and a record of the work that was done.
struct PipelineKit {
  let folder: TemporaryFolder
  let server: OriginServer
  let imageCache: ImageCache
  let dataCache: DataCache
  let events: EventRecord
  let pipeline: ImagePipeline

  init(
    delegate: (any ImagePipeline.Delegate)? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in },
    handler: OriginServer.Handler? = nil
  ) throws {
    folder = try TemporaryFolder()
    let picture = try Self.picture("mountains.jpg")
    server = try OriginServer(
      handler ?? { _ in OriginServer.Answer(headers: ["Content-Type": "image/jpeg"], body: picture) })
    imageCache = ImageCache(costLimit: 64 << 20)
    dataCache = try DataCache(path: folder.file("data"))
    folder.beforeRemoval { [dataCache] in dataCache.flush() }
    events = EventRecord()
    pipeline = Self.pipeline(imageCache, dataCache, events, delegate: delegate, configure)
  }

  /// A server that answers when the gate is opened.
  static func gated(
    _ gate: Gate, picture name: String = "mountains.jpg",
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) throws -> PipelineKit {
    let picture = try picture(name)
    return try PipelineKit(configure) { _ in
      gate.wait()
      return OriginServer.Answer(body: picture)
    }
  }

  /// Another pipeline on the same data cache, as after a new start: its memory is empty.
  func restarted(
    delegate: (any ImagePipeline.Delegate)? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    Self.pipeline(ImageCache(costLimit: 64 << 20), dataCache, events, delegate: delegate, configure)
  }

  private static func pipeline(
    _ imageCache: ImageCache, _ dataCache: DataCache, _ events: EventRecord,
    delegate: (any ImagePipeline.Delegate)?, _ configure: (inout ImagePipeline.Configuration) -> Void
  ) -> ImagePipeline {
    var configuration = ImagePipeline.Configuration(dataLoader: loader())
    configuration.imageCache = imageCache
    configuration.dataCache = dataCache
    configuration.dataCachePolicy = .automatic
    configuration.renderer = BuiltCommand.renderer.path
    configuration.workers = 1
    configuration.signposts = Signposter(SignpostRecorder(exporters: [events], flushEvery: 20))
    configure(&configuration)
    return ImagePipeline(configuration: configuration, delegate: delegate)
  }

  static func loader(cache: HTTPCache? = nil) -> DataLoader {
    var http = DataLoader.defaultConfiguration
    http.allowPrivate = ["127.0.0.1"]
    return DataLoader(configuration: http, cache: cache)
  }

  static func picture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("images/\(name)")))
  }

  var downloads: Int { server.requests.count }
}

/// Counts how often workers have drawn.
final class EventRecord: SignpostExporter {
  private let count = Locked(0)

  /// Once the recorder has handed over what it has.
  var drawings: Int {
    get async {
      try? await Task.sleep(for: .milliseconds(200))
      return count.withLock { $0 }
    }
  }

  func write(_ records: [SignpostRecord]) {
    let drawn = records.count {
      if case .interval(let span, _) = $0 { span.name == .renderSource } else { false }
    }
    count.withLock { $0 += drawn }
  }

  func finish(open: [SignpostSpan], at time: Int64) {}
}
