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

  @Test(arguments: ["Nuke", "Kingfisher", "SDWebImage"])
  func theAppsFilesCompile(client: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let declarations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Clients/\(client).swift")
      let common = ["-swift-version", "6", "-warnings-as-errors", "-module-cache-path", folder.path]
      try Self.compile(
        common + [
          "-parse-as-library", "-emit-module", "-module-name", client, declarations.path, "-o",
          folder.file("\(client).swiftmodule").path,
        ])
      let examples = Self.checkout.appendingPathComponent("examples/app/\(client)")
      let files = try FileManager.default.contentsOfDirectory(atPath: examples.path).sorted()
      #expect(files.count == 3)
      let log = Self.checkout.appendingPathComponent("examples/app/Recording/RequestLog.swift")
      try Self.compile(
        common + [
          "-typecheck", "-parse-as-library", "-I", folder.path, "-I",
          BuiltCommand.products.appendingPathComponent("Modules").path,
          log.path,
        ] + files.map { examples.appendingPathComponent($0).path })
    }.value
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
