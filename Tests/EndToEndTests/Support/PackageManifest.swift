import Foundation
import TestSupport

/// A manifest of this package, as the package manager reads it.
struct PackageManifest: Decodable {
  struct Target: Decodable, Hashable {
    /// `{"byName": ["Text", null]}`
    struct Dependency: Decodable, Hashable { var byName: [String?]? }

    var name: String
    var path: String?
    var dependencies: [Dependency]

    var names: [String] { dependencies.compactMap { $0.byName?.first ?? nil } }
    var folder: String { path ?? "Tests/\(name)" }
  }
  struct Product: Decodable, Hashable {
    var name: String
    var targets: [String]
  }
  struct Platform: Decodable, Hashable {
    var platformName: String
    var version: String
  }

  var name: String
  var platforms: [Platform]
  var products: [Product]
  var targets: [Target]

  /// Read in a folder of its own: the build folder of the tests is locked.
  static func read(_ name: String = "Package.swift") throws -> PackageManifest {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Fixtures.checkout.appendingPathComponent(name), to: folder.file("Package.swift"))
    let made = try Program.run(["swift", "package", "dump-package"], in: folder.url)
    return try JSONDecoder().decode(PackageManifest.self, from: Data(made.output.utf8))
  }
}
