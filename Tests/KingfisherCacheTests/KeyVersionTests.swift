import Foundation
import Testing

@testable import KingfisherCache

@Suite("What Kingfisher's versions change", .timeLimit(.minutes(10)))
struct KeyVersionTests {
  /// Components outside 0...1 spill into their neighbours where the colour prints in hexadecimal.
  @Test(
    arguments: [
      (KingfisherVersion(7, 0, 0), .rgba(red: 1, green: 0.5, blue: 0, alpha: 1), "#ff7f00ff"),
      (KingfisherVersion(7, 1, 0), .rgba(red: 1, green: 0.5, blue: 0, alpha: 1), "(1.00,0.50,0.00,1.00)"),
      (KingfisherVersion(7, 0, 0), .rgba(red: 1.02, green: 0, blue: 0, alpha: 1), "#040000ff"),
      (KingfisherVersion(7, 0, 0), .rgba(red: 0, green: 1.02, blue: 0, alpha: 1), "#010400ff"),
      (KingfisherVersion(7, 0, 0), .rgba(red: 0, green: 0, blue: -0.51, alpha: 1), "#ffff7eff"),
      (KingfisherVersion(6, 0, 0), .gray(white: 0, alpha: 0), "#00000000"),
      (KingfisherVersion(8, 0, 0), .gray(white: -0.001, alpha: 1), "(-0.00,-0.00,-0.00,1.00)"),
    ] as [(KingfisherVersion, BuiltInProcessor.Color, String)])
  func coloursPrintInHexadecimalBefore7Point1(
    version: KingfisherVersion, color: BuiltInProcessor.Color, text: String
  ) {
    #expect(
      KingfisherKeyFormat(version: version).identifier(of: [TintImageProcessor(tint: color).call])
        == "com.onevcat.Kingfisher.TintImageProcessor(\(text))")
  }

  @Test(arguments: [
    ("file:///Apps/A.app/img/%C3%A9.png?v=%201#top", "kingfisher.local.cacheKey/A.app/img/é.png?v=%201"),
    ("file:///A.app/B.app/c.png", "kingfisher.local.cacheKey/B.app/c.png"),
    ("file:///A.app/W.appex/B.approx/c.png", "kingfisher.local.cacheKey/W.appex/B.approx/c.png"),
    ("FILE:///tmp/a.png", "kingfisher.local.cacheKey///tmp/a.png"),
    ("file://localhost/tmp/a.png", "kingfisher.local.cacheKey///tmp/a.png"),
    ("file:///", "kingfisher.local.cacheKey//"),
    ("https://example.com/A.app/c.png", "https://example.com/A.app/c.png"), ("https://[/", ""),
  ])
  func aFileURLHasAKeyThatOutlivesAReinstallation(url: String, key: String) {
    #expect(KingfisherKeyFormat(version: .latest).baseKey(url: url) == key)
  }

  @Test(
    arguments: zip(
      ["5.0.0", "7.0.0", "7.1.0", "7.1.2", "7.2.0", "7.2.1", "7.12.0", "8.0.0"],
      [false, false, true, true, false, true, true, true]))
  func localFilesHaveTheirOwnKeysSince7Point1ButFor7Point2(version: String, isLocal: Bool) throws {
    let format = KingfisherKeyFormat(version: try KingfisherVersion(parsing: version))
    #expect(
      format.baseKey(url: "file:///A.app/b.png")
        == (isLocal ? "kingfisher.local.cacheKey/A.app/b.png" : "file:///A.app/b.png"))
  }

  /// A file with a key of the app's own and without one, as an `ImageResource`.
  @Test(
    arguments: [
      ("7.0.0", "own", "file:///A.app/b.png"), ("7.1.0", "local", "local"), ("7.1.2", "local", "local"),
      ("7.2.0", "own", "local"), ("7.2.1", "own", "local"), ("8.11.0", "own", "local"),
    ])
  func filesAndTheirOwnKeys(text: String, resource: String, plainResource: String) throws {
    let version = try KingfisherVersion(parsing: text)
    let url = try #require(URL(string: "file:///A.app/b.png"))
    func key(_ name: String) -> String { name == "local" ? "kingfisher.local.cacheKey/A.app/b.png" : name }
    func resourceKey(_ own: String?) -> String {
      ImageResource(downloadURL: url, cacheKey: own).cacheKey(in: version)
    }
    #expect(resourceKey("own") == key(resource) && resourceKey(nil) == key(plainResource))
    let web = try #require(URL(string: "https://e.com/a.png"))
    #expect(ImageResource(downloadURL: web, cacheKey: "own").cacheKey(in: version) == "own")
    #expect(ImageResource(downloadURL: web).cacheKey(in: version) == "https://e.com/a.png")
  }

  /// `usesHashedFileName` off: the key is the name, and the automatic extension does not count.
  @Test(arguments: [
    ("8.11.0", "a.png", ["a.png"]), ("5.3.0", "a.png", ["a.png"]), ("8.5.0", "a b@x", ["a b@x"]),
    ("8.11.0", "https://e.com/a.png", []), ("8.11.0", ".hidden", []), ("8.11.0", "", []),
    ("8.11.0", String(repeating: "x", count: 256), []),
  ])
  func namesThatAreNotHashedAreKeys(version: String, key: String, names: [String]) throws {
    var format = KingfisherKeyFormat(
      version: try KingfisherVersion(parsing: version),
      naming: FileNaming(autoExtension: true, isHashed: false))
    #expect((try? format.fileNames(forComputedKey: key)) ?? [] == names)
    format.naming.pathExtension = "jpg"
    if !names.isEmpty { #expect(try format.fileNames(forComputedKey: key) == ["\(key).jpg"]) }
    format.version = KingfisherVersion(5, 2, 0)
    format.naming.pathExtension = nil
    #expect(try format.fileNames(forComputedKey: key).first?.count == 32, "5.2.0 hashes all")
  }

  /// Automatic extensions of 6.3.0, 7.12.0 and 8.11.0; nil is none, and one with a slash is no name.
  @Test(
    arguments: [
      ("a.png", "png", "png", "png"), ("a.b@c.png", "png", "b", "b"), ("@a.png", "png", "png", "png"),
      ("a.@b", "b", nil, nil), ("a.@", nil, nil, nil), ("@", nil, nil, nil), ("", nil, nil, nil),
      ("a.é2", "é2", "é2", "é2"), ("a.p-g", "p-g", "p-g", nil), ("a.b/c", "b/c", "b/c", nil),
    ] as [(String, String?, String?, String?)])
  func theAutomaticExtensionHasThreeGenerations(key: String, first: String?, second: String?, third: String?)
  {
    let versions = [
      ("6.3.0", first), ("7.11.0", first), ("7.12.0", second), ("8.10.0", second), ("8.11.0", third),
      ("6.2.1", nil),
    ]
    for (version, wanted) in versions {
      let format = (try? KingfisherVersion(parsing: version)).map {
        KingfisherKeyFormat(version: $0, naming: FileNaming(autoExtension: true))
      }
      #expect(format?.automaticExtension(of: key) == wanted, "\(version)")
    }
  }

  @Test(arguments: [
    ("8.0.3", ["hash"]), ("8.1.0", ["hash.heic", "hash"]), ("8.8.1", ["hash.heic", "hash"]),
    ("8.9.0", ["hash.heic"]),
  ])
  func aForcedExtensionNeedsTwoFilesUntil8Point9(version: String, names: [String]) throws {
    var format = KingfisherKeyFormat(version: try KingfisherVersion(parsing: version))
    let hash = try #require(try format.fileNames(forComputedKey: "a.png").first)
    format.naming.forcedExtension = "heic"
    #expect(try format.fileNames(forComputedKey: "a.png") == names.map { $0.replacing("hash", with: hash) })
    format.naming.pathExtension = "heic"
    #expect(try format.fileNames(forComputedKey: "a.png") == ["\(hash).heic"])
  }

  /// `hash.jpg/` is the path of `hash.jpg`.
  @Test func anExtensionLosesOneSlashAtItsEnd() throws {
    func names(_ version: KingfisherVersion, _ naming: FileNaming, key: String = "k") throws -> [String] {
      let hash = try #require(try KingfisherKeyFormat(version: version).fileNames(forComputedKey: key).first)
      return try KingfisherKeyFormat(version: version, naming: naming).fileNames(forComputedKey: key).map {
        $0.replacing(hash, with: "hash")
      }
    }
    let url = "https://e.com/a.jpg/"
    #expect(try names(KingfisherVersion(8, 10, 0), FileNaming(autoExtension: true), key: url) == ["hash.jpg"])
    #expect(try names(KingfisherVersion(8, 11, 0), FileNaming(autoExtension: true), key: url) == ["hash"])
    #expect(try names(KingfisherVersion(8, 9, 0), FileNaming(forcedExtension: "jpg/")) == ["hash.jpg"])
    #expect(
      try names(KingfisherVersion(8, 8, 0), FileNaming(forcedExtension: "jpg/")) == ["hash.jpg", "hash"])
    #expect(try names(KingfisherVersion(5, 0, 0), FileNaming(pathExtension: "jpg/")) == ["hash.jpg"])
    #expect(throws: NotCacheable.self) {
      try names(KingfisherVersion(8, 9, 0), FileNaming(forcedExtension: "jpg//"))
    }
    // A key that is the name itself loses none.
    #expect(throws: NotCacheable.self) {
      try KingfisherKeyFormat(version: .latest, naming: FileNaming(isHashed: false)).fileNames(
        forComputedKey: "k/")
    }
  }

  @Test func aNameThatNoFileSystemTakesIsRefused() {
    let long = String(repeating: "x", count: 300)
    let format = KingfisherKeyFormat(
      version: KingfisherVersion(7, 0, 0), naming: FileNaming(autoExtension: true))
    #expect(throws: NotCacheable.self) { try format.fileNames(forComputedKey: "a." + long) }
    let failure = #expect(throws: NotCacheable.self) {
      try KingfisherKeyFormat(version: KingfisherVersion(7, 0, 0), naming: FileNaming(pathExtension: "a/b"))
        .fileNames(forComputedKey: "")
    }
    #expect(
      failure?.description.contains("d41d8cd98f00b204e9800998ecf8427e.a/b") == true, "the hash of nothing")
  }

  @Test(
    arguments: [
      (
        "5.13.4",
        RoundCornerImageProcessor(
          radius: .widthFraction(1), targetSize: nil, roundingCorners: .all, backgroundColor: nil)
      ),
      (
        "6.3.1",
        BorderImageProcessor(
          border: Border(
            color: .gray(white: 0, alpha: 1), lineWidth: 4, radius: .point(0), roundingCorners: .all))
      ),
      ("7.0.0", TintImageProcessor(tint: .gray(white: 1e30, alpha: 1))),
      ("8.0.0", TintImageProcessor(tint: .gray(white: .nan, alpha: 1))),
    ] as [(String, BuiltInProcessor)])
  func whatAVersionCannotExpressIsNamedWithTheReason(version: String, processor: BuiltInProcessor) throws {
    let format = KingfisherKeyFormat(version: try KingfisherVersion(parsing: version))
    #expect(format.unsupportedReason([BlackWhiteProcessor(), processor].map(\.call)) != nil)
    #expect(!format.identifier(of: [processor.call]).isEmpty)
    var own = processor.call
    own.identifier = "mine"
    #expect(format.unsupportedReason([own]) == nil)
  }
}
