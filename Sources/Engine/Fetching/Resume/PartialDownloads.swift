import Concurrency
import FileStore
import Foundation

/// Downloads that survive a failed or killed process: large bodies are written to disk while they come in,
/// and the next request for the same URL with the same credentials goes on where they end.
///
/// A body is resumed only under a strong validator that the server confirms, so it is never joined
/// from two versions (RFC 9110, sections 13.1.5 and 15.3.7). One process at a time may use a folder.
package final class PartialDownloads: Sendable {
  /// Bytes that unfinished bodies may take on disk when a folder is opened: 1 GiB.
  static let defaultDiskCapacity = 1 << 30

  private let folder: PartialFolder
  private let accepts: @Sendable ([UInt8]) -> Bool
  /// Downloads under way; a second one of the same body keeps nothing.
  private let claims = Locked<Set<String>>([])

  /// - Parameters:
  ///   - folder: created if it is not there; all files in it are the downloads'.
  ///   - accepts: whether a body that begins with these bytes is worth keeping.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  package init(
    folder: URL, diskCapacity: Int = PartialDownloads.defaultDiskCapacity,
    accepts: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) throws(FileStoreError) {
    self.folder = try PartialFolder(folder: folder, mostBytes: diskCapacity)
    self.accepts = accepts
  }

  /// Fetches a request through a loader, from where an earlier one broke off.
  ///
  /// - Parameters:
  ///   - resumptions: how often a broken download is resumed.
  ///   - wait: before the first of them; it doubles for each further one.
  /// - Throws: ``HTTPFailure``; what had come by then is on disk.
  package func load(
    _ request: HTTPRequest, through loader: HTTPLoader, resumptions: Int, wait: Duration
  ) async throws(HTTPFailure) -> HTTPResponse {
    let name = HTTPCache.name(of: request)
    let asksForRange = request.headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
    guard !asksForRange, claims.withLock({ $0.insert(name).inserted }) else {
      return try await loader.load(request)
    }
    defer { claims.withLock { _ = $0.remove(name) } }
    let file = PartialFile(folder: folder, name: name, accepts: accepts)
    var pause = wait
    for _ in 0..<max(0, resumptions) {
      do throws(HTTPFailure) {
        return try await attempt(request, loader, file)
      } catch {
        guard error.isRetryable, error.partialBody != nil, error.code != .cancelled else { throw error }
      }
      // A cancelled sleep ends at once, and the loader then reports the cancellation.
      try? await Task.sleep(for: pause)
      pause *= 2
    }
    return try await attempt(request, loader, file)
  }

  private func attempt(
    _ request: HTTPRequest, _ loader: HTTPLoader, _ file: PartialFile
  ) async throws(HTTPFailure) -> HTTPResponse {
    if let resumed = file.resumable() {
      let response = try await resumed.load(request) { (rest) async throws(HTTPFailure) in
        try await loader.load(rest, sink: file.take)
      }
      file.remove()
      if let response { return response }
    }
    let response = try await loader.load(request, sink: file.take)
    file.remove()
    return response
  }
}
