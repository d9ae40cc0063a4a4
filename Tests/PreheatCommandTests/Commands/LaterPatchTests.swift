import TestSupport
import Testing


/// A later patch of a minor version that is known: taken, and said in each place that people and programs read.
@Suite(.timeLimit(.minutes(10))) struct LaterPatchTests {
  private static let clients = [
    ("nuke", "Nuke 13.2.1", "13.2.0"), ("kingfisher", "Kingfisher 8.11.9", "8.11.0"),
    ("sdwebimage", "SDWebImage 5.21.99", "5.21.7"),
  ]

  @Test(arguments: clients)
  func itIsAWarningEverywhere(client: String, release: String, known: String) async throws {
    let scene = try CommandScene()
    let asked = String(release.drop { $0 != " " }.dropFirst())
    let job = try scene.job(client: "\(client) \(asked)", lines: ["file:///missing.png original id=a"])
    let sentence = "\(release) is not known here; it is taken for one with the rules of \(known)"
    try await scene.preheat("plan", job, "--json").expect(
      0, "warning: \(sentence)", prints: "\"message\":\"\(sentence)\"")
    let run = try await scene.preheat("run", job, "--json", "--annotations", "--retries=0")
    #expect(
      run.output.contains("\(client) \(asked), not known here, by the rules of \(known)\"]"), "\(run.output)")
    #expect((run.output + run.messages).contains("title=Warning about the job::\(sentence)"))
  }

  @Test(arguments: [
    ("nuke 13.3.0", "13.2.0"), ("nuke 14.0.0", "13.2.0"), ("kingfisher 8.12.0", "8.11.0"),
    ("kingfisher 9.0.0", "8.11.0"), ("sdwebimage 5.22.0", "5.21.7"), ("sdwebimage 6.0.0", "5.21.7"),
  ])
  func aLaterMinorOrMajorVersionIsRefused(client: String, known: String) async throws {
    let scene = try CommandScene()
    let job = try scene.job(client: client, lines: ["https://e.com/1.png original"])
    try await scene.preheat("plan", job).expect(2, "--nearest-release takes \(known) for it")
    try await scene.preheat("plan", job, "--nearest-release").expect(
      0, prints: "\(client.prefix { $0 != " " }) \(known) in ")
  }
}
