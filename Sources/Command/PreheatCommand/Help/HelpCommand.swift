import JobFile
import Syntax
import Text

/// `preheat help`: everything that is made from the option table.
struct HelpCommand: Command {
  static let spec = CommandSpec("help", "show help, man pages, completions or the reference").with {
    $0.detail = [
      "Topics: "
        + HelpTopic.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ")
        + "; \(schema) (the JSON Schema of what --json prints)."
    ]
    $0.positionals = [
      .init("WORD", 0...1, "the command or topic; without it, the list of commands")
    ]
    $0.examples = [
      ("preheat help run", "everything about one command"),
      ("preheat help processors", "the parts of a chain"),
      ("preheat help --man run | man -l -", "a man page; without a word, the program's"),
      ("preheat help --completions bash > preheat.bash", "for your shell"),
    ]
    $0.options = fields.map { $0.row.common }
  }

  private static let fields: [FieldSetting<HelpCommand>] = [
    FieldSetting("man", \.isManPage, .flag, in: .flag, .output, "the man page, in roff"),
    FieldSetting(
      "man-pages", \.folder, .path("DIR", .folder), in: .flag, .output,
      "write all man pages below this folder",
      detail: "They are written into its folders man1, man5 and man7."),
    FieldSetting(
      "completions", \.shell, .choices("SHELL", of: "shell"), in: .flag, .output, "a shell's completions",
      detail: "One of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))."),
    FieldSetting(
      "markdown", \.isMarkdown, .flag, in: .flag, .output, "the page in Markdown",
      detail: "Without a word, the reference of all commands."),
  ]

  /// The word for the schema; it has no page.
  static let schema = "schema"

  private var text = ""
  /// Where to write all man pages instead of the text.
  private var folder: String?
  private let pages: [HelpPage]
  private var isManPage = false
  private var isMarkdown = false
  private var shell: Shell?

  init(_ values: OptionValues) throws(UsageError) {
    let table = values.table
    let isSchema = values.words.first == Self.schema
    let words = isSchema ? [] : values.words
    let page = try words.first.map { word throws(UsageError) in try Self.page(of: word, table) }
    pages = HelpPage.all(table)
    values.settings.apply(Self.fields, to: &self)
    let isAlone = page == nil || shell == nil && folder == nil
    let given = [isManPage, isMarkdown, shell != nil, folder != nil]
    guard isAlone, given.count(where: { $0 }) <= (isSchema ? 0 : 1) else {
      throw UsageError(
        .conflict,
        "give one of --man, --man-pages, --completions and --markdown; a word goes with --man or --markdown")
    }
    if isSchema {
      text = OutputKinds.schema
    } else if isManPage {
      text = (page ?? HelpPage.program(table)).manPage(others: pages)
    } else if isMarkdown {
      text = page?.markdown(level: 3) ?? HelpPage.reference(table)
    } else if let shell {
      text = shell.script
    } else {
      text = (page ?? HelpPage.overview(table)).text
    }
  }

  private static func page(of word: String, _ table: OptionTable) throws(UsageError) -> HelpPage {
    if let command = table.command(named: word) { return .full(command) }
    if let topic = HelpTopic(rawValue: word.lowercased()) { return .topic(topic, table) }
    let near = nearestWord(to: word, in: table.helpWords)
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError(
      .unknownCommand, "no command or topic is called '\(word)'",
      suggestion: GoneWords.advice[word] ?? near.map { "did you mean '\($0)'?" } ?? "topics are \(topics)")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    guard let folder else {
      try context.output.write(text)
      return .success
    }
    let areWritten = pages.allSatisfy { page in
      context.write(page.manPage(others: pages), to: PathText.joined(page.manPath, to: folder))
    }
    return areWritten ? .success : .notWritable
  }
}
