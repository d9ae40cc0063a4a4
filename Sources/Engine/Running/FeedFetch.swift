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
    let state = StateFolder(cache: settings.cache)
    let lock = try storing { () -> RunLock? in
      _ = try state.prepare()
      return isLocked ? nil : try RunLock(state, waits: options.waitsForLock)
    }
    let note = try await fetch(feed, into: state, for: settings, options: options)
    _ = consume lock
    return note
  }

  private static func fetch(
    _ feed: String, into state: StateFolder, for settings: JobSettings, options: RunOptions
  ) async throws(Failure) -> String? {
    let (store, cache) = try open(state, settings)
    let loader = HTTPLoader(
      configuration: NetworkRules(settings).apply(to: options.http, credentials: options.credentials))
    // The loader ends first, as at the end of a run.
    defer { cache?.close() }
    defer { loader.shutdown() }
    let name = RedactedURL(feed)
    let headers = settings.values[JobKey.header].headers(for: feed)
    var request = HTTPRequest(url: feed, headers: headers.map { HTTPHeader(name: $0.name, value: $0.value) })
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
    _ = try storing {
      let path = FeedCopy.path(of: feed, cache: settings.cache)
      return try store.write(Data(body.bytes), as: (path as NSString).lastPathComponent)
    }
    return body.note.map { "the catalogue \(name): \($0)" }
  }

  private static func storing<Result: ~Copyable>(_ body: () throws -> Result) throws(Failure) -> Result {
    do { return try body() } catch {
      let failure = StoreFailure(error)
      throw Failure(message: failure.message, store: failure)
    }
  }

  private static func open(
    _ state: StateFolder, _ settings: JobSettings
  ) throws(Failure) -> (FileStore, HTTPCache?) {
    try storing {
      let store = try FileStore(
        folder: URL(fileURLWithPath: FeedCopy.folder(of: settings.cache)),
        temporaryFolder: URL(fileURLWithPath: state.temporary))
      guard let capacity = settings.values[JobKey.httpCache] else { return (store, nil) }
      let cache = try HTTPCache(
        folder: URL(fileURLWithPath: state.http), diskCapacity: capacity,
        staleIfError: Int64(settings.values[JobKey.staleIfError]))
      return (store, cache)
    }
  }
}
