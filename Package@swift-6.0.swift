// swift-tools-version:6.0
import PackageDescription

// For Xcode 16 with Swift 6.0 and 6.1: the libraries for apps, which ask for nothing newer. A test holds this file to
// Package.swift, which has all of the package.

func target(_ name: String, in folder: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: "Sources/\(folder)/\(name)"
  )
}

let package = Package(
  name: "preheat",
  platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
  products: [
    .library(name: "NukeCache", targets: ["NukeCache"]),
    .library(name: "KingfisherCache", targets: ["KingfisherCache"]),
    .library(name: "SDWebImageCache", targets: ["SDWebImageCache"]),
    .library(name: "CacheBundleInstaller", targets: ["CacheBundleInstaller"]),
  ],
  targets: [
    target("Text", in: "Support"),
    target("Digests", in: "Support"),
    target("Concurrency", in: "Support"),
    target("FileStore", in: "Support", ["Concurrency", "Text"]),
    target("Pictures", in: "Support", ["Digests"]),
    target("NukeCache", in: "Clients", ["Concurrency", "Digests", "FileStore", "Text"]),
    target("KingfisherCache", in: "Clients", ["Concurrency", "Digests", "FileStore", "Pictures", "Text"]),
    target("SDWebImageCache", in: "Clients", ["Digests", "FileStore", "Text"]),
    target("CacheBundleInstaller", in: "App", ["Concurrency", "Digests", "FileStore", "Text"]),
  ],
  swiftLanguageModes: [.v6])
