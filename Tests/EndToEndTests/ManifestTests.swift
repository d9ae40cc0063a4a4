import Foundation
import TestSupport
import Testing

/// The manifests for older compilers and for CocoaPods: they have the libraries for apps as `Package.swift` has them.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ManifestTests {
  @Test func theManifestForSwift60HasTheLibrariesForAppsAndNothingElse() throws {
    let (older, whole) = (try PackageManifest.read("Package@swift-6.0.swift"), try PackageManifest.read())
    #expect(older.name == whole.name && older.platforms == whole.platforms)
    #expect(
      Set(older.products.map(\.name)) == [
        "NukeCache", "KingfisherCache", "SDWebImageCache", "CacheBundleInstaller",
      ])
    #expect(Set(older.products).isSubset(of: whole.products))
    #expect(Set(older.targets).isSubset(of: whole.targets))
    var reached: Set<String> = []
    var rest = older.products.flatMap(\.targets)
    while let name = rest.popLast() {
      guard reached.insert(name).inserted else { continue }
      rest += try #require(whole.targets.first { $0.name == name }).names
    }
    #expect(reached == Set(older.targets.map(\.name)))
  }

  /// As CocoaPods makes it: its files after its command, as one module.
  @Test func theFilesOfThePodAreOneModule() throws {
    let text = try SourceFiles.text("CacheBundleInstaller.podspec")
    let version = try BuiltCommand.run(["--version"]).output.split(separator: " ").last?.dropLast()
    #expect(text.contains("spec.version = '\(version ?? "")'"))
    let whole = try PackageManifest.read()
    for (platform, word) in [
      ("ios", "ios"), ("macos", "osx"), ("tvos", "tvos"), ("watchos", "watchos"), ("visionos", "visionos"),
    ] {
      let version = whole.platforms.first { $0.platformName == platform }?.version ?? ""
      #expect(text.contains("spec.\(word).deployment_target = '\(version)'"), "\(platform)")
    }
    let installer = try #require(whole.targets.first { $0.name == "CacheBundleInstaller" })
    let parts = installer.names.sorted().joined(separator: ",")
    let (app, support) = ("'\(installer.path ?? "")/**/*.swift'", "'Sources/Support/{\(parts)}/**/*.swift'")
    #expect(text.contains(app) && text.contains(support))
    let command = try #require(text.firstMatch(of: /<<~'SH'\n(.+)\n/)?.1)
    let folder = try TemporaryFolder()
    for path in [installer.path ?? ""] + installer.names.map({ "Sources/Support/\($0)" }) {
      let place = folder.file(path)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixtures.checkout.appendingPathComponent(path), to: place)
    }
    #expect(Tracing.succeeds(["sh", "-c", "cd \"$0\" && \(command)", folder.path]))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    #expect(files.count > 40)
    let complaint = try SwiftCompiler.complaint(
      [
        "-typecheck", "-parse-as-library", "-swift-version", "6", "-package-name", "preheat",
        "-module-name", installer.name,
        "-module-cache-path", folder.path,
      ] + files.map { folder.file($0).path })
    #expect(complaint == nil, "\(complaint ?? "")")
  }
}
