import CacheBundleInstaller
import Foundation
import Kingfisher

/// What `openssl pkey -in catalog.key.pem -pubout` prints: replace it by your own. While a key is being replaced the app
/// has both.
let catalogKey = """
  -----BEGIN PUBLIC KEY-----
  MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
  -----END PUBLIC KEY-----
  """

/// Call it before anything touches `ImageCache.default` or `KingfisherManager.shared`: since 5.14.1 Kingfisher lists its
/// folder once, when the cache is made, and takes a file that came later for absent.
func installCatalog() {
  guard let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip"),
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
  else { return }
  // The folder of `ImageCache.default`; of `ImageCache(name: "catalog")` with `named: "catalog"`.
  let folder = BundleInstaller.kingfisherFolder(in: caches)
  do {
    try BundleInstaller(folder: folder, client: "kingfisher", publicKeys: [BundlePublicKey(pem: catalogKey)])
      .install(bundle)
  } catch {
    // The app works without: it fetches what it needs.
    print("no warm cache: \(error)")
  }
}
