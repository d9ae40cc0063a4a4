import Settings

/// `preheat help`: everything that is made from the option table.
struct HelpCommand: Command {
  static let spec = CommandSpec("help", "show help, the man page, completions or the reference").with {
    $0.positionals = [.init("COMMAND", .command, 0...1, "the command to explain; none explains all")]
    $0.examples = [
      .init("preheat help run", "everything about one command"),
      .init("preheat help --man > preheat.1", "the man page"),
      .init("preheat help --completions bash > preheat.bash", "for your shell"),
      .init("preheat help --conditions", "what voids a warm cache in an app"),
    ]
    $0.options = [
      Setting(man, .flag, in: .flag, .output, "the man page, in roff").with { $0.isCommon = true },
      Setting(
        completions, SettingType<Shell>.choices("SHELL", of: "shell").optional, in: .flag, .output,
        "a shell's completions"
      ).with {
        $0.detail = "One of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))."
        $0.isCommon = true
      },
      Setting(markdown, .flag, in: .flag, .output, "the reference page, in Markdown").with {
        $0.isCommon = true
      },
      Setting(settings, .flag, in: .flag, .output, "the settings of a job, in Markdown").with {
        $0.isCommon = true
      },
      Setting(conditions, .flag, in: .flag, .output, "what voids a cache in the app, in Markdown").with {
        $0.isCommon = true
      },
    ]
  }

  private static let man = SettingKey("man", default: false)
  private static let completions = SettingKey("completions", default: Shell?.none)
  private static let markdown = SettingKey("markdown", default: false)
  private static let settings = SettingKey("settings", default: false)
  private static let conditions = SettingKey("conditions", default: false)

  private let text: String

  init(_ values: OptionValues) throws(UsageError) {
    let table = values.table
    let shell = values[Self.completions]
    let wishes = [
      values[Self.man], values[Self.markdown], values[Self.settings], values[Self.conditions], shell != nil,
      !values.words.isEmpty,
    ]
    guard wishes.count(where: { $0 }) <= 1 else {
      throw UsageError(
        .conflict, "ask for one of a command, --man, --completions, --markdown, --settings and --conditions",
        command: Self.spec.name)
    }
    if values[Self.man] {
      text = ManPage(table).text
    } else if values[Self.markdown] {
      text = MarkdownReference(table).text
    } else if values[Self.settings] {
      text = MarkdownReference(table).jobSettings
    } else if values[Self.conditions] {
      text = ConditionsTable().text
    } else if let shell {
      text = shell.completions(table)
    } else if let word = values.words.first {
      text = HelpText(table).full(try PreheatCommand.spec(word, table))
    } else {
      text = HelpText(table).full(nil)
    }
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    try context.output.write(text)
    return .success
  }
}
