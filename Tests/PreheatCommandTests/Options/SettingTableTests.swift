import JobFile
import Syntax
import Testing

@testable import PreheatCommand

/// One table of settings: a row that is added to it exists everywhere.
@Suite(.timeLimit(.minutes(10))) struct SettingTableTests {
  static let key = SettingKey("grain", default: Int?.none)
  static let gloss = SettingKey("gloss", default: false)
  static let table = OptionTable(
    jobs: SettingTable(
      SettingTable.jobs.rows + [
        Setting(
          key, SettingType<Int>.integer("N", 1...9).optional, in: .all, .pictures,
          "film grain on every result",
          example: "grain 3"
        ).with {
          $0.detail = "The more the rougher."
          $0.defaultText = "none at all"
        },
        Setting(
          gloss, .flag, in: .all, .job, "gloss on every result", example: "gloss on"
        ).with { $0.owner = "kingfisher" },
      ]))

  static func grain(
    _ arguments: [String] = [], _ environment: [String: String] = [:], text: String = ""
  ) throws -> Int? {
    let read = try OptionValuesTests.job(arguments, environment, table: table, text: text)
    #expect(read.errors == [])
    return read.job.settings?.values[key]
  }

  func preheat(_ arguments: String...) async throws -> String {
    let outcome = try await Outcome(of: arguments, table: Self.table).expect(0)
    #expect(outcome.messages == "")
    return outcome.output
  }

  @Test func itIsReadFromAJobAFlagAndAVariable() throws {
    #expect(try Self.grain() == nil)
    #expect(try Self.grain(text: "grain 3") == 3)
    #expect(try Self.grain(["--grain", "4"]) == 4)
    #expect(try Self.grain([], ["PREHEAT_GRAIN": "5"]) == 5)
    #expect(try Self.grain(["--grain=4"], ["PREHEAT_GRAIN": "5"], text: "grain 3") == 4)
    #expect(try Self.grain([], ["PREHEAT_GRAIN": "5"], text: "grain 3") == 5)
  }

  @Test func itsRangeHoldsOnEveryRoad() throws {
    let range = "grain is a whole number from 1 to 9, not '10'"
    func errors(_ arguments: [String], _ environment: [String: String] = [:], text: String = "") throws
      -> [String]
    {
      try OptionValuesTests.job(arguments, environment, table: Self.table, text: text).errors
    }
    #expect(try errors(["--grain=10"]) == ["--grain: \(range)"])
    #expect(try errors([], ["PREHEAT_GRAIN": "10"]) == ["PREHEAT_GRAIN: \(range)"])
    #expect(try errors([], text: "grain 10").first?.hasPrefix("a.job: \(range)") == true)
    #expect(try errors([], text: "grian 1").first?.hasSuffix("did you mean 'grain'?") == true)
  }

  @Test func helpExplainsIt() async throws {
    for arguments in [["run", "--help"], ["help", "run"], ["help", "verify"]] {
      try await Outcome(of: arguments, table: Self.table).expect(
        0, prints: "\n  --grain N\n      Film grain on every result.", "\n      Variable: PREHEAT_GRAIN\n")
    }
    #expect(try await preheat("help", "settings").contains("  grain 3\n      Film grain on every result."))
    // It changes what is drawn, and nothing that these commands do.
    for command in ["plan", "code", "key"] {
      #expect(try await !preheat("help", command).contains("--grain"), "\(command)")
    }
  }

  @Test func theManPageCompletionsAndDocumentationHaveIt() async throws {
    let page = try await preheat("help", "run", "--man").replacing("\\-", with: "-")
    #expect(page.contains(".B \"--grain N\"\nFilm grain on every result. The more the rougher. 1 to 9."))
    #expect(page.contains(".br\nVariable: PREHEAT_GRAIN\n"))
    #expect(try await preheat("__complete", "run", "--gr").hasPrefix("--grain\t"))
    let meaning = "Film grain on every result. The more the rougher. 1 to 9. Default: "
    let option = "\(meaning)from the job, else none at all."
    #expect(
      try await preheat("help", "--markdown").contains("\n- `--grain N` (`PREHEAT_GRAIN`): \(option)\n"))
    #expect(
      try await preheat("help", "settings", "--markdown").contains(
        "\n- `grain 3` (`--grain`): \(meaning)none at all.\n"))
  }

  @Test func theCommandsThemselvesTakeIt() async throws {
    let line = ["key", "--client", "nuke 12", "/a.jpg"]
    #expect(try await Outcome(of: line + ["--grain=1"], table: Self.table).code == 2)
    try await Outcome(of: ["plan", "--grain=1", "a.job"]).expect(2, "unknown option '--grain'")
  }

  /// One command line may serve jobs of both clients, so a flag of the other one is only warned of.
  @Test func aSettingOfOneClientIsAnErrorInAJobOfAnother() async throws {
    func job(_ arguments: [String], text: String = "") throws -> (value: Bool?, errors: [String]) {
      let read = try OptionValuesTests.job(arguments, table: Self.table, text: text)
      return (read.job.settings?.values[Self.gloss], read.errors)
    }
    for word in ["on", "true", "yes", "1"] {
      #expect(try job([], text: "client kingfisher 8\ngloss \(word)").value == true)
    }
    let wrong = try job([], text: "client nuke 12\ngloss on").errors
    #expect(wrong == ["a.job: 'gloss' belongs to kingfisher, and the client is nuke; take it out"])
    #expect(try job(["--gloss"], text: "client nuke 12").errors == [])
    #expect(
      try await preheat("help", "key").contains("--gloss, --no-gloss"), "it is part of what a key is made of")
    #expect(
      try await preheat("help", "settings", "--markdown").contains(
        "\n- `gloss on` (`--gloss`): Only in kingfisher jobs. Gloss"))
  }
}
