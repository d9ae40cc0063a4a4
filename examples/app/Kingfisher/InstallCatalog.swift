import CacheBundleInstaller
import Foundation
import Kingfisher

/// Call it before anything touches `ImageCache.default` or `KingfisherManager.shared`: since 5.14.1 Kingfisher lists its
/// folder once, when the cache is made, and takes a file that came later for absent.
func installCatalog() {
  guard let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip"),
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
  else { return }
  // The folder of `ImageCache.default`; of `ImageCache(name: "catalog")` with `named: "catalog"`.
  let folder = BundleInstaller.kingfisherFolder(in: caches)
  do {
    try BundleInstaller(folder: folder).install(bundle)
  } catch {
    // The app works without: it fetches what it needs.
    print("no warm cache: \(error)")
  }
}
