import Foundation
import NukeCache
import TestSupport

@testable import Concurrency
@testable import Fetching
@testable import ImagePipeline

/// A pipeline with caches of its own, a server and a record of the work that was done.
struct PipelineKit {
  let folder: TemporaryFolder
  let server: OriginServer
  let imageCache: ImageCache
  let dataCache: DataCache
  let events: EventRecord
  let pipeline: ImagePipeline

  init(
    delegate: (any ImagePipelineDelegate)? = nil,
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
    delegate: (any ImagePipelineDelegate)? = nil,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    Self.pipeline(ImageCache(costLimit: 64 << 20), dataCache, events, delegate: delegate, configure)
  }

  private static func pipeline(
    _ imageCache: ImageCache, _ dataCache: DataCache, _ events: EventRecord,
    delegate: (any ImagePipelineDelegate)?, _ configure: (inout ImagePipeline.Configuration) -> Void
  ) -> ImagePipeline {
    var configuration = ImagePipeline.Configuration(dataLoader: loader())
    configuration.imageCache = imageCache
    configuration.dataCache = dataCache
    configuration.dataCachePolicy = .automatic
    configuration.renderer = BuiltCommand.renderer.path
    configuration.workers = 1
    configuration.onEvent = { events.append($0) }
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

  /// The work that was done so far.
  var work: [ImagePipeline.Event] { events.all }

  var downloads: Int { server.requests.count }
}

/// Collects what a pipeline says that it does.
final class EventRecord: Sendable {
  private let events = Locked<[ImagePipeline.Event]>([])

  var all: [ImagePipeline.Event] { events.withLock { $0 } }

  func append(_ event: ImagePipeline.Event) { events.withLock { $0.append(event) } }

  /// Processors in the order in which they were applied.
  var processors: [ImageProcessor] {
    all.flatMap { event -> [ImageProcessor] in
      switch event {
      case .decodeImage(_, let processors): return processors
      case .processImage(_, let processor): return [processor]
      case .loadData, .encodeImage: return []
      }
    }
  }
}
