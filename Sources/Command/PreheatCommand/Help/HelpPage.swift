import ClientRegistry
import Syntax

/// One page of help. `HelpPage+Writers` gives it the form of a terminal, of roff or of Markdown.
struct HelpPage: Sendable {
  enum Block: Sendable {
    case heading(String)
    case text(String)
    /// Lines as they are.
    case code([String])
    /// Words to write and what they mean. The title is that of their notes.
    case terms([Term], note: String = "")
  }

  struct Term: Sendable {
    var term: String
    var meaning: String
    /// Of an option the name of its variable or flag.
    var note = ""
  }

  /// `run`, `job-file`; nil for the page of the program.
  var word: String?
  /// The section of its man page: 1 for commands, 5 for files, 7 for the rest.
  var section = 1
  /// Without a full stop.
  var summary: String
  var usage: String?
  var blocks: [Block]

  /// The name of its man page.
  var name: String { "preheat" + (word.map { "-" + $0 } ?? "") }
}

extension HelpPage {
  /// The program on one screen: its commands, a line each, and where to read on.
  static func overview(_ table: OptionTable) -> HelpPage {
    let clients = ClientRegistry.libraries.map(\.title)
    let list = clients.dropLast().joined(separator: ", ") + " or " + (clients.last ?? "")
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    let commands = table.commands.map { command in
      Term(term: command.name, meaning: command.name == HelpCommand.spec.name ? topics : command.summary)
    }
    return HelpPage(
      summary: "fill the disk caches of image libraries", usage: "preheat COMMAND [options]",
      blocks: [
        .text(
          "Fills an iOS app's disk cache of \(list) in advance. 'preheat COMMAND -h' shows examples, "
            + "'preheat COMMAND --help' all options."),
        .terms(commands),
      ])
  }

  /// The reference page (`command.md` of a release): what help says of the program and of each command.
  static func reference(_ table: OptionTable) -> String {
    let commands = table.commands.map { command in
      "\n## preheat \(command.name)\n\n" + full(command).markdown(level: 3)
    }
    return """
      <!-- Made by `make docs` from the option table; changes here are lost. -->

      # The preheat command

      \(program(table).markdown(level: 2))
      """ + commands.joined()
  }

  /// The page of the program with all that holds for every command.
  static func program(_ table: OptionTable) -> HelpPage {
    var page = overview(table)
    page.blocks += [.heading("Options of every command"), .text(repetition), options(CommandRows.everywhere)]
    page.blocks += [.heading("Environment")] + HelpTopic.environment.blocks(table)
    page.blocks += [.heading("Exit codes")] + HelpTopic.exitCodes.blocks(table)
    return page
  }

  /// All options of a command by topic, with their paragraphs.
  static func full(_ command: CommandSpec) -> HelpPage {
    var blocks: [Block] = ([TextCase.sentence(command.summary)] + command.detail).map(Block.text)
    if !command.positionals.isEmpty {
      let terms = command.positionals.map { Term(term: $0.usage, meaning: TextCase.sentence($0.help)) }
      blocks += [.heading("Arguments"), .terms(terms)]
    }
    return HelpPage(
      word: command.name, summary: command.summary, usage: command.usage,
      blocks: blocks + examples(command)
        + command.topics.flatMap { [.heading("\($0.rawValue) options"), options($1)] }
        + [.text("See also 'preheat help environment' and 'preheat help exit-codes'.")])
  }

  /// The page for `-h`: examples and the most used options, a line each.
  static func brief(_ command: CommandSpec) -> HelpPage {
    let rows = command.options.filter(\.isCommon).map { option in
      Term(term: (option.short.map { "-\($0), " } ?? "") + option.usage, meaning: option.summary)
    }
    return HelpPage(
      word: command.name, summary: command.summary,
      blocks: examples(command) + [
        .heading("Usage"), .code([command.usage]), .text(TextCase.sentence(command.summary)),
        .terms(rows), .text("All options: preheat \(command.name) --help"),
      ])
  }

  static func topic(_ topic: HelpTopic, _ table: OptionTable) -> HelpPage {
    HelpPage(
      word: topic.rawValue, section: topic == .jobFile || topic == .settings ? 5 : 7, summary: topic.summary,
      blocks: topic.blocks(table))
  }

  /// Every page that has a man page.
  static func all(_ table: OptionTable) -> [HelpPage] {
    [program(table)] + table.commands.map(full) + HelpTopic.allCases.map { topic($0, table) }
  }

  private static func examples(_ command: CommandSpec) -> [Block] {
    [.heading("Examples"), .code(command.examples.flatMap { ["# \($0.meaning)", $0.line] })]
  }

  static func options(_ rows: [Setting]) -> Block {
    let terms = rows.map {
      Term(
        term: $0.fullUsage, meaning: $0.sentences.joined(separator: " "),
        note: $0.environment.map { "`\($0)`" } ?? "")
    }
    return .terms(terms, note: "Variable")
  }

  private static let repetition = """
    Options may stand before or after the command and its arguments. -- ends the options. A value follows after a \
    space or =; a value that begins with a dash needs the =. If an option is repeated, the last value wins, unless \
    the option is marked repeatable.
    """
}
