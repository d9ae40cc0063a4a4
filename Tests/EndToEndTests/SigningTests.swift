import CacheBundleInstaller
import Foundation
import TestSupport
import Testing

/// Keys as OpenSSL makes them, from the command line to the app.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
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
      try Program.run(["openssl"] + arguments, in: folder.url).expect(0)
    }
  }

  private func bundle(_ more: [String]) throws -> BuiltCommand.Result {
    try BuiltCommand.run(["bundle", "cache", "-o", "b.zip", "--client", "nuke 12"] + more, in: folder.url)
  }

  @Test func aBundleIsSignedVerifiedAndInstalled() throws {
    try keys("old")
    try keys("new")
    let made = try bundle(["--sign", "old.pem", "--sign", "new.pem", "--counter", "7"]).expect(0)
    // Of the key nothing is told.
    let secret = try folder.text("old.pem").split(separator: "\n")[1]
    #expect(!made.output.contains(secret) && !made.messages.contains(secret))
    for name in ["old", "new"] {
      try BuiltCommand.run(["verify", "b.zip", "--quick", "--public-key", "\(name).pub.pem"], in: folder.url)
        .expect(0, prints: "checked, counter 7")
      let pem = try folder.text("\(name).pub.pem")
      let installer = BundleInstaller(
        folder: folder.file("Caches/\(name)/cache"), publicKeys: [try BundlePublicKey(pem: pem)])
      let report = try installer.install(folder.file("b.zip"))
      #expect(report.written == 1 && made.output.contains(report.signedBy.first ?? "?"))
    }
    try BuiltCommand.run(["verify", "b.zip", "--quick"], in: folder.url).expect(0, prints: "not checked")
    try keys("other")
    try BuiltCommand.run(["verify", "b.zip", "--quick", "--public-key", "other.pub.pem"], in: folder.url)
      .expect(6, prints: "verify.signature")
  }

  @Test func whatCannotSignEndsWithAReason() throws {
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
      try bundle(arguments).expect(2, words)
      #expect(!folder.has("b.zip"))
    }
  }
}
