import Foundation
import TestSupport
import Testing

/// What looks like a credential in a URL is in no output, report, ledger, bundle or other file of a run.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
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

  /// Every form in which a URL carries a credential, `SECRET` in its place.
  static let secrets = [
    "http://user:SECRET@127.0.0.1:1/", "http://SECRET:@127.0.0.1:1/", "http://user:a%2FSECRET@127.0.0.1:1/",
    "?token=SECRET", "?access_token=SECRET", "?a=1&sig=SECRET", "?X-Amz-Signature=SECRET&X-Amz-Date=1",
    "?X-Amz-Security-Token=SECRET", "?X-Goog-Signature=SECRET", "?api_key=SECRET", "?apikey=SECRET",
    "?password=SECRET", "?key=SECRET", "?jwt=SECRET", "?auth=SECRET", "?Policy=SECRET&Key-Pair-Id=SECRET",
    "?sid=SECRET", "?client_secret=SECRET", "?hdnts=SECRET", "?u=http%3A%2F%2Fe.com%2F%3Ftoken%3DSECRET",
    "#access_token=SECRET", "?ticket=SECRET", "?SECRET", "?SECRET==", "?w=1&SECRET", "?token=.SECRET",
    "?token=(SECRET", "?v=2&SECRET#f",
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

  @Test func noCredentialIsInAnythingThatIsWritten() throws {
    let server = try NginxServer(serving: Scene.images)
    var lines: [String] = []
    for name in Self.names {
      lines.append("\(server.baseURL)/logo.png?w=1&\(name)=S3CRET card")
      lines.append("\(server.baseURL)/missing.png?\(name)=S3CRET card")
      lines.append("\(server.baseURL)/missing.png;\(name)=S3CRET card")
    }
    for (index, form) in Self.secrets.enumerated() {
      let secret = form.replacing("SECRET", with: "S3CRET\(index)x")
      lines.append("\(form.hasPrefix("http") ? secret : "http://127.0.0.1:1/\(index).jpg\(secret)") card")
    }
    let scene = try Scene(
      lines.joined(separator: "\n"),
      head: Scene.head + "header 127.0.0.1 Authorization: Bearer ${CATALOG_TOKEN}\n")
    let reports = [
      "--junit", "out/j.xml", "--report", "out/page", "--metrics", "out/m.txt", "--signposts", "out/s.log",
      "--trace",
      "out/t.json", "--annotations", "--verbose",
    ]
    try scene.folder.makeFolder("out")
    let summary = scene.folder.file("out/summary.md").path
    for form in [[], ["--json"]] {
      let result = try scene.run(
        reports + form,
        environment: [
          "GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTIONS": "true", "CATALOG_TOKEN": "S3CRETHeader",
        ])
      #expect(result.status != 0 && result.status != 2)
      for line in (result.output + result.messages).split(separator: "\n") where line.contains("S3CRET") {
        Issue.record("\(line)")
      }
      #expect(result.output.contains("missing.png"))
    }
    for command in [
      ["bundle", "cache", "-o", "out/b.zip"], ["inspect", "cache", "--json"], ["verify", "cache"],
    ] {
      try scene.preheat(command).expect(0, lacks: "S3CRET")
    }
    for name in ["j.xml", "page/index.html", "m.txt", "s.log", "t.json", "summary.md", "b.zip"] {
      #expect(try !Data(contentsOf: scene.folder.file("out/\(name)")).isEmpty, "\(name)")
    }
    #expect(try Self.files(in: scene.folder.url, holding: "S3CRET") == [])
    #expect(try Self.files(in: scene.folder.url, holding: "logo.png").count > 3, "sources can be recognised")
  }

  /// No list of names is complete: a bundle of digests has no query value at all.
  @Test(arguments: ["b.zip", "b.bundle"])
  func aBundleOfDigestsHoldsNoQueryValue(output: String) throws {
    let server = try NginxServer(serving: Scene.images)
    let scene = try Scene(
      """
      \(server.baseURL)/logo.png?zq=V4LUE&format=V4LUE card resize(width: 30)
      \(server.baseURL)/mountains.jpg?V4LUE card id=product-V4LUE
      """
    ).warmed()
    func bundle(_ name: String, _ flags: [String] = []) throws {
      try scene.preheat(["bundle", "cache", "-o", name] + flags).expect(0, lacks: "V4LUE")
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
      try scene.preheat(command).expect(0)
    }
    let target = scene.folder.file("Caches/cache")
    #expect(try Device.install(scene.folder.file("digests/" + output), into: target) == 0)
    #expect(try Set(Device.files(target).keys).isSuperset(of: scene.entries().keys))
  }
}
