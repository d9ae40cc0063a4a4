// swift-tools-version:6.2
import PackageDescription

// CI and `make` turn warnings into errors; a package that depends on this one is not held to that.
let swift: [SwiftSetting] =
  Context.environment["PREHEAT_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// A target of Swift sources in `Sources/<folder>/<name>`.
///
/// - Parameter embedded: Files that become part of the code, as bytes.
func target(
  _ name: String, in folder: String, _ dependencies: [String] = [], embedded: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
    path: "Sources/\(folder)/\(name)", resources: embedded.map { .embedInCode($0) },
    swiftSettings: swift)
}

/// An executable of this package.
func program(_ name: String, path: String, _ dependencies: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path, swiftSettings: swift)
}

/// The tests of a target, in `Tests/<name>`.
func tests(_ name: String, _ dependencies: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: (dependencies + ["TestSupport"]).map { .init(stringLiteral: $0) },
    exclude: exclude, swiftSettings: swift)
}

/// For C that computes pixels: the processors of arm64 can round a product and a sum at once, which gives other bytes.
let separately: [CSetting] = [.unsafeFlags(["-ffp-contract=off"])]

/// C sources in `Sources/C/<name>`, which links to a library of the system.
func shim(_ name: String, _ settings: [CSetting] = [], links: [String]) -> Target {
  .target(
    name: name, path: "Sources/C/\(name)", cSettings: settings,
    linkerSettings: links.map { .linkedLibrary($0) })
}

/// The tests in `Tests/Fuzz`; for `make fuzz` the same sources make a program with libFuzzer's `main`.
func fuzzing(_ dependencies: [String]) -> Target {
  let dependencies: [Target.Dependency] = dependencies.map { .init(stringLiteral: $0) }
  let isProgram = Context.environment["PREHEAT_FUZZ"] == "1"
  return isProgram
    ? .executableTarget(
      name: "fuzz", dependencies: dependencies, path: "Tests/Fuzz", exclude: ["Corpus", "Replay"],
      swiftSettings: swift)
    : .testTarget(
      name: "FuzzTests", dependencies: dependencies + ["TestSupport"], path: "Tests/Fuzz",
      exclude: ["Corpus", "Entry"], swiftSettings: swift)
}

