import Fetching
import FileStore
import Foundation
import Pictures
import Planning

/// A state folder's HTTP cache and its unfinished downloads.
package struct WebSources: Sendable {
  /// Nil where no job of the run wants one.
  package var cache: HTTPCache?
  package var partials: PartialDownloads?

  package static let none = WebSources()

  private init() {}

  /// Opens what the plans of one cache folder need; folders are made only for those that reach for the web.
  ///
  /// - Parameter isStream: the sources are not known yet.
  package init(_ state: StateFolder, plans: [Plan], isStream: Bool = false) throws(StoreFailure) {
    guard isStream || plans.contains(where: \.hasWebSources) else { return }
    let settings = plans.map(\.settings.sources)
    do throws(FileStoreError) {
      // Pages of HTML and the like are never drawn, and may repeat what a request brought.
      partials = try PartialDownloads(folder: URL(fileURLWithPath: state.partial)) {
        ImageFormat.sniff($0) != nil
      }
      guard let capacity = settings.compactMap(\.httpCache).max() else { return }
      cache = try HTTPCache(
        folder: URL(fileURLWithPath: state.http), diskCapacity: capacity,
        staleIfError: Int64(settings.map(\.staleIfError).max() ?? 0)
      ) { ImageFormat.sniff($0.body) != nil }
    } catch {
      throw StoreFailure(error)
    }
  }
}

extension Plan {
  fileprivate var hasWebSources: Bool {
    sources.contains { $0.scheme == .http || $0.scheme == .https }
  }
}
