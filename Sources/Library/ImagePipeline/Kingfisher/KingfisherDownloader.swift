import Fetching
import Foundation
import KingfisherCache

/// Downloads for a `KingfisherManager` through a pipeline's loader.
struct KingfisherDownloader: ImageDownloading {
  package var loader: any DataLoading
  package var headers: [HTTPHeader]

  package func download(_ url: URL) async throws -> Data {
    let request = HTTPRequest(url: url.absoluteString, headers: headers)
    return Data(try await loader.loadData(for: request) { _ in }.body)
  }
}
