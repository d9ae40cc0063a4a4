import Foundation
import NukeCache
import TestSupport
import Testing

@testable import ImagePipeline

@Suite(.timeLimit(.minutes(10)))
struct ImageTaskTests {
  @Test func aTaskGivesItsResultAsOftenAsItIsAskedFor() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a.jpg"), priority: .high)
    let task = kit.pipeline.imageTask(with: request)
    #expect(task.priority == .high)
    #expect(try await task.image == task.response.image)
    #expect(task.state == .completed)
    #expect(task.request.imageID == request.imageID)
    task.cancel()
    #expect(task.state == .completed)
    #expect(try await task.response.request.priority == .high)
    #expect(kit.downloads == 1)
  }

  @Test func progressTellsOfEveryPieceAndEndsWithTheTask() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let task = kit.pipeline.imageTask(with: kit.server.url("/a.jpg"))
    let stream = task.progress
    gate.open()
    var seen: [ImageTask.Progress] = []
    for await progress in stream { seen.append(progress) }
    let total = Int64(try PipelineKit.picture("mountains.jpg").count)
    #expect(seen.last == ImageTask.Progress(completed: total, total: total))
    #expect(seen.last?.fraction == 1)
    _ = try await task.response
    for await _ in task.progress { Issue.record("a finished task makes no progress") }
  }

  @Test func eventsEndWithTheResultAndPreviewsEndEmpty() async throws {
    let kit = try PipelineKit()
    let task = kit.pipeline.imageTask(with: kit.server.url("/a.jpg"))
    let previews = task.previews
    var results: [Bool] = []
    for await case .finished(let result) in task.events { results.append((try? result.get()) != nil) }
    #expect(results == [true])
    for await _ in previews { Issue.record("nothing is shown before it is whole") }
    let failed = kit.pipeline.imageTask(with: ImageRequest(url: nil))
    var last: ImageTask.Event?
    for await event in failed.events { last = event }
    guard case .finished(.failure(let error)) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(error.localizedDescription == error.description)
  }

  @Test func anInvalidatedPipelineLoadsNothingMore() async throws {
    let gate = Gate()
    let kit = try PipelineKit.gated(gate)
    let url = kit.server.url("/a.jpg")
    let task = kit.pipeline.imageTask(with: url)
    kit.pipeline.invalidate()
    let first = await #expect(throws: ImagePipeline.Error.self) { try await task.response }
    // It may not have begun.
    switch first {
    case .cancelled, .pipelineInvalidated: break
    default: Issue.record("\(String(describing: first))")
    }
    gate.open()
    let later = await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.image(for: url) }
    guard case .pipelineInvalidated = later else {
      Issue.record("\(String(describing: later))")
      return
    }
  }

  @Test func aCompletionIsCalledOnce() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    let result: Result<ImageResponse, ImagePipeline.Error> = await withCheckedContinuation { continuation in
      kit.pipeline.loadImage(with: url) { continuation.resume(returning: $0) }
    }
    #expect(try result.get().image.isDecoded)
    let failed: Result<ImageResponse, ImagePipeline.Error> = await withCheckedContinuation { continuation in
      kit.pipeline.loadImage(with: ImageRequest(url: nil)) { continuation.resume(returning: $0) }
    }
    #expect(throws: ImagePipeline.Error.self) { try failed.get() }
  }

  /// The name of a case, and the sentence for people.
  private func failure(_ kit: PipelineKit, _ request: ImageRequest) async -> (name: String, text: String) {
    do throws(ImagePipeline.Error) {
      _ = try await kit.pipeline.image(for: request)
      return ("none", "")
    } catch {
      let text = error.description
      switch error {
      case .dataMissingInCache: return ("missing", text)
      case .dataLoadingFailed: return ("loading", text)
      case .dataIsEmpty: return ("empty", text)
      case .decodingFailed: return ("decoding", text)
      case .processingFailed: return ("processing", text)
      case .imageRequestMissing: return ("request", text)
      case .cancelled: return ("cancelled", text)
      case .pipelineInvalidated: return ("invalidated", text)
      }
    }
  }

  @Test func everyFailureHasItsNameAndASentence() async throws {
    let picture = try PipelineKit.picture("mountains.jpg")
    let kit = try PipelineKit { _ in
    } handler: { request in
      switch request.path {
      case "/404": OriginServer.Answer(status: 404)
      case "/empty": OriginServer.Answer()
      case "/html": OriginServer.Answer(body: Array("<html>log in</html>".utf8))
      case "/cut": OriginServer.Answer(body: Array(picture.prefix(2000)))
      default: OriginServer.Answer(body: picture)
      }
    }
    func request(_ path: String, _ processors: [ImageProcessor] = []) -> ImageRequest {
      ImageRequest(url: kit.server.url(path), processors: processors)
    }
    struct AppError: Error {}
    let closure = ImageRequest(id: "mine", data: { throw AppError() })
    for (request, name) in [
      (request("/404"), "loading"), (request("/empty"), "empty"), (request("/html"), "decoding"),
      (request("/cut"), "decoding"), (ImageRequest(url: nil), "request"), (closure, "loading"),
      (ImageRequest(id: "nothing", data: { Data() }), "empty"),
      (ImageRequest(url: URL(fileURLWithPath: "/no/such/file.png")), "loading"),
      (request("/ok", [.resize(width: 0, unit: .pixels)]), "processing"),
      (request("/ok", [.custom(identifier: "mine")]), "processing"),
      (
        request("/ok", [.circle(), .coreImageFilter(name: "CITwirlDistortion", identifier: nil)]),
        "processing"
      ),
    ] {
      let failure = await failure(kit, request)
      #expect(failure.name == name, "\(failure.text)")
      #expect(failure.text.hasSuffix("."))
    }
    #expect(kit.imageCache.totalCount == 0)
  }

  @Test func nothingIsDownloadedForWhatCannotBeDrawn() async throws {
    let kit = try PipelineKit()
    let request = ImageRequest(url: kit.server.url("/a"), processors: [.custom(identifier: "mine")])
    _ = await failure(kit, request)
    #expect(kit.downloads == 0)
    // But what another has put into the cache is found.
    kit.dataCache.storeData(
      Data(try PipelineKit.picture("logo.png")), for: kit.pipeline.cache.makeDataCacheKey(for: request))
    #expect(try await kit.pipeline.imageTask(with: request).response.cacheType == .disk)
  }

  @Test func aMissingWorkerIsNamed() async throws {
    let kit = try PipelineKit { $0.renderer = "/no/such/preheat-render" }
    let failure = await failure(kit, ImageRequest(url: kit.server.url("/a")))
    #expect(failure.name == "decoding")
    #expect(failure.text.contains("/no/such/preheat-render"))
    // Data needs none.
    #expect(try await kit.pipeline.data(for: kit.server.url("/a")).response?.status == 200)
  }

  @Test func theSharedPipelineCanBeReplaced() async throws {
    let kit = try PipelineKit()
    ImagePipeline.shared = kit.pipeline
    #expect(ImagePipeline.shared === kit.pipeline)
    #expect(try await ImagePipeline.shared.image(for: kit.server.url("/a").absoluteString).isDecoded)
  }

  private final class Coders: ImagePipelineDelegate {
    private struct Coder: ImageDecoding, ImageEncoding {
      func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer {
        let pixels = Data(repeating: data.first ?? 0, count: 64)
        guard
          let image = PlatformImage(width: 4, height: 4, bytesPerRow: 16, pixels: pixels, isOpaque: true)
        else { throw CancellationError() }
        return ImageContainer(image: image)
      }

      func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? { Data("mine".utf8) }
    }

    func imageDecoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageDecoding)? { Coder() }
    func imageEncoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageEncoding)? { Coder() }
  }

  @Test func anAppsOwnDecoderAndEncoderAreUsed() async throws {
    let kit = try PipelineKit(delegate: Coders())
    let processors = [ImageProcessor.resize(width: 2, unit: .pixels)]
    let request = ImageRequest(id: "raw", data: { Data([77]) }, processors: processors)
    let image = try await kit.pipeline.image(for: request)
    #expect((image.width, image.height, image.pixels.first) == (2, 2, 77))
    #expect(kit.pipeline.cache.cachedData(for: request) == Data("mine".utf8))
  }
}
