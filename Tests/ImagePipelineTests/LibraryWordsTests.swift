import Foundation
import NukeCache
import Testing

@testable import Fetching
@testable import ImagePipeline
@testable import Pictures

/// Failures name what a program can change: properties, never a job's settings or the command's flags.
@Suite(.timeLimit(.minutes(10)))
struct LibraryWordsTests {
  private func failure(
    of request: ImageRequest, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in },
    handler: OriginServer.Handler? = nil
  ) async throws -> String {
    let kit = try PipelineKit(delegate: nil, configure, handler: handler)
    let url = URL(string: "http://127.0.0.1:\(kit.server.port)/a.jpg")
    let request = ImageRequest(url: url, processors: request.processors)
    let error = await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.image(for: request) }
    return try #require(error).description
  }

  private let request = ImageRequest(url: URL(string: "http://server/a.jpg"))

  private func holdsOnlyWordsOfTheLibrary(_ text: String) -> Bool {
    let settings = RenderLimits.Name.allCases.map(\.rawValue)
    return !(settings + ["--", "job", "allow-private", " as \""]).contains(where: text.contains)
  }

  @Test func aPrivateAddressIsAllowedByAProperty() async throws {
    let text = try await failure(of: request) { $0.dataLoader = DataLoader(cache: nil) }
    #expect(text.contains("add \"127.0.0.1\" to HTTPConfiguration.allowPrivate"), "\(text)")
    #expect(holdsOnlyWordsOfTheLibrary(text), "\(text)")
  }

  @Test(arguments: [401, 403]) func aRefusalPointsToTheRequestsFields(status: Int) async throws {
    let text = try await failure(of: request, handler: { _ in OriginServer.Answer(status: status) })
    #expect(text.contains("check the header fields of the request"), "\(text)")
    #expect(holdsOnlyWordsOfTheLibrary(text), "\(text)")
  }

  @Test func aLimitIsNamedByItsProperty() async throws {
    let text = try await failure(of: request) { $0.limits.maxPixels = 100 }
    #expect(text.contains("(RenderLimits.maxPixels)"), "\(text)")
    #expect(text.contains("raise the limit in `limits`"), "\(text)")
    #expect(holdsOnlyWordsOfTheLibrary(text), "\(text)")
  }

  @Test func aFormatIsAllowedByAProperty() async throws {
    let picture = try PipelineKit.picture("mountains.jpg")
    let text = try await failure(
      of: request, { $0.formats = [.png] }, handler: { _ in OriginServer.Answer(body: picture) })
    #expect(text.contains("in `formats`"), "\(text)")
    #expect(holdsOnlyWordsOfTheLibrary(text), "\(text)")
  }

  @Test(arguments: [
    ImageProcessor.custom(identifier: "com.example.stamp"), .coreImageFilter(name: "CICrystallize"),
    .coreImageFilter(name: "CISepiaTone", parameters: [:], identifier: "sepia-7"),
  ])
  func aProcessorThatIsNotDrawnNamesItsSubstitute(processor: ImageProcessor) async throws {
    var request = request
    request.processors = [processor]
    let text = try await failure(of: request)
    #expect(text.contains("ImageProcessor.identified(_:as:)"), "\(text)")
    #expect(holdsOnlyWordsOfTheLibrary(text), "\(text)")
  }

  @Test(arguments: RenderFailure.Code.allCases) func noAdviceNamesAFlag(code: RenderFailure.Code) {
    let settings = RenderLimits.Name.allCases.map { "(\($0.rawValue))" }.joined()
    let failure = RenderFailure(code, settings).inWordsOfLibrary
    #expect(holdsOnlyWordsOfTheLibrary(failure.message + failure.adviceInWords))
    #expect(failure.message.contains("(RenderLimits.maxSide)"))
  }
}
