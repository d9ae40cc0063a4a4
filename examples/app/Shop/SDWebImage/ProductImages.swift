import CacheBundleInstaller
import Foundation
import SDWebImage

#if canImport(UIKit)
  import UIKit
#endif

/// The images of the shop, by SDWebImage 5.7 or later. List and test ask by the same transformer, the job's chain.
enum ProductImages {
  private static var context: [SDWebImageContextOption: Any] {
    let size = CGSize(width: 360, height: 270)
    return [.imageTransformer: SDImageResizingTransformer(size: size, scaleMode: .aspectFill)]
  }

  static func installer(in caches: URL) -> BundleInstaller {
    let folder = URL(fileURLWithPath: SDImageCache.shared.diskCachePath, isDirectory: true)
    return BundleInstaller(
      folder: folder, client: "sdwebimage", clientVersion: "5", bundleFolder: "com.example.shop")
  }

  /// It asks the file system at every lookup, and needs no beginning.
  @MainActor static func begin() {}

  /// Whether the disk cache has the finished image.
  static func isWarm(_ product: Product) -> Bool {
    let key = SDWebImageManager.shared.cacheKey(for: product.image, context: context)
    return SDImageCache.shared.diskImageDataExists(withKey: key)
  }

  #if canImport(UIKit)
    static func image(of product: Product) async -> UIImage? {
      await withCheckedContinuation { continuation in
        // Without progressive loading the last block is called once.
        _ = SDWebImageManager.shared.loadImage(
          with: product.image, options: [], context: context, progress: nil
        ) { image, _, _, _, isFinished, _ in
          if isFinished { continuation.resume(returning: image) }
        }
      }
    }
  #endif
}
