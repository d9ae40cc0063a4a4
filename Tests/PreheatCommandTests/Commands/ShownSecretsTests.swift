import Testing

/// What `plan`, `code` and `key` print of URLs that hold credentials.
@Suite(.timeLimit(.minutes(10))) struct ShownSecretsTests {
  let scene: CommandScene
  let job: String
  static let url = "https://me:S3CRET@e.com/1.jpg?w=3&token=S3CRET"
  static let plain = "https://e.com/2.jpg?anything=5"

  init() throws {
    scene = try CommandScene()
    job = try scene.job(lines: [
      "\(Self.url) circle", "\(Self.plain) circle", "https://e.com/3.jpg?w=4 circle",
    ])
  }

  @Test func aPlanMasksThemForPeopleUnlessToldOtherwise() async throws {
    let masked = try await scene.preheat("plan", "--rows", job).expect(
      0, prints: "    key https://*********@e.com/1.jpg?w=3&token=******com.github.kean/nuke/circle\n",
      "masked with *: 2 keys; --show-secrets prints them as they are\n", lacks: "S3CRET")
    // What the chain adds is no secret.
    let shown = try await scene.preheat("plan", "--rows", "--show-secrets", job)
    #expect(shown.output.contains("    key \(Self.url)com.github.kean/nuke/circle\n"))
    #expect(shown.output.contains("\(Self.url)  circle") && !shown.output.contains("masked with"))
    let names = { (text: String) in
      text.split(separator: "\n").map { $0.prefix(40) }.filter { !$0.contains(" ") }
    }
    #expect(names(masked.output) == names(shown.output) && names(shown.output).count == 3)
  }

  @Test func keysForProgramsAreExact() async throws {
    for arguments in [["plan"], ["plan", "--rows", "--show-secrets"]] {
      let objects = try await Outcome(of: arguments + ["--json", job]).objects().filter {
        $0["type"] as? String == "rendition"
      }
      let suffix = "com.github.kean/nuke/circle"
      #expect(objects.map { $0["key"] as? String }.first == Self.url + suffix)
      #expect(objects.map { $0["key"] as? String }.dropFirst().first == Self.plain + suffix)
      #expect(objects.allSatisfy { ($0["source"] as? String)?.contains("S3CRET") == false })
    }
    let key = try await scene.preheat("key", "--client=nuke 12", Self.url)
    #expect(key.output.hasPrefix("key   \(Self.url)\n"))
  }

  @Test func codeMasksCredentialsAndACompilerSaysSo() async throws {
    try await scene.preheat("code", job, "--swift", "--tests").expect(
      0, prints: "\n#warning(\"1 URL with credentials, masked with *: preheat code --show-secrets\")\n",
      "Source(\"\(Self.plain)\")", lacks: "S3CRET")
    let shown = try await scene.preheat("code", job, "--swift", "--tests", "--show-secrets")
    #expect(shown.output.contains("Source(\"\(Self.url)\")") && !shown.output.contains("#warning"))
  }
}
