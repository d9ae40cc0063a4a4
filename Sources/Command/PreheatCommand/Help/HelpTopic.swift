import ClientRegistry
import JobFile
import Settings
import Text

/// What `preheat help` explains besides the commands.
enum HelpTopic: String, Sendable, Hashable, CaseIterable {
  case jobFile = "job-file"
  case processors
  case environment
  case exitCodes = "exit-codes"

  /// Without a full stop.
  var summary: String {
    switch self {
    case .jobFile: "what a job file says: settings, sources, chains"
    case .processors: "the processors of each client, as a job spells them"
    case .environment: "the variables that are read"
    case .exitCodes: "the exit codes of every command"
    }
  }

  /// The section of its man page: 5 for files, 7 for the rest.
  var section: Int { self == .jobFile ? 5 : 7 }

  func blocks(_ table: OptionTable) -> [HelpBlock] {
    switch self {
    case .jobFile: Self.jobFileBlocks(table)
    case .processors: Self.processorBlocks
    case .environment:
      [.text(Wording.environment), .terms(Self.variables(table.options) + Self.otherVariables)]
    case .exitCodes:
      [
        .terms(ExitCode.allCases.map { .init("\($0.rawValue)", $0.meaning + ".") }),
        .text("run --fail-on decides whether failed renditions make the run itself fail."),
      ]
    }
  }

  // MARK: Job file

  private static func jobFileBlocks(_ table: OptionTable) -> [HelpBlock] {
    var blocks: [HelpBlock] = [
      .text(
        """
        A job is UTF-8 text, one thing a line. A line is a setting, which begins with its name, or a source, which \
        begins with a URL or a path. # at the beginning of a line or after white space begins a comment.
        """),
      .code([
        "client  \(ClientRegistry.example)", "cache   out/com.example.catalog", "scale   2 3", "",
        "chain   card = \(processorExample)", "",
        "https://img.example.com/1.jpg  card", "https://img.example.com/2.jpg  card  id=product-2",
        "include urls.txt               card",
      ]),
      .heading("Sources"),
      .text(
        """
        A source is followed by chains and then by options. A chain is a name or is written out, with | between its \
        processors; original is the picture as it came. Text with white space stands in double quotes.
        """),
      .terms(LineOptionName.allCases.map { .init($0.example, TextCase.sentence($0.meaning)) }),
    ]
    for topic in Setting.Topic.allCases {
      let rows = table.jobs.jobRows.filter { $0.topic == topic }
      guard !rows.isEmpty else { continue }
      blocks.append(.heading("\(topic.rawValue) settings"))
      blocks.append(.terms(rows.map { .init($0.example, $0.jobSentences.joined(separator: " ")) }))
    }
    return blocks
  }

  private static var processorExample: String {
    ClientRegistry.libraries.first?.newestClient.processorExample ?? "original"
  }

  // MARK: Processors

  private static var processorBlocks: [HelpBlock] {
    var blocks: [HelpBlock] = [
      .text(
        """
        As the app's code spells them. What stands in [] may be left out, and what follows = holds then. | between \
        processors makes a chain of them, and as "TEXT" behind one gives it the identifier of a processor of the app's.
        """)
    ]
    for library in ClientRegistry.libraries {
      blocks.append(.heading("\(library.title) \(library.majors.lowerBound) to \(library.majors.upperBound)"))
      blocks.append(
        .terms(library.newestClient.processors.map { .init($0.usage, TextCase.sentence($0.summary)) }))
    }
    return blocks + [
      .heading("Values"),
      .terms([
        .init("N", "A number: 44, 33.3, 1e-5."), .init("WxH", "A size: 44x44."),
        .init("COLOR", "#RRGGBB, #RRGGBBAA, rgba(1, 0, 0, 0.5) or gray(0, 1)."),
        .init("\"TEXT\"", "Text in double quotes."),
      ]),
    ]
  }

  // MARK: Environment

  static func variables(_ options: [Setting]) -> [HelpBlock.Term] {
    options.compactMap { option in option.environment.map { .init($0, "As \(option.usage).") } }
  }

  static var otherVariables: [HelpBlock.Term] {
    Wording.otherVariables.map { .init($0, TextCase.sentence($1)) }
  }
}

extension HelpTopic {
  /// The topic of a word, or nil.
  init?(word: String) {
    guard let topic = Self(rawValue: word.lowercased()) else { return nil }
    self = topic
  }
}
