import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// The files in `examples/app` compile, against the clients' declarations alone.
@Suite(.timeLimit(.minutes(10)))
struct AppExampleTests {
  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

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
    ("Nuke", "11.6.4", "NUKE_11"), ("Nuke", "12.0.0", "NUKE_12"), ("Nuke", "12.9.0", "NUKE_12"),
    ("Nuke", "13.0.0", ""), ("Nuke", "13.2.0", ""),
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
      let isOld = ["NUKE_10", "NUKE_11", "KINGFISHER_6", "KINGFISHER_7"].contains(flag)
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
  /// request of the app's.
  @Test(arguments: [("NEWEST", 11), ("KINGFISHER_6", 8)])
  func kingfishersRecorderTellsRequestsFromSecondQuestions(flag: String, count: Int) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let examples = Self.checkout.appendingPathComponent("examples/app")
      let recorder = try String(
        contentsOf: examples.appendingPathComponent("Kingfisher/RequestRecorder.swift"), encoding: .utf8)
      try Data(recorder.replacing("import Kingfisher\n", with: "").utf8).write(
        to: folder.file("Recorder.swift"))
      try FileManager.default.copyItem(
        at: Fixtures.folder.appendingPathComponent("code/KingfisherQuestions.swift.txt"),
        to: folder.file("Questions.swift"))
      try Self.compile([
        "-swift-version", "6", "-parse-as-library", "-module-name", "Questions", "-module-cache-path",
        folder.path, "-D", flag, folder.file("Recorder.swift").path, folder.file("Questions.swift").path,
        examples.appendingPathComponent("Recording/RequestLog.swift").path, "-o", folder.file("ask").path,
      ])
      let lines = try Self.output(of: folder.file("ask"), caches: folder.path)
      struct Line: Decodable {
        var key: String
        var url: String?
        var id: String?
        var found: String
      }
      let told = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        .map { "\($0.key.replacing("https://e.com/", with: "")) \($0.found)" }
      let expected = [
        "a.jpg@round none", "a.jpg none", "b.jpg@round none", "b.jpg none", "c.jpg@round disk", "c.jpg none",
        "own memory", "d.jpg@round none", "c.jpg@round disk", "c.jpg@round disk", "e.jpg@round none",
      ]
      #expect(told == Array(expected.prefix(count)))
      // Base key and identifier are known apart: a processor of the app's own needs that to be read back.
      let first = try JSONDecoder().decode(Line.self, from: Data((lines.first ?? "").utf8))
      #expect(first.url == "https://e.com/a.jpg" && first.id == nil)
    }.value
  }

  /// What a program prints that takes this folder for the user's caches.
  private static func output(of program: URL, caches: String) throws -> [Substring] {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": caches]) { $1 }
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n")
  }

  private static func compile(_ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(text)")
  }
}
