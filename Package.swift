// swift-tools-version:6.2
import PackageDescription

// CI and `make` turn warnings into errors; a package that depends on this one is not held to that.
let swift: [SwiftSetting] =
  Context.environment["PREHEAT_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

let package = Package(
  name: "preheat",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "preheat", targets: ["preheat"]),
    .executable(name: "preheat-render", targets: ["preheat-render"]),
    .library(name: "NukeCache", targets: ["NukeCache"]),
    .library(name: "KingfisherCache", targets: ["KingfisherCache"]),
    .library(name: "CacheBundleInstaller", targets: ["CacheBundleInstaller"]),
    .library(
      name: "Preheat",
      targets: ["JobRunner", "NukeCache", "KingfisherCache", "HTTPLoading", "Rendering", "Signposts"]),
  ],
  targets: [
    // C libraries. vips' own .pc file drags flags in that SwiftPM refuses, so only GLib's is asked
    // for its include paths; the headers of vips, exif, curl and sqlite3 lie in the default path.
    .systemLibrary(name: "SysGObject", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "CVips", dependencies: ["SysGObject"],
      linkerSettings: [
        .linkedLibrary("vips"), .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"),
        .linkedLibrary("m"),
      ]),
    .target(name: "CExif", linkerSettings: [.linkedLibrary("exif")]),
    .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CArchive", linkerSettings: [.linkedLibrary("archive")]),

    // Rooms, in the order in which the data passes through them.
    .target(name: "CacheCore", swiftSettings: swift),
    .target(name: "NukeCache", dependencies: ["CacheCore"], swiftSettings: swift),
    .target(name: "KingfisherCache", dependencies: ["CacheCore"], swiftSettings: swift),
    .target(name: "Signposts", swiftSettings: swift),
    .target(name: "SQLiteStore", dependencies: ["CSQLite"], swiftSettings: swift),
    .target(
      name: "HTTPLoading", dependencies: ["CacheCore", "SQLiteStore", "Signposts", "CCurl"],
      swiftSettings: swift),
    .target(name: "Rendering", dependencies: ["Signposts"], swiftSettings: swift),
    // What an app imports: no C library.
    .target(name: "CacheBundleInstaller", dependencies: ["CacheCore"], swiftSettings: swift),
    .target(
      name: "ImageProcessing", dependencies: ["Rendering", "Signposts", "CVips", "CExif", "CSandbox"],
      swiftSettings: swift),
    .target(
      name: "JobRunner",
      dependencies: [
        "CacheCore", "NukeCache", "KingfisherCache", "HTTPLoading", "Rendering", "Signposts", "SQLiteStore",
        "CacheBundleInstaller", "CArchive",
      ],
      swiftSettings: swift),
    // What is told of a run afterwards: no C library, and nothing of how a run is done.
    .target(
      name: "Reporting", dependencies: ["CacheCore", "Rendering", "Signposts"], swiftSettings: swift),
    .target(
      name: "PreheatCommand",
      dependencies: [
        "CacheCore", "HTTPLoading", "JobRunner", "NukeCache", "KingfisherCache", "Rendering", "Reporting",
        "Signposts",
      ],
      swiftSettings: swift),
    .executableTarget(name: "preheat", dependencies: ["PreheatCommand"], swiftSettings: swift),
    .executableTarget(name: "preheat-render", dependencies: ["ImageProcessing"], swiftSettings: swift),

    // Built with the rest, so that it always compiles.
    .executableTarget(
      name: "library-example", dependencies: ["JobRunner", "NukeCache"], path: "examples/library",
      swiftSettings: swift),
    .executableTarget(
      name: "install-bundle", dependencies: ["CacheBundleInstaller"], path: "examples/app/install",
      swiftSettings: swift),

    // Timings, for `make bench`.
    .executableTarget(
      name: "cache-bench", dependencies: ["NukeCache"], path: "Benchmarks/cache-bench", swiftSettings: swift),
    .executableTarget(
      name: "thumbnail-bench", dependencies: ["ImageProcessing"], path: "Benchmarks/thumbnail-bench",
      swiftSettings: swift),
    .executableTarget(
      name: "fetch-bench", dependencies: ["HTTPLoading"], path: "Benchmarks/fetch-bench", swiftSettings: swift
    ),

    // Tests, a folder a room.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swift),
    .testTarget(name: "CacheCoreTests", dependencies: ["CacheCore", "TestSupport"], swiftSettings: swift),
    .testTarget(name: "NukeCacheTests", dependencies: ["NukeCache", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "KingfisherCacheTests", dependencies: ["KingfisherCache", "TestSupport"], swiftSettings: swift),
    .testTarget(name: "SignpostsTests", dependencies: ["Signposts", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "CacheBundleInstallerTests", dependencies: ["CacheBundleInstaller", "CacheCore", "TestSupport"],
      exclude: ["Clients"], swiftSettings: swift),
    .testTarget(
      name: "HTTPLoadingTests", dependencies: ["HTTPLoading", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "RenderingTests", dependencies: ["Rendering", "TestSupport"], exclude: ["Workers"],
      swiftSettings: swift),
    .testTarget(
      name: "ImageProcessingTests", dependencies: ["ImageProcessing", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "JobRunnerTests",
      dependencies: [
        "JobRunner", "CacheBundleInstaller", "preheat-render", "library-example", "TestSupport",
      ],
      swiftSettings: swift),
    .testTarget(name: "ReportingTests", dependencies: ["Reporting", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "PreheatCommandTests", dependencies: ["PreheatCommand", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "preheat", "preheat-render", "CacheCore", "NukeCache", "KingfisherCache", "Rendering",
        "CacheBundleInstaller", "install-bundle", "TestSupport",
      ],
      swiftSettings: swift),
  ],
  swiftLanguageModes: [.v6])
