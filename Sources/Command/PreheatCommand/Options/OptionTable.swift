import JobFile
import Syntax

/// Every command and setting of `preheat`: the one source of parsing, help, man page, completions and reference pages.
struct OptionTable: Sendable {
  let commands: [CommandSpec]
  /// The settings of jobs.
  let jobs: SettingTable
  /// Every option once, in the order of first appearance. A name means the same in all commands, so options can be read
  /// before the command word is known.
  let options: [Setting]

  /// The table of this program, with the settings of the clients that are registered now.
  static var preheat: OptionTable { OptionTable() }

  /// - Parameter jobs: what a job may say; those rows that are flags too stand in every command whose work they can
  ///   change.
  init(jobs: SettingTable = .jobs, commands: [any Command.Type] = PreheatCommand.commands) {
    self.jobs = jobs
    let specs = commands.map { command in
      var spec = command.spec
      let settings = jobs.rows.filter { $0.places.contains(.flag) && !spec.work.isDisjoint(with: $0.changes) }
      spec.options =
        (spec.takesJobs ? settings : settings.map(\.withoutJob))
        + (spec.takesJobs ? CommandRows.trust : []) + (spec.sharesWork ? [CommandRows.shard] : [])
        + spec.options
      spec.options += CommandRows.everywhere
      return spec
    }
    var seen: Set<String> = []
    self.commands = specs
    options = specs.flatMap(\.options).filter { seen.insert($0.flag).inserted }
  }

  func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }

  /// The words that `help` has a page for.
  var helpWords: [String] { commands.map(\.name) + HelpTopic.allCases.map(\.rawValue) + [HelpCommand.schema] }

  func option(named name: String) -> Setting? { options.first { $0.flag == name } }

  func option(short: Character) -> Setting? { options.first { $0.short == short } }

}

/// A setting as an option of the command line.
extension Setting {
  var isFlag: Bool { form == .flag }
  /// The variable that stands in for the option.
  var environment: String? { places.contains(.variable) ? variable : nil }
  /// The row of a command that has no job: what is there is said by the cache itself.
  fileprivate var withoutJob: Setting {
    with {
      $0.places.remove(.job)
      $0.isCommon = false
      guard name == JobRows.client.name else { return }
      $0.detail = "For a cache or a bundle: needed if neither its ledger nor its index names the client."
      $0.defaultText = "from the ledger or the index"
    }
  }

  /// Whether `--no-NAME` exists.
  var isNegatable: Bool { isFlag && environment != nil }

  /// The words that are accepted, where there is a list of them.
  var choices: [String] {
    if case .choices(let words) = form { words } else { [] }
  }

  /// `--cache DIR`, `--wait`.
  var usage: String { isFlag ? "--\(flag)" : "--\(flag) \(bare == nil ? valueName : "[\(valueName)]")" }

  /// Every spelling in full: `-w N, --workers N` or `--wait, --no-wait`.
  var fullUsage: String {
    let first = short.map { isFlag ? "-\($0), " : "-\($0) \(valueName), " } ?? ""
    return first + usage + (isNegatable ? ", --no-\(flag)" : "")
  }

  /// All that is to be said about an option, in sentences.
  var sentences: [String] {
    guard places.contains(.job), repetition == .single || defaultText != nil else {
      return meaning + (defaultText.map { ["Default: \($0)."] } ?? [])
    }
    return meaning + ["Default: from the job\(defaultText.map { ", else \($0)" } ?? "")."]
  }

  /// All that is to be said about a line of a job.
  var jobSentences: [String] {
    let owner = owner.map { ["Only in \($0) jobs."] } ?? []
    let line = places.contains(.line) ? ["Also an option of job lines: \(LineOption(self).row.example)."] : []
    return owner + meaning + line + (defaultText.map { ["Default: \($0)."] } ?? [])
  }

  private var meaning: [String] {
    var sentences = [TextCase.sentence(summary)]
    if !detail.isEmpty { sentences.append(detail) }
    if let bare { sentences.append("--\(flag) alone means \(bare).") }
    if case .range(let bounds) = form { sentences.append("\(bounds).") }
    return sentences
  }
}

enum TextCase {
  /// A summary as a sentence; words that begin with a sign or have a spelling of their own stay.
  static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    let end = text.hasSuffix(".") ? "" : "."
    return String(first).uppercased() + String(text.dropFirst()) + end
  }
}
