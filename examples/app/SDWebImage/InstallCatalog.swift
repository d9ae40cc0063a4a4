import CacheBundleInstaller
import Foundation
import SDWebImage

/// Files may come while the app runs: SDWebImage asks the file system at every lookup. Before the first image is the
/// best time all the same.
func installCatalog() {
  guard let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip") else { return }
  // The folder of `SDImageCache.shared`; of `SDImageCache(namespace: "catalog")` with that cache's path.
  let folder = URL(fileURLWithPath: SDImageCache.shared.diskCachePath, isDirectory: true)
  do {
    try BundleInstaller(folder: folder, client: "sdwebimage", clientVersion: "5").install(bundle)
  } catch {
    // The app works without: it fetches what it needs.
    print("no warm cache: \(error)")
  }
}
