import CacheBundleInstaller
import Foundation

#if canImport(os)
  import os
#endif

/// A row of `products.json`, a resource of the app. The job reads the same file, so both name the same images.
struct Product: Codable, Hashable, Identifiable, Sendable {
  var id: String
  var name: String
  var image: URL

  static func all(in bundle: Bundle = .main) throws -> [Product] {
    guard let file = bundle.url(forResource: "products", withExtension: "json") else { return [] }
    return try JSONDecoder().decode([Product].self, from: Data(contentsOf: file))
  }
}

/// What a launch does before it shows an image: the bundle goes into the cache, then the client begins.
struct WarmStart: CustomStringConvertible, Sendable {
  /// The whole installation. Of a bundle that is there already the beginnings of two files are read.
  var seconds = 0.0
  var report: InstallReport?
  var failure: BundleFailure?

  /// Begins with the first who asks for it, on no thread of the user interface; app and tests wait for the same one.
  static let launch = Task.detached(priority: .userInitiated) {
    var start = WarmStart()
    if let bundle = Bundle.main.url(forResource: "catalog", withExtension: "zip"),
      let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    {
      await start.install(bundle, by: ProductImages.installer(in: caches))
    }
    // Kingfisher lists its folder once, when it begins: what comes later is not seen.
    await ProductImages.begin()
    return start
  }

  private mutating func install(_ bundle: URL, by installer: BundleInstaller) async {
    let began = DispatchTime.now()
    // In Instruments an interval, beside those of the launch.
    #if canImport(os)
      let signposter = OSSignposter(subsystem: "com.example.shop", category: "cache")
      let interval = signposter.beginInterval("install")
      defer { signposter.endInterval("install", interval) }
    #endif
    do throws(BundleFailure) {
      report = try await installer.install(bundle)
    } catch {
      // The app works without: it fetches what it needs.
      failure = error
    }
    seconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
  }

  var description: String {
    let time = "\(Int((seconds * 1000).rounded())) ms"
    guard let report else { return "warm start: \(failure.map { "\($0)" } ?? "the app has no bundle")" }
    return
      "warm start: \(report.wasInstalled ? "installed before" : "\(report.written) files written"), \(time)"
  }
}
