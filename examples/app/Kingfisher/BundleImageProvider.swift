import CacheBundleInstaller
import Foundation
import Kingfisher

/// An image straight from a bundle, under the name that Kingfisher would look for on the disk; nothing is copied.
///
///     let provider = BundleImageProvider(reader, url: url, processorIdentifier: processor.identifier)
///     imageView.kf.setImage(with: provider.source(otherwise: url), options: [.cacheMemoryOnly])
///
/// The bundle's picture is the finished one, so no processor goes with it. Where the bundle has none, load the URL with
/// the processor as ever.
struct BundleImageProvider: ImageDataProvider {
  struct Missing: Error {}

  let cacheKey: String
  private let file: String
  private let reader: BundleReader

  init(
    _ reader: BundleReader, url: URL, processorIdentifier: String = "", cache: ImageCache = .default
  ) {
    let key = url.absoluteString
    let path = cache.cachePath(forKey: key, processorIdentifier: processorIdentifier)
    file = URL(fileURLWithPath: path).lastPathComponent
    cacheKey = processorIdentifier.isEmpty ? key : "\(key)@\(processorIdentifier)"
    self.reader = reader
  }

  var isInBundle: Bool { reader.contains(file) }

  func source(otherwise url: URL) -> Source { isInBundle ? .provider(self) : .network(url) }

  // Before 8.0.0 the handler is not `@Sendable`: set one of these flags, or take the word away.
  #if KINGFISHER_6 || KINGFISHER_7
    typealias Handler = (Result<Data, any Error>) -> Void
  #else
    typealias Handler = @Sendable (Result<Data, any Error>) -> Void
  #endif

  func data(handler: @escaping Handler) {
    handler(reader.data(named: file).map(Result.success) ?? .failure(Missing()))
  }
}
