import CacheBundleInstaller
import Foundation
import Kingfisher

#if canImport(UIKit)
  import UIKit
#endif

/// The images of the shop, by Kingfisher 8. List and test ask by the same processor, which is the job's chain.
enum ProductImages {
  private static let processor = DownsamplingImageProcessor(size: CGSize(width: 120, height: 120))

  static func installer(in caches: URL) -> BundleInstaller {
    BundleInstaller(
      folder: BundleInstaller.kingfisherFolder(in: caches), client: "kingfisher", clientVersion: "8",
      bundleFolder: "com.example.shop")
  }

  /// The folder is full: now the cache may be made.
  @MainActor static func begin() { _ = ImageCache.default }

  /// Whether the disk cache has the finished image.
  static func isWarm(_ product: Product) -> Bool {
    ImageCache.default.isCached(
      forKey: product.image.absoluteString, processorIdentifier: processor.identifier)
  }

  #if canImport(UIKit)
    /// Kingfisher's keys have no scale: this is the job's `scale`, for every screen.
    static func image(of product: Product) async -> UIImage? {
      let options: KingfisherOptionsInfo = [.processor(processor), .scaleFactor(3)]
      return try? await KingfisherManager.shared.retrieveImage(with: product.image, options: options).image
    }
  #endif
}
