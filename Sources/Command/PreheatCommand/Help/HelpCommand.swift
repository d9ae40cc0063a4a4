/// `preheat help`: everything that is made from the option table.
struct HelpCommand: Command {
  package static let name = "help"

  private let text: String

  init(_ values: OptionValues) throws(UsageError) {
    let table = OptionTable.preheat
    let shell = values.text("completions").flatMap(Shell.init)
    let wishes = [values.flag("man"), values.flag("markdown"), shell != nil, !values.words.isEmpty]
    guard wishes.count(where: { $0 }) <= 1 else {
      throw UsageError(
        .conflict, "ask for one of a command, --man, --completions and --markdown", command: Self.name)
    }
    if values.flag("man") {
      text = ManPage(table).text
    } else if values.flag("markdown") {
      text = MarkdownReference(table).text
    } else if let shell {
      text = shell.completions(table)
    } else if let word = values.words.first {
      text = HelpText(table).full(try PreheatCommand.spec(word))
    } else {
      text = HelpText(table).full(nil)
    }
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    try context.output.write(text)
    return .success
  }
}
