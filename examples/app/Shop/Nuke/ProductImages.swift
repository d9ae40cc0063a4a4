import CacheBundleInstaller
import Foundation
import Nuke

#if canImport(UIKit)
  import UIKit
#endif

/// The images of the shop, by Nuke 12 or 13. List and test ask by the same request, which is the job's chain.
enum ProductImages {
  private static let cacheName = "com.example.shop"

  static func installer(in caches: URL) -> BundleInstaller {
    BundleInstaller(
      folder: BundleInstaller.nukeFolder(named: cacheName, in: caches), client: "nuke", clientVersion: "13")
  }

  @MainActor static func begin() {
    let configuration = ImagePipeline.Configuration.withDataCache(
      name: cacheName, sizeLimit: 300 * 1024 * 1024)
    ImagePipeline.shared = ImagePipeline(configuration: configuration)
  }

  /// In pixels, so that every screen has the same key.
  private static func request(for product: Product) -> ImageRequest {
    ImageRequest(url: product.image, processors: [.resize(width: 360, unit: .pixels)])
  }

  /// Whether the disk cache has the finished image.
  static func isWarm(_ product: Product) -> Bool {
    ImagePipeline.shared.cache.containsData(for: request(for: product))
  }

  #if canImport(UIKit)
    static func image(of product: Product) async -> UIImage? {
      try? await ImagePipeline.shared.image(for: request(for: product))
    }
  #endif
}
