#if canImport(SwiftUI)
  import SwiftUI
  import UIKit

  /// A list of images. It waits for the cache, not for the network: an empty list for some milliseconds, and only at
  /// the first launch with a bundle.
  @main struct ShopApp: App {
    @State private var products: [Product] = []

    var body: some Scene {
      WindowGroup {
        List(products) { ProductRow(product: $0) }
          .task {
            print(await WarmStart.launch.value)
            products = (try? Product.all()) ?? []
          }
      }
    }
  }

  private struct ProductRow: View {
    let product: Product
    @State private var image: UIImage?

    var body: some View {
      HStack {
        Image(uiImage: image ?? UIImage()).frame(width: 120, height: 90)
        Text(product.name)
      }
      .task { image = await ProductImages.image(of: product) }
    }
  }
#endif
