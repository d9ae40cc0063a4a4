import Foundation
import TestSupport
import Testing

/// What looks like a credential in a URL is in no output, report, ledger, bundle or other file of a run.
@Suite(.timeLimit(.minutes(10)))
struct CredentialLeakTests {
  static let names = [
    "authkey", "session_id", "PHPSESSID", "jsessionid", "code", "s", "_upt", "token", "access_token",
    "id_token",
    "refresh_token", "sig", "signature", "sign", "hmac", "md5", "key", "api_key", "apikey", "x-api-key",
    "auth",
    "authorization", "password", "passwd", "pwd", "pass", "secret", "client_secret", "session", "sid", "jwt",
    "bearer",
    "ticket", "credential", "otp", "pin", "nonce", "csrf", "cookie", "oauth", "SAMLResponse", "Policy",
    "Key-Pair-Id",
    "X-Amz-Signature", "X-Amz-Security-Token", "X-Goog-Signature", "AWSAccessKeyId", "hdnts", "user[token]",
  ]

  /// Paths of files that hold a text, but for the job itself.
  private static func files(in folder: URL, holding text: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var found: [String] = []
    for path in paths where path != "test.job" {
      let file = folder.appendingPathComponent(path)
      let isHere = path.contains(text)
      // A folder has no data.
      let holdsIt = (try? Data(contentsOf: file))?.range(of: Data(text.utf8)) != nil
      if isHere || holdsIt { found.append(path) }
    }
    return found
  }

  @Test func noOutputHoldsACredential() async throws {
    try await OwnThread {
      let server = try NginxServer(serving: Scene.images)
      var lines: [String] = []
      for name in Self.names {
        lines.append("\(server.baseURL)/logo.png?w=1&\(name)=S3CRET card")
        lines.append("\(server.baseURL)/missing.png?\(name)=S3CRET card")
        lines.append("\(server.baseURL)/missing.png;\(name)=S3CRET card")
      }
      lines.append("http://bob:S3CRET@127.0.0.1:1/a.png card")
      let scene = try Scene(lines.joined(separator: "\n"))
      let reports = [
        "--junit", "out/j.xml", "--report", "out/page", "--metrics", "out/m.txt", "--signposts", "out/s.log",
        "--trace",
        "out/t.json", "--annotations", "--verbose",
      ]
      try FileManager.default.createDirectory(at: scene.folder.file("out"), withIntermediateDirectories: true)
      let summary = scene.folder.file("out/summary.md").path
      for form in [[], ["--json"]] {
        let result = try scene.run(
          reports + form, environment: ["GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true"])
        #expect(result.status != 0 && result.status != 2)
        for line in (result.output + result.messages).split(separator: "\n") where line.contains("S3CRET") {
          Issue.record("\(line)")
        }
        #expect(result.output.contains("missing.png"))
      }
      for command in [
        ["bundle", "cache", "-o", "out/b.zip"], ["inspect", "cache", "--json"], ["verify", "cache"],
      ] {
        let result = try BuiltCommand.run(command, in: scene.folder.url)
        #expect(
          result.status == 0 && !(result.output + result.messages).contains("S3CRET"), "\(command): \(result)"
        )
      }
      #expect(try Self.files(in: scene.folder.url, holding: "S3CRET") == [])
      #expect(
        try Self.files(in: scene.folder.url, holding: "logo.png").count > 3, "sources can be recognised")
    }.value
  }

  /// No list of names is complete: a bundle of digests has no query value at all.
  @Test(arguments: ["b.zip", "b.bundle"])
  func aBundleOfDigestsHoldsNoQueryValue(output: String) async throws {
    try await OwnThread {
      let server = try NginxServer(serving: Scene.images)
      let scene = try Scene(
        """
        \(server.baseURL)/logo.png?zq=V4LUE&format=V4LUE card resize(width: 30)
        \(server.baseURL)/mountains.jpg?V4LUE card id=product-V4LUE
        """)
      #expect(try scene.run().status == 0)
      func bundle(_ name: String, _ flags: [String] = []) throws {
        let result = try BuiltCommand.run(["bundle", "cache", "-o", name] + flags, in: scene.folder.url)
        #expect(result.status == 0 && !result.output.contains("V4LUE"), "\(result)")
      }
      try bundle("plain/" + output)
      try bundle("digests/" + output, ["--keys", "digests"])
      #expect(try Self.files(in: scene.folder.file("plain"), holding: "V4LUE") != [])
      #expect(try Self.files(in: scene.folder.file("digests"), holding: "V4LUE") == [])
      #expect(try Self.files(in: scene.folder.file("digests"), holding: "127.0.0.1") == [])
      for command in [
        ["verify", "digests/" + output], ["diff", "cache", "digests/" + output],
        ["bundle", "cache", "-o", "d.zip", "--since", "digests/" + output],
      ] {
        let result = try BuiltCommand.run(command, in: scene.folder.url)
        #expect(result.status == 0, "\(command): \(result)")
      }
      let target = scene.folder.file("Caches/cache")
      #expect(try Device.install(scene.folder.file("digests/" + output), into: target) == 0)
      #expect(try Set(Device.files(target).keys).isSuperset(of: scene.entries().keys))
    }.value
  }
}
