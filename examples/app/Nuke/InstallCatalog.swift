import CacheBundleInstaller
import Foundation
import Nuke

/// Call it before anything loads an image: first thing in the `App`'s `init`, or in
/// `application(_:didFinishLaunchingWithOptions:)`. At every launch but the first it reads 64 bytes.
func startImagePipeline(dataCacheName: String = "com.example.catalog") {
  if let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip"),
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
  {
    let folder = BundleInstaller.nukeFolder(named: dataCacheName, in: caches)
    do {
      try BundleInstaller(folder: folder).install(bundle)
    } catch {
      // The app works without: it fetches what it needs.
      print("no warm cache: \(error)")
    }
  }
  ImagePipeline.shared = ImagePipeline(
    configuration: .withDataCache(name: dataCacheName, sizeLimit: 300 * 1024 * 1024))
}
