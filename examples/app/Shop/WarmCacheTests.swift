import XCTest

@testable import Shop

/// Runs inside the app, so that its bundle and its Caches folder are the app's.
final class WarmCacheTests: XCTestCase {
  /// Counts the images of the list that are in the cache before anything was fetched.
  @MainActor func testTheListIsWarm() async throws {
    let start = await WarmStart.launch.value
    XCTAssertNil(start.failure)
    let products = try Product.all()
    let missing = products.filter { !ProductImages.isWarm($0) }
    print("\(start); \(products.count - missing.count) of \(products.count) images are hits")
    XCTAssertFalse(products.isEmpty)
    XCTAssertEqual(missing.map(\.image), [])
  }

  /// The count above can tell a miss.
  @MainActor func testAnImageOfNoBundleIsAMiss() async throws {
    _ = await WarmStart.launch.value
    let image = try XCTUnwrap(URL(string: "https://img.example.com/not/in/any/bundle.jpg"))
    XCTAssertFalse(ProductImages.isWarm(Product(id: "none", name: "None", image: image)))
  }
}
