import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import CacheBundleInstaller

/// `--form asset-pack`: what Apple's tool and the installer get.
@Suite(.timeLimit(.minutes(10)))
struct AssetPackTests {
  private let cache: SampleCache

  init() throws { cache = SampleCache(temporary: try TemporaryFolder()) }

  private func pack(_ cachePath: String, _ policy: AssetPack.Policy = .prefetch) throws -> BundleReport {
    var options = cache.options("catalog")
    (options.format, options.download) = (.assetPack, policy)
    return try BundleMaker(options).make(from: cachePath)
  }

  private func manifest() throws -> [String: Any] {
    let data = try Data(contentsOf: cache.temporary.file("catalog/Manifest.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func theManifestLeadsToABundleThatInstalls() throws {
    let report = try pack(cache.write(["a", "b", "c"]))
    let manifest = try manifest()
    #expect(Set(manifest.keys) == ["assetPackID", "downloadPolicy", "fileSelectors", "platforms"])
    #expect(manifest["assetPackID"] as? String == "catalog" && manifest["platforms"] as? [String] == ["iOS"])
    let selectors = try #require(manifest["fileSelectors"] as? [[String: String]])
    #expect(selectors.count == 1)
    let folder = try #require(selectors[0]["directory"])
    // The tool runs beside the manifest.
    let bundle = cache.temporary.file("catalog").appendingPathComponent(folder)
    #expect(CacheBundle.id(at: bundle) == report.id)
    let installed = cache.temporary.file("app/com.example.catalog")
    let outcome = try BundleInstaller(folder: installed).install(bundle)
    #expect(outcome.written == 3)
    #expect(try cache.names(in: installed) == ["a", "b", "c"])
  }

  @Test(arguments: AssetPack.Policy.allCases)
  func aPolicyHasItsEvents(_ policy: AssetPack.Policy) throws {
    _ = try pack(cache.write(["a"]), policy)
    let policies = try #require(manifest()["downloadPolicy"] as? [String: [String: [String]]])
    let events =
      policy == .onDemand ? [:] : ["installationEventTypes": ["firstInstallation", "subsequentUpdate"]]
    #expect(policies == [policy.rawValue: events])
  }

  /// A pack takes the place of the one before, and of nothing else.
  @Test func aPackIsReplacedWhole() throws {
    let path = try cache.write(["a", "b"])
    _ = try pack(path)
    try cache.remove(["b"], from: path)
    _ = try pack(path)
    #expect(try cache.names(in: cache.temporary.file("catalog")) == ["Manifest.json", "catalog"])
    #expect(try cache.names(in: cache.temporary.file("catalog/catalog/files")) == ["a"])
    try FileManager.default.removeItem(at: cache.temporary.file("catalog/catalog"))
    #expect(throws: (any Error).self) { try pack(path) }
    #expect(try cache.names(in: cache.temporary.file("catalog")) == ["Manifest.json"])
  }

  @Test func namesNeedNoEscape() {
    #expect(AssetPack.name(ofOutput: "out/shop-2_a/") == "shop-2_a" && AssetPack.isName("shop-2_a"))
    for name in ["", "a b", "a.zip", "ä", "a\"", "..", "`{@"] { #expect(!AssetPack.isName(name), "\(name)") }
  }
}
