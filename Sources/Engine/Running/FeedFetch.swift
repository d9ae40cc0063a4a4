import CacheStore
import Fetching
import FileStore
import Foundation
import JobFile
import Planning
import Text

/// Gets catalogues from servers before a job is planned, and keeps a copy of each in the state folder: through the same
/// guard, limits and HTTP cache as sources.
package enum FeedFetch {
  package struct Failure: Error {
    package var message: String
    package var isRetryable = false
    /// Why the copy could not be written.
    package var store: StoreFailure?
  }

  /// - Parameter isLocked: whether the run that asks holds the cache's lock.
  /// - Returns: what is to be known about a copy that may be old.
  package static func refresh(
    _ feed: String, for settings: JobSettings, options: RunOptions, isLocked: Bool
  ) async throws(Failure) -> String? {
    do {
      let state = StateFolder(cache: settings.cache)
      _ = try state.prepare()
      let lock = isLocked ? nil : try RunLock(state, waits: options.waitsForLock)
      let note = try await fetch(feed, into: state, for: settings, options: options)
      _ = consume lock
      return note
    } catch let failure as Failure {
      throw failure
    } catch {
      let failure = StoreFailure(error)
      throw Failure(message: failure.message, store: failure)
    }
  }

  private static func fetch(
    _ feed: String, into state: StateFolder, for settings: JobSettings, options: RunOptions
  ) async throws -> String? {
    let store = try FileStore(
      folder: URL(fileURLWithPath: FeedCopy.folder(of: settings.cache)),
      temporaryFolder: URL(fileURLWithPath: state.temporary))
    let cache = try settings.values[JobKey.httpCache].map { capacity in
      try HTTPCache(
        folder: URL(fileURLWithPath: state.http), diskCapacity: capacity,
        staleIfError: Int64(settings.values[JobKey.staleIfError]),
        revalidatesAll: settings.values[JobKey.revalidate] == .always)
    }
    let loader = HTTPLoader(
      configuration: NetworkRules(settings).apply(to: options.http, credentials: options.credentials))
    // The loader ends first, as at the end of a run.
    defer { cache?.close() }
    defer { loader.shutdown() }
    let name = RedactedURL(feed)
    let headers = settings.values[JobKey.header]
    var request = HTTPRequest(
      url: feed, headers: headers.headers(for: feed), redirectHeaders: headers.filter(\.mayFollowRedirects))
    request.maxBodyBytes = settings.values.limits(over: options.limits).maxBytes
    if options.reloads { request.cachePolicy = .reloadIgnoringCache }
    let body: SourceBody
    do throws(RunFailure) {
      let sources = SourceLoader(http: loader, cache: cache, partials: nil)
      // Without a version of the caller's there is always a body.
      guard case .body(let fetched) = try await sources.load(request) else { return nil }
      body = fetched
    } catch {
      throw Failure(
        message: "the catalogue \(name) cannot be fetched: \(error.message)", isRetryable: error.isRetryable)
    }
    let path = FeedCopy.path(of: feed, cache: settings.cache)
    try store.write(Data(body.bytes), as: (path as NSString).lastPathComponent)
    return body.note.map { "the catalogue \(name): \($0)" }
  }
}
