import FileStore
import Foundation
import Settings
import Text

/// `preheat help`: everything that is made from the option table.
struct HelpCommand: Command {
  static let spec = CommandSpec("help", "show help, man pages, completions or the reference").with {
    $0.detail = [
      "Topics besides the commands: "
        + HelpTopic.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ") + "."
    ]
    $0.positionals = [
      .init("WORD", .command, 0...1, "the command or topic to explain; none explains all commands")
    ]
    $0.examples = [
      .init("preheat help run", "everything about one command"),
      .init("preheat help processors", "what chains are made of"),
      .init("preheat help --man run | man -l -", "a man page; without a word that of the program"),
      .init("preheat help --completions bash > preheat.bash", "for your shell"),
    ]
    $0.options = [
      Setting(man, .flag, in: .flag, .output, "the man page, in roff; of a command or topic too").with {
        $0.isCommon = true
      },
      Setting(
        manPages, SettingType<String>.path("DIR", .folder).optional, in: .flag, .output,
        "write every man page below this folder"
      ).with {
        $0.detail = "Into man1, man5 and man7, as an installation has them."
        $0.isCommon = true
      },
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
  private static let manPages = SettingKey("man-pages", default: String?.none)
  private static let completions = SettingKey("completions", default: Shell?.none)
  private static let markdown = SettingKey("markdown", default: false)
  private static let settings = SettingKey("settings-table", default: false)
  private static let conditions = SettingKey("conditions", default: false)

  private let text: String
  /// Files to write in place of the text.
  private let pages: [ManPage.Page]
  private let folder: String?

  init(_ values: OptionValues) throws(UsageError) {
    let table = values.table
    let shell = values[Self.completions]
    let isMan = values[Self.man]
    let subject = try values.words.first.map { word throws(UsageError) in try HelpSubject(word, table) }
    folder = values[Self.manPages]
    let wishes = [
      isMan, values[Self.markdown], values[Self.settings], values[Self.conditions], shell != nil,
      folder != nil,
      subject != nil && !isMan,
    ]
    guard wishes.count(where: { $0 }) <= 1 else {
      throw UsageError(
        .conflict,
        "ask for one of a command or topic, --man, --man-pages, --completions, --markdown, --settings-table and --conditions",
        command: Self.spec.name)
    }
    pages = folder == nil ? [] : ManPage(table).pages
    if isMan {
      text = subject?.manPage(table) ?? ManPage(table).text
    } else if values[Self.markdown] {
      text = MarkdownReference(table).text
    } else if values[Self.settings] {
      text = MarkdownReference(table).jobSettings
    } else if values[Self.conditions] {
      text = ConditionsTable().text
    } else if let shell {
      text = shell.completions(table)
    } else {
      text = subject?.help(table) ?? HelpText(table).full(nil)
    }
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    guard let folder else {
      try context.output.write(text)
      return .success
    }
    for page in pages {
      let path = PathText.joined(page.path, to: folder)
      do {
        try FileManager.default.createDirectory(
          atPath: PathText.folder(of: path), withIntermediateDirectories: true)
        try OutputFile.write(Data(page.text.utf8), to: path)
      } catch {
        let reason = (error as? FileStoreError)?.reason.description ?? error.localizedDescription
        context.console.error("\(path) cannot be written: \(reason)")
        return .notWritable
      }
    }
    return .success
  }
}

/// What help is asked about.
private enum HelpSubject {
  case command(CommandSpec)
  case topic(HelpTopic)

  init(_ word: String, _ table: OptionTable) throws(UsageError) {
    if let command = table.command(named: word) {
      self = .command(command)
    } else if let topic = HelpTopic(word: word) {
      self = .topic(topic)
    } else {
      let topics = HelpTopic.allCases.map(\.rawValue)
      let near = nearestWord(to: word, in: table.commands.map(\.name) + topics)
      throw UsageError(
        .unknownCommand, "no command or topic is called '\(word)'",
        suggestion: near.map { "did you mean '\($0)'?" } ?? "topics are \(topics.joined(separator: ", "))",
        command: HelpCommand.spec.name)
    }
  }

  func help(_ table: OptionTable) -> String {
    switch self {
    case .command(let command): HelpText(table).full(command)
    case .topic(let topic): HelpText(table).topic(topic)
    }
  }

  func manPage(_ table: OptionTable) -> String {
    switch self {
    case .command(let command): ManPage(table).text(of: command)
    case .topic(let topic): ManPage(table).text(of: topic)
    }
  }
}
