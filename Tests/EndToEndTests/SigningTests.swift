import CacheBundleInstaller
import Foundation
import TestSupport
import Testing

/// Keys as OpenSSL makes them, from the command line to the app.
@Suite(.timeLimit(.minutes(10)))
struct SigningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let cache = folder.file("cache")
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    let picture = try Data(contentsOf: Scene.images.appendingPathComponent("mountains.jpg"))
    try picture.write(to: cache.appendingPathComponent(String(repeating: "a", count: 40)))
  }

  /// Makes a pair of keys.
  private func keys(_ name: String, algorithm: String = "ed25519", _ more: [String] = []) throws {
    for arguments in [
      ["genpkey", "-algorithm", algorithm, "-out", "\(name).pem"] + more,
      ["pkey", "-in", "\(name).pem", "-passin", "pass:secret", "-pubout", "-out", "\(name).pub.pem"],
    ] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.currentDirectoryURL = folder.url
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(arguments)")
    }
  }

  private func bundle(_ more: [String]) throws -> BuiltCommand.Result {
    try BuiltCommand.run(["bundle", "cache", "-o", "b.zip", "--client", "nuke 12"] + more, in: folder.url)
  }

  @Test func aBundleIsSignedVerifiedAndInstalled() async throws {
    try await OwnThread { [self] in
      try keys("old")
      try keys("new")
      let made = try bundle(["--sign", "old.pem", "--sign", "new.pem", "--counter", "7"])
      #expect(made.status == 0, "\(made.messages)")
      // Of the key nothing is told.
      let secret = try String(contentsOf: folder.file("old.pem"), encoding: .utf8).split(separator: "\n")[1]
      #expect(!made.output.contains(secret) && !made.messages.contains(secret))
      for name in ["old", "new"] {
        let verified = try BuiltCommand.run(
          ["verify", "b.zip", "--quick", "--public-key", "\(name).pub.pem"], in: folder.url)
        #expect(verified.status == 0 && verified.output.contains("checked, counter 7"), "\(verified.output)")
        let pem = try String(contentsOf: folder.file("\(name).pub.pem"), encoding: .utf8)
        let installer = BundleInstaller(
          folder: folder.file("Caches/\(name)/cache"), publicKeys: [try BundlePublicKey(pem: pem)])
        let report = try installer.install(folder.file("b.zip"))
        #expect(report.written == 1 && made.output.contains(report.signedBy.first ?? "?"))
      }
      let unchecked = try BuiltCommand.run(["verify", "b.zip", "--quick"], in: folder.url)
      #expect(unchecked.status == 0 && unchecked.output.contains("not checked"))
      try keys("other")
      let refused = try BuiltCommand.run(
        ["verify", "b.zip", "--quick", "--public-key", "other.pub.pem"], in: folder.url)
      #expect(refused.status == 6 && refused.output.contains("verify.signature"), "\(refused.output)")
    }.value
  }

  @Test func whatCannotSignEndsWithAReason() async throws {
    try await OwnThread { [self] in
      try keys("right")
      try keys("locked", ["-aes256", "-pass", "pass:secret"])
      try keys("curve", algorithm: "x25519")
      for (arguments, words) in [
        (["--sign", "right.pem"], "--counter"), (["--counter", "1"], "--sign"),
        (["--sign", "locked.pem", "--counter", "1"], "encrypted"),
        (["--sign", "curve.pem", "--counter", "1"], "not one of Ed25519"),
        (["--sign", "right.pub.pem", "--counter", "1"], "public key"),
        (["--sign", "absent.pem", "--counter", "1"], "cannot be read"),
      ] {
        let result = try bundle(arguments)
        #expect(result.status == 2 && result.messages.contains(words), "\(arguments): \(result.messages)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("b.zip").path))
      }
    }.value
  }
}
