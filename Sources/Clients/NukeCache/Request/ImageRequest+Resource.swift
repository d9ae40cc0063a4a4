#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImageRequest {
  /// Where the data of a request comes from.
  public enum Resource: Sendable {
    /// A request without a URL is possible, as in Nuke: it fails when it is loaded, and is never cached.
    case url(URL?)
    case data(id: String, load: @Sendable () async throws -> Data)

    package var imageID: String? {
      switch self {
      case .url(let url): url?.absoluteString
      case .data(let id, _): id
      }
    }
  }
}
