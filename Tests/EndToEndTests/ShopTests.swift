import Foundation
import TestSupport
import Testing

/// The app of `examples/app/Shop`: its files compile against the declarations of the clients and of Apple's frameworks,
/// and its test counts hits here, over the caches of this package, in what the installer made of a bundle.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ShopTests {
  private static let clients = ["Nuke", "Kingfisher", "SDWebImage"]
  private static let shop = Fixtures.checkout.appendingPathComponent("examples/app/Shop")
  private static let modules = BuiltCommand.products.appendingPathComponent("Modules").path

  private static func compile(_ arguments: [String], in folder: URL, mode: String = "6") throws {
    let complaint = try SwiftCompiler.complaint(
      ["-swift-version", mode, "-module-cache-path", folder.path, "-I", folder.path, "-I", modules]
        + arguments
    )
    try #require(complaint == nil, "\(complaint ?? "")")
  }

  /// A file of the shop, or one of those that stand in for what is not here.
  private static func path(_ name: String) -> String {
    (name.hasSuffix(".txt") ? Fixtures.folder.appendingPathComponent("code") : shop).appendingPathComponent(
      name
    ).path
  }

  private static let common = ["WarmStart.swift", "ShopApp.swift"]

  @Test(arguments: [
    ("Nuke", "12.9.0"), ("Nuke", "13.2.0"), ("Kingfisher", "8.0.0"), ("Kingfisher", "8.11.0"),
    ("SDWebImage", ""),
  ])
  func everyFileCompiles(client: String, release: String) throws {
    let folder = try TemporaryFolder()
    func emit(_ name: String, _ text: String) throws {
      let file = folder.file("\(name).swift")
      try Data(text.utf8).write(to: file)
      try Self.compile(
        [
          "-parse-as-library", "-emit-module", "-module-name", name, file.path, "-o",
          folder.file("\(name).swiftmodule").path,
        ],
        in: folder.url)
    }
    // With Nuke's module those of UIKit and SwiftUI are made.
    let module = release.isEmpty ? ("Nuke", "13.2.0") : (client, release)
    let complaint = try PublishedModule(module.0, release: module.1).build(module.0, in: folder.url)
    try #require(complaint == nil, "\(complaint ?? "")")
    if client == "SDWebImage" {
      let declarations = Fixtures.checkout.appendingPathComponent(
        "Tests/CacheBundleInstallerTests/Clients/SDWebImage.swift")
      try emit(client, String(contentsOf: declarations, encoding: .utf8))
    }
    try emit("os", String(contentsOfFile: Self.path("os.swift.txt"), encoding: .utf8))
    let files = (Self.common + ["\(client)/ProductImages.swift"]).map(Self.path)
    let app = [
      "-enable-testing", "-emit-module", "-module-name", "Shop", "-o", folder.file("Shop.swiftmodule").path,
    ]
    // An app that is made by Xcode 26 is on the main actor as a whole, an older one is not.
    for isolation in ["nonisolated", "MainActor"] {
      let strict = ["-warnings-as-errors", "-parse-as-library", "-default-isolation", isolation]
      try Self.compile(strict + app + files, in: folder.url)
      try Self.compile(strict.prefix(2) + ["-typecheck", Self.path("WarmCacheTests.swift")], in: folder.url)
    }
  }

  /// The job beside an app's file draws what the app asks for: the app's own test says how much of its list is warm.
  @Test(arguments: clients) func theAppsTestCountsTheHitsOfABundle(client: String) throws {
    let folder = try TemporaryFolder()
    let tests = try Self.buildTests(of: client, in: folder.url)
    let server = try NginxServer(serving: Scene.images)
    var products = ["mountains.jpg", "portrait-6.jpg", "balloons.webp"].map {
      ["id": $0, "name": $0, "image": "\(server.baseURL)/\($0)"]
    }
    func write(_ products: [[String: String]]) throws {
      try JSONSerialization.data(withJSONObject: products).write(to: folder.file("products.json"))
    }
    try write(products)
    try folder.makeFolder(client)
    let job = try String(contentsOfFile: Self.path("\(client)/shop.job"), encoding: .utf8)
    try folder.write("allow-private 127.0.0.1\n\(job)", to: "\(client)/shop.job")
    for words in [
      ["run", "shop.job", "--quiet"], ["bundle", "out/com.example.shop", "-o", "../catalog.zip"],
    ] {
      let made = try BuiltCommand.run(words, in: folder.file(client))
      try #require(made.status == 0, "\(made.messages)")
    }
    let first = try Self.run(tests).expect(0, prints: "3 of 3 images are hits")
    #expect(first.output.contains(/warm start: \d+ files written, \d+ ms;/), "\(first.output)")
    try Self.run(tests).expect(0, prints: "warm start: installed before,")
    // The list has grown, and the bundle has not.
    products.append(["id": "new", "name": "New", "image": "\(server.baseURL)/new.jpg"])
    try write(products)
    let third = try Self.run(tests)
    #expect(third.status != 0 && third.output.contains("3 of 4 images are hits"), "\(third.output)")
  }

  /// The app's modules and its test as a program, which has the app's resources beside it.
  private static func buildTests(of client: String, in folder: URL) throws -> URL {
    func object(_ module: String, _ files: [String]) throws -> String {
      let object = folder.appendingPathComponent("\(module).o").path
      try compile(
        [
          "-parse-as-library", "-wmo", "-enable-testing", "-module-name", module, "-emit-module",
          "-emit-module-path",
          folder.appendingPathComponent("\(module).swiftmodule").path, "-c", "-o", object,
        ] + files, in: folder)
      return object
    }
    let standIn = folder.appendingPathComponent("\(client).swift")
    try FileManager.default.copyItem(atPath: path("Shop/\(client).swift.txt"), toPath: standIn.path)
    let own = [
      try object(client, [standIn.path]),
      try object("Shop", (common + ["\(client)/ProductImages.swift"]).map(path)),
    ]
    let objects = try SwiftCompiler.objects(
      of: [
        "CacheBundleInstaller", "\(client)Cache", "Concurrency", "Digests", "FileStore", "Pictures", "Text",
      ])
    let main = folder.appendingPathComponent("main.swift")
    let names = ["testTheListIsWarm", "testAnImageOfNoBundleIsAMiss"]
    let cases = names.map { "(\"\($0)\", asyncTest(WarmCacheTests.\($0)))" }.joined(separator: ", ")
    try Data("import XCTest\nXCTMain([testCase([\(cases)])])\n".utf8).write(to: main)
    let program = folder.appendingPathComponent("ShopTests")
    // XCTest for Linux takes no list of tests on the main actor in Swift 6.
    try compile(
      ["-module-name", "ShopTests", main.path, path("WarmCacheTests.swift"), "-o", program.path] + own
        + objects, in: folder, mode: "5")
    return program
  }

  private static func run(_ tests: URL) throws -> BuiltCommand.Result {
    let caches = tests.deletingLastPathComponent().appendingPathComponent("Caches").path
    return try Program.run(
      ["sh", "-c", "exec \"$0\" 2>&1", tests.path], environment: ["XDG_CACHE_HOME": caches])
  }
}
