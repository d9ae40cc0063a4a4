import Foundation
import HTTPLoading
import KingfisherCache

/// Downloads for a `KingfisherManager` through a pipeline's loader.
struct KingfisherDownloader: ImageDownloading {
  var loader: any DataLoading
  var headers: [HTTPHeader]

  func download(_ url: URL) async throws -> Data {
    let request = HTTPRequest(url: url.absoluteString, headers: headers)
    return Data(try await loader.loadData(for: request) { _ in }.body)
  }
}
