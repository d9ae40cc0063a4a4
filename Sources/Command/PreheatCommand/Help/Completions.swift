import Syntax

/// A shell that completions are made for.
enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Asks the program for the words that may follow, with their meaning behind a tab; where there is none, the shell
  /// offers files.
  var script: String {
    switch self {
    case .bash:
      """
      _preheat() {
        local IFS=$'\\n'
        COMPREPLY=($("${COMP_WORDS[0]}" \(Completions.word) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
        COMPREPLY=("${COMPREPLY[@]%%$'\\t'*}")
      }
      complete -o default -F _preheat preheat

      """
    case .zsh:
      """
      #compdef preheat
      _preheat() {
        local -a lines=("${(@f)$("$words[1]" \(Completions.word) "${(@)words[2,CURRENT]}" 2>/dev/null)}")
        if [ -n "$lines" ]; then compadd -- "${(@)lines%%$'\\t'*}"; else _files; fi
      }
      if [ "$funcstack[1]" = _preheat ]; then _preheat; else compdef _preheat preheat; fi

      """
    case .fish:
      """
      function __preheat
        set -l current (commandline -ct)
        set -l lines (preheat \(Completions.word) (commandline -opc)[2..-1] "$current" 2>/dev/null)
        if set -q lines[1]; string join \\n -- $lines; else; __fish_complete_path $current; end
      end
      complete -c preheat -f -a '(__preheat)'

      """
    }
  }
}

/// The words that may stand at the cursor of a shell.
struct Completions {
  /// Not a command that people type: no help names it.
  static let word = "__complete"

  let table: OptionTable

  /// - Parameter typed: the words behind the program's name, the last one as far as it is there.
  func text(_ typed: [String]) -> String {
    // bash takes `--name=value` for three words.
    var before = typed.dropLast().filter { $0 != "=" }
    var current = typed.last.flatMap { $0 == "=" ? nil : $0 } ?? ""
    var prefix = ""
    if current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
      before.append(String(current[..<sign]))
      prefix = current[...sign] + ""
      current = String(current[sign...].dropFirst())
    }
    return offers(behind: before, current).filter { $0.word.hasPrefix(current) }
      .map { "\(prefix)\($0.word)\t\($0.meaning)\n" }.joined()
  }

  private func offers(behind before: [String], _ current: String) -> [(word: String, meaning: String)] {
    let last = before.last ?? ""
    let option =
      last.hasPrefix("--")
      ? table.option(named: String(last.dropFirst(2)))
      : last.hasPrefix("-") ? last.last.flatMap { table.option(short: $0) } : nil
    if let option, !option.isFlag { return option.choices.map { ($0, option.summary) } }
    guard let command = before.lazy.compactMap(table.command(named:)).first else {
      return table.commands.map { ($0.name, $0.summary) } + spellings(CommandRows.everywhere)
    }
    if current.hasPrefix("-") { return spellings(command.options) }
    guard command.name == HelpCommand.spec.name else { return [] }
    return table.helpWords.filter { $0 != command.name }.map { ($0, "") }
  }

  private func spellings(_ options: [Setting]) -> [(word: String, meaning: String)] {
    options.flatMap { option in
      [("--" + option.flag, option.summary)]
        + (option.isNegatable ? [("--no-" + option.flag, "not: " + option.summary)] : [])
    }
  }
}
