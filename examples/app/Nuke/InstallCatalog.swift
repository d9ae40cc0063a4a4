import CacheBundleInstaller
import Foundation

#if NUKE_11
  @preconcurrency import Nuke  // up to 11.5.0 `shared` is not marked for Swift 6
#else
  import Nuke
#endif

/// What `openssl pkey -in catalog.key.pem -pubout` prints: replace it by your own. While a key is being replaced the app
/// has both.
let catalogKey = """
  -----BEGIN PUBLIC KEY-----
  MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
  -----END PUBLIC KEY-----
  """

/// Call it before anything loads an image: first thing in the `App`'s `init`, or in
/// `application(_:didFinishLaunchingWithOptions:)`. For Nuke 10 or 11 set the flag `NUKE_10` or `NUKE_11`, or keep their
/// lines alone. At every launch but the first it reads the beginnings of two files.
func startImagePipeline(dataCacheName: String = "com.example.catalog") {
  if let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip"),
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
  {
    let folder = BundleInstaller.nukeFolder(named: dataCacheName, in: caches)
    do {
      try BundleInstaller(folder: folder, client: "nuke", publicKeys: [BundlePublicKey(pem: catalogKey)])
        .install(bundle)
    } catch {
      // The app works without: it fetches what it needs.
      print("no warm cache: \(error)")
    }
  }
  let sizeLimit = 300 * 1024 * 1024
  #if NUKE_10
    var configuration = ImagePipeline.Configuration()
    let cache = try? DataCache(name: dataCacheName)
    cache?.sizeLimit = sizeLimit
    configuration.dataCache = cache
  #else
    let configuration = ImagePipeline.Configuration.withDataCache(name: dataCacheName, sizeLimit: sizeLimit)
  #endif
  ImagePipeline.shared = ImagePipeline(configuration: configuration)
}