let package = Package(
  name: "preheat",
  // What the libraries for apps need; scripts/lint-platforms refuses what is newer in them. The rest is for Linux.
  platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
  products: [
    .executable(name: "preheat", targets: ["preheat"]),
    .executable(name: "preheat-render", targets: ["preheat-render"]),
    .library(name: "preheat-vips", type: .dynamic, targets: ["CVipsLibrary"]),
    .library(name: "NukeCache", targets: ["NukeCache"]),
    .library(name: "KingfisherCache", targets: ["KingfisherCache"]),
    .library(name: "SDWebImageCache", targets: ["SDWebImageCache"]),
    .library(name: "CacheBundleInstaller", targets: ["CacheBundleInstaller"]),
    .library(
      name: "Preheat",
      targets: [
        "Preheat", "ImagePipeline", "NukeCache", "KingfisherCache", "Fetching", "Pictures", "Signposts",
      ]),
  ],
  targets: [
    // C. vips' own .pc file drags flags in that SwiftPM refuses, so only GLib's is asked for its include
    // paths; the headers of vips, exif, curl and sqlite3 lie in the default path.
    .systemLibrary(
      name: "SysGObject", path: "Sources/C/SysGObject", pkgConfig: "gobject-2.0",
      providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CBrotli", path: "Sources/C/CBrotli", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCrypto", path: "Sources/C/CCrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CExif", path: "Sources/C/CExif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(name: "CExpat", path: "Sources/C/CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CWebP", path: "Sources/C/CWebP", providers: [.apt(["libwebp-dev"])]),
    shim("CDraw", separately, links: ["m"]),
    shim("CVips", links: []),
    // A library of its own, which the worker opens when a picture needs it. SwiftPM links Swift's runtime to every
    // dynamic library; these flags keep it out of this one, which is all C.
    .target(
      name: "CVipsLibrary", dependencies: ["CDraw", "CVips", "SysGObject"], path: "Sources/C/CVipsLibrary",
      publicHeadersPath: ".", cSettings: separately,
      linkerSettings: ["vips", "gmodule-2.0", "lcms2", "m"].map { .linkedLibrary($0) }
        + [.unsafeFlags(["-static-stdlib", "-nostartfiles"])]),
    shim("CJPEG", separately, links: ["jpeg"]),
    shim("CPNG", links: ["deflate"]),
    shim("CSandbox", links: ["seccomp"]),
    shim("CCurl", links: ["curl", "ssl"]),
    shim("CStart", links: []),

    // Support: knows nobody above it.
    target("Text", in: "Support"),
    target("Digests", in: "Support"),
    target("Bodies", in: "Support", ["Digests", "CBrotli", "CCrypto", "CZlib"]),
    target("Concurrency", in: "Support"),
    target("FileStore", in: "Support", ["Concurrency", "Text"]),
    target("Signposts", in: "Support", ["Concurrency", "Text"]),
    target("SQLiteStore", in: "Support", ["CSQLite", "Digests", "FileStore", "Text"]),
    target("Pictures", in: "Support", ["Digests"]),
    target("Syntax", in: "Support", ["Text"]),

    // Clients: what is true of one image library.
    target("ClientKit", in: "Clients", ["Concurrency", "FileStore", "Pictures", "Syntax", "Text"]),
    target("NukeCache", in: "Clients", ["Concurrency", "Digests", "FileStore", "Text"]),
    target(
      "KingfisherCache", in: "Clients", ["Concurrency", "Digests", "FileStore", "Pictures", "Text"]),
    target("SDWebImageCache", in: "Clients", ["Digests", "FileStore", "Text"]),
    target(
      "ClientRegistry", in: "Clients",
      [
        "ClientKit", "FileStore", "KingfisherCache", "NukeCache", "Pictures", "SDWebImageCache", "Syntax",
        "Text",
      ]),

    // Engine, in the order of the data.
    target("Feeds", in: "Engine", ["Bodies", "Syntax", "Text"]),
    target(
      "JobFile", in: "Engine",
      ["ClientKit", "ClientRegistry", "Bodies", "Feeds", "Pictures", "Syntax", "Text"]),
    target(
      "Planning", in: "Engine",
      ["ClientKit", "Digests", "FileStore", "JobFile", "Pictures", "Syntax", "Text"]),
    target(
      "Fetching", in: "Engine",
      [
        "Bodies", "Concurrency", "Digests", "FileStore", "SQLiteStore", "Signposts", "Text", "CCurl",
      ]),
    target("Rendering", in: "Engine", ["Concurrency", "Pictures", "Signposts", "Text"]),
    target(
      "ImageProcessing", in: "Engine",
      [
        "Pictures", "Rendering", "Signposts", "Text", "CDraw", "CVips", "CExif", "CExpat", "CJPEG", "CPNG",
        "CSandbox", "CWebP",
      ]),
    target(
      "CacheStore", in: "Engine",
      [
        "ClientKit", "ClientRegistry", "Concurrency", "Bodies", "Fetching", "FileStore",
        "Planning", "SQLiteStore", "Signposts", "Text",
      ]),
    target(
      "Running", in: "Engine",
      [
        "CacheStore", "ClientKit", "JobFile", "Concurrency", "Bodies", "Fetching", "FileStore",
        "Pictures", "Planning", "Rendering", "Signposts", "Text",
      ]),

    // App: what an iOS app imports; no C library.
    target("CacheBundleInstaller", in: "App", ["Concurrency", "Digests", "FileStore", "Text"]),

    // Tools: work on a cache that exists.
    target(
      "Bundles", in: "Tools",
      [
        "CacheBundleInstaller", "CacheStore", "ClientKit", "ClientRegistry", "Bodies", "Digests",
        "FileStore", "Planning", "Text", "CCrypto",
      ]),
    target(
      "CacheTools", in: "Tools",
      [
        "Bundles", "CacheBundleInstaller", "CacheStore", "ClientKit", "ClientRegistry", "Bodies",
        "Fetching", "FileStore", "JobFile", "Pictures", "Planning", "Rendering", "SQLiteStore", "Text",
      ]),
    target(
      "Sessions", in: "Tools",
      [
        "CacheBundleInstaller", "CacheStore", "CacheTools", "ClientKit", "ClientRegistry", "FileStore",
        "JobFile", "Planning", "Syntax", "Text",
      ]),
    target(
      "Reporting", in: "Tools",
      ["Digests", "FileStore", "Pictures", "Planning", "Signposts", "Syntax", "Text"],
      embedded: ["Page/page.css", "Page/page.js"]),

    // Library: the pipeline for Linux programs.
    target(
      "ImagePipeline", in: "Library",
      [
        "ClientRegistry", "Concurrency", "Fetching", "KingfisherCache", "NukeCache", "Pictures", "Rendering",
        "Signposts",
      ]),

    target("Preheat", in: "Library", ["Fetching", "ImagePipeline", "NukeCache", "Pictures", "Signposts"]),

    // Command: the two programs.
    target(
      "PreheatCommand", in: "Command",
      [
        "Bundles", "CacheBundleInstaller", "CacheStore", "CacheTools", "ClientKit", "ClientRegistry",
        "Concurrency", "Bodies", "Fetching", "FileStore", "JobFile", "Pictures", "Planning",
        "Rendering", "Reporting", "Running", "Sessions", "Signposts",
        "Syntax",
        "Text",
      ]),
    program("preheat", path: "Sources/Command/preheat", ["CStart", "PreheatCommand"]),
    program("preheat-render", path: "Sources/Command/preheat-render", ["CStart", "ImageProcessing"]),

    // Built with the rest, so that they always compile.
    // A decoder that has been taken over, for the tests.
    .executableTarget(name: "hostile-worker", dependencies: ["CSandbox"], path: "Tests/HostileWorker"),
    // A systemd unit's filter, for the tests of ours.
    .executableTarget(
      name: "unit-filter", path: "Tests/UnitFilter", linkerSettings: [.linkedLibrary("seccomp")]),
    program("library-example", path: "examples/library", ["Preheat"]),
    program("install-bundle", path: "examples/app/install", ["CacheBundleInstaller"]),

    // Timings, for `make bench`.
    program("cache-bench", path: "Benchmarks/cache-bench", ["NukeCache"]),
    program(
      "thumbnail-bench", path: "Benchmarks/thumbnail-bench", ["ImageProcessing", "Rendering", "Pictures"]),
    program("fetch-bench", path: "Benchmarks/fetch-bench", ["Fetching"]),

    // Tests, a folder a target.
    .target(
      name: "TestSupport", dependencies: ["Concurrency", "FileStore"], path: "Tests/TestSupport",
      swiftSettings: swift),
    .target(
      name: "JobSupport", dependencies: ["ClientKit", "JobFile", "Pictures", "Planning", "Syntax"],
      path: "Tests/JobSupport", swiftSettings: swift),
    tests("TextTests", ["Text", "Digests"]),
    tests("DigestsTests", ["Bodies", "Digests"]),
    tests("ConcurrencyTests", ["Concurrency"]),
    tests("FeedsTests", ["Feeds"]),
    tests("FileStoreTests", ["FileStore"]),
    tests("SignpostsTests", ["Signposts", "Concurrency", "Text"]),
    tests("PicturesTests", ["Pictures", "Digests"]),
    tests("NukeCacheTests", ["NukeCache", "Concurrency", "FileStore", "Text"]),
    tests("KingfisherCacheTests", ["KingfisherCache", "Concurrency", "Digests", "FileStore"]),
    tests("SDWebImageCacheTests", ["SDWebImageCache", "Digests", "FileStore", "Text"]),
    tests(
      "FetchingTests",
      ["Bodies", "Fetching", "Concurrency", "Digests", "SQLiteStore", "Signposts", "Text"]),
    tests("RenderingTests", ["Pictures", "Rendering"], exclude: ["Workers"]),
    tests("ImageProcessingTests", ["Digests", "ImageProcessing", "Pictures", "Rendering", "Text"]),
    tests(
      "NukeClientTests",
      ["ClientKit", "JobSupport", "NukeCache", "ClientRegistry", "Pictures", "Planning"]),
    tests(
      "KingfisherClientTests",
      [
        "ClientKit", "JobFile", "JobSupport", "KingfisherCache", "ClientRegistry", "Pictures",
        "Syntax",
      ]),
    tests(
      "SDWebImageClientTests",
      [
        "ClientKit", "FileStore", "JobFile", "JobSupport", "Pictures", "Planning", "SDWebImageCache",
        "ClientRegistry", "Syntax",
      ]),
    tests(
      "JobFileTests",
      [
        "ClientKit", "Bodies", "Fetching", "JobFile", "JobSupport", "KingfisherCache", "NukeCache",
        "ClientRegistry", "Pictures", "Planning", "Syntax", "Text",
      ]),
    tests(
      "PlanningTests",
      ["JobFile", "JobSupport", "NukeCache", "Pictures", "Planning", "Text"]),
    tests(
      "CacheStoreTests",
      ["CacheStore", "Concurrency", "Digests", "FileStore", "Planning", "SQLiteStore", "Text"]),
    tests(
      "RunningTests",
      [
        "CacheStore", "ClientKit", "Digests", "Fetching", "FileStore", "JobFile", "JobSupport", "Pictures",
        "Planning", "Rendering", "Running", "Text",
      ]),
    tests(
      "CacheBundleInstallerTests",
      ["Bundles", "CacheBundleInstaller", "Concurrency", "Digests", "FileStore"],
      exclude: ["Clients"]),
    tests(
      "BundlesTests",
      [
        "Bundles", "CacheBundleInstaller", "CacheStore", "ClientKit", "ClientRegistry", "Digests",
        "FileStore", "NukeCache", "Planning", "Text",
      ]),
    tests(
      "CacheToolsTests",
      [
        "Bundles", "CacheBundleInstaller", "CacheStore", "CacheTools", "ClientKit", "ClientRegistry",
        "Digests", "Fetching",
        "FileStore", "JobFile", "JobSupport", "KingfisherCache", "NukeCache", "Pictures", "Planning",
        "SQLiteStore",
        "preheat-render",
      ]),
    tests(
      "SessionsTests",
      [
        "CacheStore", "ClientKit", "ClientRegistry", "FileStore", "JobFile", "JobSupport", "KingfisherCache",
        "NukeCache", "Sessions", "Syntax", "Text",
      ]),
    tests("ReportingTests", ["Reporting", "Digests", "Planning", "Text"]),
    fuzzing([
      "CacheBundleInstaller", "CacheStore", "ClientKit", "ClientRegistry", "Bodies", "Digests",
      "Feeds",
      "Fetching",
      "FileStore", "ImageProcessing", "JobFile", "Pictures", "Planning", "Rendering", "Reporting", "Sessions",
      "Signposts", "Syntax", "Text",
    ]),
    tests(
      "ImagePipelineTests",
      [
        "ImagePipeline", "ClientKit", "Concurrency", "Fetching", "KingfisherCache", "NukeCache", "Pictures",
        "Planning", "Preheat", "Running", "Signposts",
        "preheat-render", "library-example",
      ]),
    tests(
      "PreheatCommandTests",
      [
        "PreheatCommand", "CacheBundleInstaller", "CacheStore", "ClientKit", "ClientRegistry",
        "Bodies", "Digests", "FileStore", "JobFile", "JobSupport", "Pictures", "Planning",
        "Reporting",
        "Syntax", "Text", "preheat-render",
      ]),
    tests(
      "EndToEndTests",
      [
        "CacheBundleInstaller", "KingfisherCache", "NukeCache", "Pictures", "Rendering", "SDWebImageCache",
        "hostile-worker", "install-bundle", "preheat", "preheat-render", "unit-filter",
      ]),
  ],
  swiftLanguageModes: [.v6])
