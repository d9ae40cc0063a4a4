import JobFile
import Syntax
import Text

/// The command line, sorted into words and options. Only the spelling is checked.
///
/// ``OptionValues`` is the second stage: it knows the command, the environment and what values mean.
struct LowArguments: Sendable, Hashable {
  /// One option as it was typed.
  struct Occurrence: Sendable, Hashable {
    /// The long name from the table.
    var name: String
    /// `-w`, `--workers`, `--no-wait`.
    var spelling: String
    /// Of one that takes none `on`, or where it is negated `off`.
    var value: String
  }

  /// Everything but the options, in order; the first is the command.
  private(set) var words: [String] = []
  private(set) var occurrences: [Occurrence] = []

  /// Reads arguments, without the program's name.
  ///
  /// Options may stand anywhere. A value follows after `=` or as the next argument; an argument that
  /// begins with a dash is taken for the next option, so such a value needs the `=`. Of an option that can stand alone
  /// the next argument is its value if it is one of its choices.
  init(parsing arguments: [String], table: OptionTable = .preheat) throws(UsageError) {
    var scanner = Scanner(table: table, rest: arguments[...])
    scanner.command = arguments.first { table.command(named: $0) != nil }
    while let argument = scanner.rest.popFirst() {
      if argument == "--" {
        words += scanner.rest
        return
      } else if argument.hasPrefix("--") {
        occurrences.append(try scanner.long(argument))
      } else if argument.hasPrefix("-"), argument != "-" {
        occurrences += try scanner.shorts(argument)
      } else {
        words.append(argument)
      }
    }
  }

  func occurrences(of name: String) -> [Occurrence] { occurrences.filter { $0.name == name } }
}

/// The arguments that are still to be read, and the rules for reading one.
private struct Scanner {
  let table: OptionTable
  var rest: ArraySlice<String>
  /// Only for the advice in errors.
  var command: String?

  /// `--name`, `--name=value`, `--name value`, `--no-name`.
  mutating func long(_ argument: String) throws(UsageError) -> LowArguments.Occurrence {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    let attached = parts.count > 1 ? String(parts[1]) : nil
    let spelling = "--" + name
    if let option = table.option(named: name) {
      return try occurrence(of: option, spelling: spelling, attached: attached)
    }
    if name.hasPrefix("no-"), let option = table.option(named: String(name.dropFirst(3))), option.isNegatable
    {
      guard attached == nil else { throw unexpectedValue(spelling) }
      return LowArguments.Occurrence(name: option.flag, spelling: spelling, value: "off")
    }
    throw unknown(spelling)
  }

  /// `-q`, `-qv`, `-w4`, `-w 4`, `-w=4`, `-qw4`.
  mutating func shorts(_ argument: String) throws(UsageError) -> [LowArguments.Occurrence] {
    var found: [LowArguments.Occurrence] = []
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = table.option(short: letter) else {
        let bundled = argument.count > 2 ? " in '\(argument)'" : ""
        throw unknown("-\(letter)", context: bundled, meant: String(argument.dropFirst()))
      }
      var attached: String?
      if !option.isFlag, !letters.isEmpty {
        attached = String(letters.first == "=" ? letters.dropFirst() : letters)
        letters = ""
      } else if letters.first == "=" {
        throw unexpectedValue("-\(letter)")
      }
      found.append(try occurrence(of: option, spelling: "-\(letter)", attached: attached))
    }
    return found
  }

  private mutating func occurrence(
    of option: Setting, spelling: String, attached: String?
  ) throws(UsageError) -> LowArguments.Occurrence {
    guard !option.isFlag else {
      guard attached == nil else { throw unexpectedValue(spelling) }
      return LowArguments.Occurrence(name: option.flag, spelling: spelling, value: "on")
    }
    if let attached { return LowArguments.Occurrence(name: option.flag, spelling: spelling, value: attached) }
    if let bare = option.bare, !option.choices.contains(rest.first ?? "") {
      return LowArguments.Occurrence(name: option.flag, spelling: spelling, value: bare)
    }
    guard let next = rest.first, next == "-" || !next.hasPrefix("-") else {
      let advice = rest.first.map { "write \(spelling)=\($0) if that is the value" }
      throw UsageError(
        .missingValue, "\(spelling) needs a value: \(spelling) \(option.valueName)", suggestion: advice,
        command: command)
    }
    rest.removeFirst()
    return LowArguments.Occurrence(name: option.flag, spelling: spelling, value: next)
  }

  private func unexpectedValue(_ spelling: String) -> UsageError {
    UsageError(.unexpectedValue, "\(spelling) takes no value", command: command)
  }

  private func unknown(_ spelling: String, context: String = "", meant: String? = nil) -> UsageError {
    let names = table.options.flatMap { $0.isNegatable ? [$0.flag, "no-" + $0.flag] : [$0.flag] }
    let word = meant ?? String(spelling.drop { $0 == "-" })
    let guess = GoneWords.advice[word] ?? nearestWord(to: word, in: names).map { "did you mean '--\($0)'?" }
    return UsageError(
      .unknownOption, "unknown option '\(spelling)'\(context)", suggestion: guess, command: command)
  }
}
