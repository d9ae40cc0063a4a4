import TestSupport
import Testing

/// What is wrong with the arguments of `preheat key` is shown in the job line that they make.
@Suite(.timeLimit(.minutes(10))) struct KeyArgumentsTests {
  @Test(arguments: [
    (
      ["https://e.com/a.jpg", "circle | resize(widht: 3)"], "(arguments):1:39: error: resize has no 'widht'",
      "  \"https://e.com/a.jpg\" circle | resize(widht: 3)"
    ),
    (
      ["htps://e.com/\"a\".jpg", "circle"], "(arguments):1:1: error: sources cannot have the scheme 'htps'",
      "  \"htps://e.com/\\\"a\\\".jpg\" circle"
    ),
    (["", "circle"], "(arguments):1:1: error: '' is neither a URL", "  \"\" circle"),
    (
      ["https://e.com/a.jpg", "circle | no", "--id", "a\"b"],
      "(arguments):1:32: error: no chain or processor is called 'no'",
      "  \"https://e.com/a.jpg\" circle | no id=\"a\\\"b\""
    ),
  ])
  func aMistakeIsUnderlined(arguments: [String], finding: String, line: String) async throws {
    let outcome = try await Outcome(of: ["key", "--client=nuke 12"] + arguments).expect(2, isSilent: true)
    let lines = outcome.messages.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix(finding) && lines[1] == line, "\(lines)")
  }

  @Test func aSecretInASourceIsNotShown() async throws {
    try await Outcome(of: ["key", "--client=nuke 12", "htps://u:S3CRET@e.com/a.jpg?token=S3CRET"]).expect(
      2, lacks: "S3CRET")
  }

  @Test func aCacheThatIsNotMadeYetIsAMiss() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["key", "https://e.com/a.jpg", "original", "--in", folder.file("none").path]
    try await Outcome(of: arguments + ["--client=nuke 12"]).expect(10, prints: "miss", lacks: "there is no")
    try await Outcome(of: arguments).expect(2, "the client is missing")
  }
}
