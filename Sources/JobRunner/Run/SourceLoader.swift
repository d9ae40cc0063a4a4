import Foundation
import HTTPLoading

/// Gets a source's bytes from the network, a file or the URL itself.
struct SourceLoader: Sendable {
  var http: HTTPLoader
  /// Largest body in bytes.
  var maxBytes: Int

  func load(
    url: String, scheme: JobEntry.Scheme, headers: [HTTPHeader], priority: HTTPRequest.Priority
  ) async throws(RunFailure) -> SourceBody {
    switch scheme {
    case .http, .https:
      return try await download(HTTPRequest(url: url, headers: headers, priority: priority))
    case .file, .data:
      return try Self.read(local: url, isFile: scheme == .file, maxBytes: maxBytes)
    }
  }

  /// A source that needs no network: a file, or the bytes in a `data:` URL.
  static func read(local url: String, isFile: Bool, maxBytes: Int) throws(RunFailure) -> SourceBody {
    let bytes =
      isFile
      ? try LocalFile.read(url: url, maxBytes: maxBytes) : try DataURL.decode(url, maxBytes: maxBytes)
    return SourceBody(bytes: bytes)
  }

  private func download(_ request: HTTPRequest) async throws(RunFailure) -> SourceBody {
    do throws(HTTPFailure) {
      return SourceBody(try await http.load(request))
    } catch {
      throw RunFailure(error)
    }
  }
}
