import Foundation

/// The small file beside bundles of one cache that are made for screens of different scales: it says which is which.
package struct BundleScales: Codable, Hashable, Sendable {
  package struct Part: Codable, Hashable, Sendable {
    package var scale: Double
    /// Name of the bundle, which lies beside this file.
    package var file: String
    /// Of the bundle's state.
    package var id: String
    /// Of the entries in the bundle.
    package var bytes: Int

    package init(scale: Double, file: String, id: String, bytes: Int) {
      (self.scale, self.file, self.id, self.bytes) = (scale, file, id, bytes)
    }
  }

  private var format = Self.name
  private var version = 1
  package var bundles: [Part]

  package static let name = "preheat-bundle-scales"
  /// A list of more bytes is not read.
  fileprivate static let maxBytes = 64 << 10

  package init(_ bundles: [Part]) { self.bundles = bundles.sorted { $0.scale < $1.scale } }

  /// Reads what may come from anybody.
  package init(reading data: Data) throws(BundleFailure) {
    guard data.count <= Self.maxBytes, let read = try? JSONDecoder().decode(Self.self, from: data),
      read.format == Self.name, !read.bundles.isEmpty
    else { throw BundleFailure(.index, "this is not a list of bundles by scale") }
    guard read.version == 1 else {
      throw BundleFailure(
        .version, "the list of bundles has version \(read.version), and this installer knows 1")
    }
    guard read.bundles.allSatisfy({ BundleGrammar.isName($0.file) && $0.scale > 0 }) else {
      throw BundleFailure(.path, "the list of bundles has a name that is not one name")
    }
    self = read
    bundles.sort { $0.scale < $1.scale }
  }

  package func encoded() throws -> Data { try BundleFormat.encoder.encode(self) + Data("\n".utf8) }
}

extension CacheBundle {
  /// The name of the bundle for a screen, of those that `preheat bundle --for-scale each` has made.
  ///
  /// - Parameters:
  ///   - scale: pixels a point, such as `UIScreen.main.scale`. Without a bundle for exactly this one it is that of the
  ///     next larger one, else of the largest: what does not depend on the scale is in each.
  ///   - list: the file that names them, `catalog.json`. It is not signed; a bundle is, and is proved when it is installed.
  /// - Throws: ``BundleFailure`` where the list is not right.
  public static func name(forScale scale: Double, in list: Data) throws(BundleFailure) -> String {
    // No list is empty.
    let bundles = try BundleScales(reading: list).bundles
    return (bundles.first { $0.scale >= scale } ?? bundles[bundles.count - 1]).file
  }

  /// The bundle for a screen where list and bundles lie in one folder, as in an app's resources.
  public static func url(forScale scale: Double, in list: URL) throws(BundleFailure) -> URL {
    guard
      let data = try PlainFile.beginning(
        of: list.path, count: BundleScales.maxBytes + 1, followingLinks: true)
    else {
      throw BundleFailure(.notFound, "there is no \(list.lastPathComponent), or it cannot be read")
    }
    return list.deletingLastPathComponent().appendingPathComponent(try name(forScale: scale, in: data))
  }
}
