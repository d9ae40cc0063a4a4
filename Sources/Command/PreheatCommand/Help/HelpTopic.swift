import ClientRegistry
import JobFile
import Syntax

/// A page of `preheat help` that is not about one command.
enum HelpTopic: String, Sendable, Hashable, CaseIterable {
  case jobFile = "job-file"
  case settings
  case processors
  case versions
  case environment
  case exitCodes = "exit-codes"

  /// Without a full stop.
  var summary: String {
    switch self {
    case .jobFile: "the text of a job: settings, sources, chains"
    case .settings: "the settings of a job"
    case .processors: "the processors of each client"
    case .versions: "the known releases of each client"
    case .environment: "the environment variables that preheat reads"
    case .exitCodes: "the exit codes of every command"
    }
  }

  func blocks(_ table: OptionTable) -> [HelpPage.Block] {
    switch self {
    case .jobFile: Self.jobFileBlocks
    case .settings: Self.settingBlocks(table)
    case .processors: Self.processorBlocks
    case .versions: Self.versionBlocks
    case .environment: Self.environmentBlocks(table)
    case .exitCodes:
      [
        .text("The option --fail-on of 'preheat run' sets how many failed renditions make a run fail."),
        .terms(ExitCode.allCases.map { .init(term: "\($0.rawValue)", meaning: $0.meaning) }),
      ]
    }
  }

  private static var jobFileBlocks: [HelpPage.Block] {
    let processor = ClientRegistry.libraries.first?.newestClient.starter.card ?? "original"
    return [
      .text(
        """
        A job is UTF-8 text. Each line is a setting, which begins with its name, or a source, which begins with a URL \
        or a path. A # at the beginning of a line or after white space begins a comment.
        """),
      .code([
        "client  \(ClientRegistry.example)", "cache   out/com.example.catalog", "scale   2 3", "",
        "chain   card = \(processor)", "",
        "https://img.example.com/1.jpg  card", "https://img.example.com/2.jpg  card  id=product-2",
        "include urls.txt               card",
      ]),
      .text("'preheat help settings' lists the settings, 'preheat help processors' the parts of a chain."),
      .heading("Sources"),
      .text(
        """
        Chains follow the source, then options. A chain is a name, or is written out with | between its processors; \
        'original' is the picture as it came. Text with white space stands in double quotes.
        """),
      .terms(
        LineOption.all.map { .init(term: $0.row.example, meaning: TextCase.sentence($0.row.summary)) }
          + SettingTable.jobs.ofRequests.map { option in
            .init(
              term: option.row.example,
              meaning:
                "As the setting, for the requests of this line; only in \(option.row.owner ?? "") jobs.")
          }),
    ]
  }

  private static func settingBlocks(_ table: OptionTable) -> [HelpPage.Block] {
    Setting.Topic.allCases.flatMap { topic -> [HelpPage.Block] in
      let terms = table.jobs.jobRows.filter { $0.topic == topic }.map { row in
        HelpPage.Term(
          term: row.example, meaning: row.jobSentences.joined(separator: " "),
          note: row.places.contains(.flag) ? "`--\(row.flag)`" : "")
      }
      return terms.isEmpty ? [] : [.heading(topic.rawValue), .terms(terms, note: "Flag")]
    }
  }

  private static var processorBlocks: [HelpPage.Block] {
    let clients = ClientRegistry.libraries.flatMap { library -> [HelpPage.Block] in
      let terms = library.newestClient.processorUsages.map {
        HelpPage.Term(term: $0.usage, meaning: TextCase.sentence($0.summary))
      }
      return [.heading("\(library.title) \(library.majorsInWords)"), .terms(terms)]
    }
    let values = [
      ("N", "A number: 44, 33.3, 1e-5."), ("WxH", "A size: 44x44."),
      ("COLOR", "#RRGGBB, #RRGGBBAA, rgba(1, 0, 0, 0.5) or gray(0, 1)."),
      ("\"TEXT\"", "Text in double quotes."),
    ]
    return [
      .text(
        """
        Processors have the names and arguments that they have in the app's code. Arguments in [] can be left out; the \
        text after = is their default. The sign | joins processors to a chain. Write as "TEXT" behind a processor to \
        give it the identifier of a processor that the app defines itself.
        """)
    ] + clients + [.heading("Values"), .terms(values.map { .init(term: $0, meaning: $1) })]
  }

  /// The first word of a row of releases is a client's, for scripts.
  private static var versionBlocks: [HelpPage.Block] {
    let known = ClientRegistry.libraries.flatMap { library in
      Set(library.releases.map(\.major)).sorted().map { major in
        HelpPage.Term(
          term: "\(library.name) \(major)",
          meaning: library.candidates[major]
            ?? library.releases.filter { $0.major == major }.reversed().map { "\($0)" }
            .joined(separator: ", "))
      }
    }
    return [
      .heading("Known releases"),
      .text(
        "The newest patch of each minor version; those before it are known too, and a later patch or minor version is taken with a warning."
      ),
      .terms(known),
    ]
  }

  // MARK: Environment

  private static func environmentBlocks(_ table: OptionTable) -> [HelpPage.Block] {
    let own = table.options.compactMap { option in
      option.environment.map { HelpPage.Term(term: $0, meaning: "as `\(option.usage)`") }
    }
    return [.text(precedence), .terms(own + others)]
  }

  private static let precedence = """
    Options win over variables, variables over the job, the job over the defaults. An empty variable counts as \
    absent. Switches are on or off.
    """

  private static let others =
    ([
      "NO_COLOR": "no colours", "CI": "no progress line", "COLUMNS": "width of the progress line",
      "TERM": "'dumb' means no colours and no progress line",
      "JOURNAL_STREAM":
        "set by systemd: where standard error leads to the journal, messages begin with their priority",
      "SOURCE_DATE_EPOCH":
        "the current time for expiry, dates and bundles, in seconds since 1970; without it the clock's",
      "PREHEAT_RENDER": "path of preheat-render if it is not beside preheat",
      "http_proxy": "proxy for http URLs, as curl reads it",
      "https_proxy": "proxy for https URLs; HTTPS_PROXY too",
      "all_proxy": "proxy for both; ALL_PROXY too",
      "no_proxy": "hosts that are reached without a proxy; NO_PROXY too",
      "AWS_ACCESS_KEY_ID":
        "with AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN: signs requests to the hosts of aws-sigv4",
      "SSL_CERT_FILE": "certificates to trust in place of the system's; CURL_CA_BUNDLE too",
      "GITHUB_ACTIONS": "'true' turns --annotations on",
      "GITHUB_STEP_SUMMARY": "file that the summary of a run is added to, with --annotations",
      "GITHUB_WORKSPACE": "folder that the paths in annotations are relative to",
      "GITHUB_EVENT_NAME":
        "'pull_request': jobs may read no variable except those that --env names; CI_MERGE_REQUEST_IID and the "
        + "variables of other CI systems do the same",
    ] as KeyValuePairs).map { HelpPage.Term(term: $0.key, meaning: $0.value) }
}
