import Foundation
import TestSupport
import Testing

/// The files in `examples/app` compile, against the clients' declarations alone.
@Suite(.timeLimit(.minutes(10)))
struct AppExampleTests {
  private static let checkout = Fixtures.checkout

  /// What is for Apple's systems alone is left out here; the rest needs no client.
  @Test func theFilesForTheBackgroundCompile() async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      try Self.compile([
        "-swift-version", "6", "-warnings-as-errors", "-module-cache-path", folder.path, "-typecheck",
        "-parse-as-library", "-I", BuiltCommand.products.appendingPathComponent("Modules").path,
        Self.checkout.appendingPathComponent("examples/app/Background/InstallInBackground.swift").path,
      ])
    }.value
  }

  /// The oldest and the newest release of each major version, and those between which an example differs, with the flag
  /// that an example names. Old ones are used in Swift 5: what they publish is not marked for Swift 6.
  @Test(arguments: [
    ("Nuke", "10.0.0", "NUKE_10"), ("Nuke", "10.11.2", "NUKE_10"), ("Nuke", "11.0.0", "NUKE_11"),
    ("Nuke", "11.3.1", "NUKE_11"), ("Nuke", "11.6.4", "NUKE_11"), ("Nuke", "12.0.0", "NUKE_12"),
    ("Nuke", "12.9.0", "NUKE_12"),
    ("Nuke", "13.0.0", ""), ("Nuke", "13.2.3", ""), ("Nuke", "14.0.0", ""),
    ("Kingfisher", "5.0.0", "KINGFISHER_6"), ("Kingfisher", "5.15.8", "KINGFISHER_6"),
    ("Kingfisher", "6.0.0", "KINGFISHER_6"), ("Kingfisher", "6.3.1", "KINGFISHER_6"),
    ("Kingfisher", "7.0.0", "KINGFISHER_7"), ("Kingfisher", "7.12.0", "KINGFISHER_7"),
    ("Kingfisher", "8.0.0", "KINGFISHER_8_0"), ("Kingfisher", "8.1.0", "KINGFISHER_8_8"),
    ("Kingfisher", "8.8.1", "KINGFISHER_8_8"), ("Kingfisher", "8.9.0", ""), ("Kingfisher", "8.11.0", ""),
    ("SDWebImage", "5.0.0", "SDWEBIMAGE_5_6"), ("SDWebImage", "5.21.5", ""),
  ])
  func theAppsFilesCompile(client: String, release: String, flag: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      if client == "SDWebImage" {
        let declarations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("Clients/\(client).swift")
        try Self.compile([
          "-swift-version", "6", "-module-cache-path", folder.path, "-parse-as-library", "-emit-module", "-D",
          flag.isEmpty ? "NEWEST" : flag,
          "-module-name", client, declarations.path, "-o", folder.file("\(client).swiftmodule").path,
        ])
      } else {
        let complaint = try PublishedModule(client, release: release).build(client, in: folder.url)
        try #require(complaint == nil, "\(complaint ?? "")")
      }
      let isOld = ["NUKE_10", "KINGFISHER_6", "KINGFISHER_7"].contains(flag)
      let examples = Self.checkout.appendingPathComponent("examples/app/\(client)")
      let files = try FileManager.default.contentsOfDirectory(atPath: examples.path).sorted()
      #expect(files.count == 3)
      let log = Self.checkout.appendingPathComponent("examples/app/Recording/RequestLog.swift")
      try Self.compile(
        [
          "-swift-version", isOld ? "5" : "6", "-warnings-as-errors", "-module-cache-path", folder.path,
          "-typecheck", "-parse-as-library", "-I", folder.path, "-I",
          BuiltCommand.products.appendingPathComponent("Modules").path, log.path,
        ] + (flag.isEmpty ? [] : ["-D", flag]) + files.map { examples.appendingPathComponent($0).path })
    }.value
  }

  /// Asked as the client's manager and prefetcher ask, by what is known of them, the recorder tells one line for each
  /// request of the app's, and what kept it from the disk.
  @Test(arguments: [("NEWEST", 14), ("KINGFISHER_6", 10)])
  func kingfishersRecorderTellsRequestsFromSecondQuestions(flag: String, count: Int) async throws {
    try await OwnThread {
      let lines = try Self.recorded("Kingfisher", flag, "Fixtures/code/KingfisherQuestions.swift.txt")
      let told = lines.map { line in
        ([line.key.replacing("https://e.com/", with: ""), line.found] + (line.options ?? []))
          .joined(separator: " ")
      }
      let expected = [
        "a.jpg@round none", "a.jpg none", "b.jpg@round none ImagePrefetcher", "b.jpg none",
        "c.jpg@round disk", "c.jpg none", "own memory", "d.jpg@round none", "c.jpg@round disk",
        "c.jpg@round none fromMemoryCacheOrRefresh", "d.jpg none fromMemoryCacheOrRefresh",
        "own memory fromMemoryCacheOrRefresh", "c.jpg@round disk", "e.jpg@round none",
      ]
      #expect(told == Array(expected.prefix(count)))
      // Base key and identifier are known apart: a processor of the app's own needs that to be read back.
      #expect(lines.first?.url == "https://e.com/a.jpg" && lines.first?.id == nil)
      #expect(lines.count > 6 && lines[6].id == "own" && lines[6].url == nil)
    }.value
  }

  /// Up to Nuke 12 `imageId` is the URL: what the app gave stands in the request's `userInfo`.
  @Test(arguments: ["NUKE_10", "NUKE_11", "NUKE_12", "NEWEST"])
  func nukesRecorderHasTheIDsOfTheApp(flag: String) async throws {
    try await OwnThread {
      let lines = try Self.recorded("Nuke", flag, "Fixtures/code/NukeRequests.swift.txt")
      #expect(lines.map(\.id) == ["product", nil, ""])
      #expect(lines.map(\.url) == Array(repeating: "https://e.com/a.jpg", count: 3))
      #expect(lines.map(\.key) == ["product", "https://e.com/a.jpg", ""])
    }.value
  }

  /// A cache is handed the key alone: it is the URL where no filter made it.
  @Test func sdWebImagesRecorderKnowsURLsFromKeys() async throws {
    try await OwnThread {
      let lines = try Self.recorded(
        "SDWebImage", "SDWEBIMAGE_5_6", "CacheBundleInstallerTests/Clients/SDWebImage.swift",
        """
        final class Round: NSObject, SDImageTransformer { let transformerKey = "round" }
        @main enum Requests {
          static func main() {
            let recorder = RequestRecorder()
            let round: [SDWebImageContextOption: Any] = [.imageTransformer: Round()]
            let filter: [SDWebImageContextOption: Any] = [.cacheKeyFilter: 0, .imageTransformer: Round()]
            _ = recorder.queryImage(forKey: "https://e.com/a.jpg", options: .fromCacheOnly, context: round, completion: nil)
            _ = recorder.queryImage(forKey: "product", options: [], context: filter, completion: nil)
            let thumbnail = SDWebImageContextOption(rawValue: "imageThumbnailPixelSize")
            _ = recorder.queryImage(forKey: "a-Thumbnail({8,8},1)", options: [], context: [thumbnail: 0], completion: nil)
            recorder.log.flush()
          }
        }
        """)
      #expect(lines.map(\.key) == ["https://e.com/a-round.jpg", "product-round", "a-Thumbnail({8,8},1)"])
      #expect(lines.map(\.url) == ["https://e.com/a.jpg", nil, nil])
      #expect(lines.map(\.id) == [nil, "product", nil])
      #expect(lines.map(\.options) == [["fromCacheOnly"], nil, nil])
    }.value
  }

  private struct Line: Decodable {
    var key: String
    var url: String?
    var id: String?
    var found: String
    var options: [String]?
  }

  /// Compiles a recorder with what stands in for its client, and runs what asks it.
  private static func recorded(
    _ client: String, _ flag: String, _ declarations: String, _ main: String = ""
  ) throws -> [Line] {
    let folder = try TemporaryFolder()
    let examples = checkout.appendingPathComponent("examples/app")
    let recorder = try String(
      contentsOf: examples.appendingPathComponent("\(client)/RequestRecorder.swift"), encoding: .utf8)
    let stand = try String(
      contentsOf: checkout.appendingPathComponent("Tests/\(declarations)"), encoding: .utf8)
    try Data(recorder.replacing("import \(client)\n", with: "").utf8).write(to: folder.file("Recorder.swift"))
    try Data("\(stand)\n\(main)\n".utf8).write(to: folder.file("Client.swift"))
    try compile([
      "-swift-version", "6", "-parse-as-library", "-module-name", "Requests", "-module-cache-path",
      folder.path, "-D", flag, folder.file("Recorder.swift").path, folder.file("Client.swift").path,
      examples.appendingPathComponent("Recording/RequestLog.swift").path, "-o", folder.file("ask").path,
    ])
    let process = Process()
    process.executableURL = folder.file("ask")
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": folder.path]) { $1 }
    try process.run()
    process.waitUntilExit()
    let lines = try String(contentsOf: folder.file("requests.ndjson"), encoding: .utf8).split(separator: "\n")
    return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  private static func compile(_ arguments: [String]) throws {
    let complaint = try SwiftCompiler.complaint(arguments)
    try #require(complaint == nil, "\(complaint ?? "")")
  }
}
