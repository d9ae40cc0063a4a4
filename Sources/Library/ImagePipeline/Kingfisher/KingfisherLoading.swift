import ClientRegistry
import Fetching
import Foundation
import KingfisherCache
import Pictures
import Rendering

/// What a `KingfisherManager` downloads and draws with on Linux: the loader and the workers of a run.
///
///     let manager = KingfisherManager(loader: try KingfisherLoading())
///     let result = try await manager.retrieveImage(with: url, options: [.processor(processor), .waitForCache])
public struct KingfisherLoading: ImageLoading {
  private let dataLoader: DataLoader
  private let renderer: SourceRenderer
  private let version: KingfisherVersion

  /// - Parameters:
  ///   - dataLoader: the default one has no HTTP cache, as Kingfisher's session has none.
  ///   - version: decides how processors draw; that of the manager's cache.
  ///   - limits: bounds on what a stranger's image may cost.
  ///   - executable: path of `preheat-render`; nil looks for it as the command does (`RenderPool.locateWorker`).
  /// - Throws: `RenderFailure` where the worker's executable is not found.
  public init(
    dataLoader: DataLoader = DataLoader(cache: nil), version: KingfisherVersion = .latest,
    limits: RenderLimits = RenderLimits(), executable: String? = nil
  ) throws {
    (self.dataLoader, self.version) = (dataLoader, version)
    renderer = try SourceRenderer(
      executable: executable, workers: nil, limits: limits, formats: ImageFormat.trusted)
  }

  /// Through the loader, with its limits and its rules about addresses.
  public func download(_ url: URL) async throws -> Data {
    Data(try await dataLoader.loadData(for: HTTPRequest(url: url.absoluteString)).body)
  }

  /// As `DefaultCacheSerializer` has it (5.13.0 and later): JPEG at quality 1 for JPEG sources, PNG for others; but what a
  /// processor made transparent stays so. Without processors the data itself, if it decodes to its end.
  public func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> Data? {
    let bytes = [UInt8](data)
    let encoding: RenderRequest.Encoding =
      processors.isEmpty
      ? .original : ImageFormat.sniff(bytes) == .jpeg ? .automatic(jpegQuality: 100) : .png
    switch KingfisherClient(version: version).drawing(of: processors.map(\.call), scale: scaleFactor) {
    case .impossible(let reason, _): throw Undrawn(description: reason)
    case .steps(let steps):
      do throws(RenderFailure) {
        let results = try await renderer.render([.init(steps: steps, encoding: encoding)], of: bytes)
        return Data(try results.bytes(at: 0, source: bytes))
      } catch {
        let failure = error.inWordsOfLibrary
        throw Undrawn(description: "\(failure)\(failure.adviceInWords)")
      }
    }
  }

  private struct Undrawn: Error, CustomStringConvertible {
    let description: String
  }
}
