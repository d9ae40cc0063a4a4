import CacheStore
import Digests
import Fetching
import Foundation
import Planning

/// Gets a source's bytes from the network, the HTTP cache, a file or the URL itself, or finds out that they
/// are not needed.
package struct SourceLoader: Sendable {
  package var http: HTTPLoader
  package var web: WebSources
  /// How often a download is gone on with when it breaks off on the way, and the wait before.
  package var resumptions = 0
  package var wait: Duration = .zero

  package enum Outcome: Sendable {
    case body(SourceBody)
    /// The server says that it is what it was; nothing but header fields was transferred.
    case unchanged
    /// The server could not be asked, and the job lets what is stale stand in for it.
    case unchangedAsFarAsKnown
  }

  /// - Parameter known: what the source was, for somebody who needs it only if it is something else now.
  package func load(
    _ request: HTTPRequest, unless known: HTTPKnownVersion? = nil
  ) async throws(RunFailure) -> Outcome {
    do throws(HTTPFailure) {
      guard let cache = web.cache else { return .body(SourceBody(try await download(request))) }
      guard let known else { return .body(SourceBody(try await cache.load(request, fetch: download))) }
      return switch try await cache.revalidate(request, known, fetch: download) {
      case .unchanged: .unchanged
      case .unchangedAsFarAsKnown: .unchangedAsFarAsKnown
      case .answered(let response): .body(SourceBody(response))
      }
    } catch {
      throw RunFailure(error)
    }
  }

  /// What the HTTP cache holds, however old it is; nil where it holds nothing.
  package func cached(_ request: HTTPRequest) -> SourceBody? {
    web.cache?.cachedResponse(for: request).map(SourceBody.init)
  }

  /// A source that needs no network: a file, or the bytes in a `data:` URL.
  package static func read(local url: String, isFile: Bool, maxBytes: Int) throws(RunFailure) -> SourceBody {
    // Before the bytes: a file that changes meanwhile is then read once more, never once too seldom.
    let stamp = isFile ? LocalFile.status(url: url)?.stamp : nil
    let bytes =
      isFile
      ? try LocalFile.read(url: url, maxBytes: maxBytes) : try DataURL.decode(url, maxBytes: maxBytes)
    return SourceBody(bytes: bytes, digest: hexadecimal(SHA256.hash(bytes)), etag: stamp)
  }

  private func download(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    guard let partials = web.partials else { return try await http.load(request) }
    return try await partials.load(request, through: http, resumptions: resumptions, wait: wait)
  }
}
