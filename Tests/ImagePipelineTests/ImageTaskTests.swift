import Foundation
import NukeCache
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
    #expect(task.request.imageID == request.imageID)
    #expect(try await task.response.request.priority == .high)
    #expect(kit.downloads == 1)
  }

  @Test func aCompletionIsCalledOnce() async throws {
    let kit = try PipelineKit()
    let url = kit.server.url("/a.jpg")
    let result: Result<ImageResponse, ImagePipeline.Error> = await withCheckedContinuation { continuation in
      kit.pipeline.loadImage(with: url) { continuation.resume(returning: $0) }
    }
    #expect(try result.get().image.width > 0)
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
    for (request, name) in [
      (request("/404"), "loading"), (request("/empty"), "empty"), (request("/html"), "decoding"),
      (request("/cut"), "decoding"), (ImageRequest(url: nil), "request"),
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
  }

  @Test func theSharedPipelineCanBeReplaced() async throws {
    let kit = try PipelineKit()
    ImagePipeline.shared = kit.pipeline
    #expect(ImagePipeline.shared === kit.pipeline)
    #expect(try await ImagePipeline.shared.image(for: kit.server.url("/a").absoluteString).width > 0)
  }
}
