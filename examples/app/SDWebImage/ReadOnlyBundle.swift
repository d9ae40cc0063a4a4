import Foundation
import SDWebImage

/// Lets the cache look into a bundle that came with the app, made by `preheat bundle CACHE -o catalog` and added as a
/// folder reference, where its own folder has no file. Nothing is copied, and no clean-up touches it.
func readCatalog() {
  guard let files = Bundle.main.url(forResource: "files", withExtension: nil, subdirectory: "catalog") else {
    return
  }
  SDImageCache.shared.additionalCachePathBlock = { key in
    // A bundle's files have the names that the cache gives its own.
    SDImageCache.shared.cachePath(forKey: key).map { path in
      files.appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path
    }
  }
}
