import Testing

/// A later patch of a minor version that is known: taken, and said in each place that people and programs read.
@Suite(.timeLimit(.minutes(10))) struct LaterPatchTests {
  private static let clients = [
    ("nuke", "Nuke 13.2.9", "13.2.3"), ("kingfisher", "Kingfisher 8.11.9", "8.11.0"),
    ("sdwebimage", "SDWebImage 5.21.99", "5.21.7"), ("nuke", "Nuke 13.3.0", "13.2.3"),
    ("kingfisher", "Kingfisher 8.16.0", "8.11.0"),
  ]

  @Test(arguments: clients)
  func itIsAWarningEverywhere(client: String, release: String, known: String) async throws {
    let scene = try CommandScene()
    let asked = String(release.drop { $0 != " " }.dropFirst())
    let job = try scene.job(client: "\(client) \(asked)", lines: ["file:///missing.png original id=a"])
    let sentence = "\(release) is not known here; it is taken for one with the rules of \(known)"
    for command in [["plan", job], ["key", "--job", job, "file:///missing.png"]] {
      let told = try await Outcome(of: command + ["--json"]).expect(
        0, "warning: \(sentence)", prints: "\"message\":\"\(sentence)\"")
      #expect(told.output.contains("\"client\":\"\(client) \(asked)\",\"rules\":\"\(known)\""))
    }
    let run = try await scene.preheat("run", job, "--json", "--annotations", "--retries=0")
    #expect(
      run.output.contains("\(client) \(asked), not known here, by the rules of \(known)\"]"), "\(run.output)")
    #expect((run.output + run.messages).contains("title=Warning about the job::\(sentence)"))
    let known = try scene.job(
      client: "\(client) \(asked) as \(known)", lines: ["file:///missing.png original id=a"])
    try await scene.preheat("plan", known).expect(
      0, prints: "by the rules of", lacks: "warning: \(release)")
  }

  /// Nuke 14 by what is public of its release candidate, typed or from a lock file.
  @Test(arguments: ["nuke 14", "nuke 14.0.0-rc.1", "nuke 14.0.0-beta.2"])
  func aCandidateIsPlannedAndSaidToBeOne(client: String) async throws {
    let scene = try CommandScene()
    let job = try scene.job(client: client, lines: ["https://e.com/1.gif circle"])
    let plan = try await scene.preheat("plan", job, "--rows").expect(
      0, "is planned by what is public of its release candidate, with the keys of 13.2.3",
      prints: "it is unknown whether Nuke 14 stores anything of a GIF")
    #expect(plan.output.contains("\(client), not known here, by the rules of 13.2.3") || client == "nuke 14")
    let key = try await scene.preheat("key", "--client", client, "--json", "https://e.com/1.gif").expect(0)
    #expect(key.output.contains("\"asked\":\"\(client.dropFirst(5))\"") || client == "nuke 14")
    let known = try scene.job(client: "\(client) as 13.2", lines: ["https://e.com/1.jpg circle"])
    try await scene.preheat("plan", known).expect(0, lacks: "release candidate")
    let wrong = try scene.job(client: "\(client) as 12.9", lines: ["https://e.com/1.jpg circle"])
    try await scene.preheat("plan", wrong).expect(2, "is planned by the rules of 13.2.3")
  }
}
