import Foundation
import Testing

/// A wrong setting is a mistake on every road, and told in the same words.
@Suite(.timeLimit(.minutes(10))) struct SettingMistakeTests {
  private let scene: CommandScene
  private let cache: String
  private let job: String

  init() throws {
    scene = try CommandScene()
    job = try scene.job()
    cache = try scene.cache(of: job)
    try scene.folder.write("https://e.com/1.jpg\n", to: "keys.txt")
  }

  /// Arguments, variables, and what is told.
  static let mistakes: [([String], [String: String], String)] = [
    (["--client", "nukee"], [:], "--client:1:1: error: no client is called 'nukee'"),
    (["--client", "nuke 99"], [:], "--client:1:6: error: Nuke 99 is not a release that is known"),
    (["--scale", "zwei"], [:], "--scale:1:1: error: a screen scale is a number above 0, not 'zwei'"),
    (["--size-limit", "5X"], [:], "--size-limit:1:1: error: size-limit is a number of bytes"),
    ([], ["PREHEAT_SIZE_LIMIT": "abc"], "PREHEAT_SIZE_LIMIT:1:1: error: size-limit is a number of bytes"),
    ([], ["PREHEAT_CLIENT": "nukee"], "PREHEAT_CLIENT:1:1: error: no client is called 'nukee'"),
    (["--client", "kingfisher 8", "--style", "buidler"], [:], "--style:1:1: error: no style is called"),
  ]

  @Test(arguments: mistakes) func replayTellsItAsARunDoes(
    arguments: [String], environment: [String: String], message: String
  ) async throws {
    try await Outcome(
      of: ["replay", scene.path("keys.txt"), "--in", cache, "--fail-under", "95"] + arguments,
      environment: environment
    ).expect(2, message, isSilent: true)
    try await Outcome(of: ["run", job] + arguments, environment: environment).expect(2, message)
  }

  @Test func theSameMistakeHasTheSameWordsInACommandWithoutAJob() async throws {
    let verify = try await scene.preheat("verify", cache, "--max-bytes", "abc")
    let run = try await scene.preheat("run", job, "--max-bytes", "abc")
    #expect(verify.code == 2 && run.messages.contains(verify.messages), "\(verify.messages)")
    for command in ["inspect", "sweep", "replay"] {
      let wrong = command == "replay" ? [scene.path("keys.txt"), "--in", cache] : [cache]
      let outcome = try await Outcome(of: [command] + wrong + ["--size-limit", "abc", "--json"]).expect(
        2, "--size-limit:1:1: error: ")
      #expect(try outcome.objects().map { $0["type"] as? String } == ["diagnostic"])
    }
  }

  @Test func aSettingOfTheClientIsCheckedWithTheClientOfTheCache() async throws {
    try await scene.preheat(
      "replay", scene.path("keys.txt"), "--in", cache, "--client", "kingfisher 8", "--scale", "2 3"
    ).expect(2, "Kingfisher's keys do not hold the scale")
  }

  @Test func theVariableNamesTheClientOfAFolderWithoutALedger() async throws {
    let bare = scene.path("bare")
    try FileManager.default.createDirectory(atPath: bare, withIntermediateDirectories: true)
    let line = ["replay", scene.path("keys.txt"), "--in", bare, "--json"]
    #expect(try await Outcome(of: line).code == 2)
    let named = try await Outcome(of: line, environment: ["PREHEAT_CLIENT": "nuke 11"]).expect(0)
    #expect((try named.objects().last?["client"] as? String)?.hasPrefix("nuke 11") == true, "\(named.output)")
  }

  @Test func aPeriodIsToldAsOne() async throws {
    let line = ["replay", scene.path("keys.txt"), "--in", cache]
    #expect(try await Outcome(of: line + ["--after", "0s"]).code == 0)
    try await Outcome(of: line + ["--after", "soon"]).expect(
      2, "--after: a time is a whole number with s, m, h or d", lacks: "expir")
  }
}
