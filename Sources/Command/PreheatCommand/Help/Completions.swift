import Syntax
import Text

/// A shell that completions are made for.
enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Asks the program for what may follow: its first line says what else the shell offers, the others are words with
  /// their meaning behind a tab.
  var script: String {
    switch self {
    case .bash:
      """
      _preheat() {
        local IFS=$'\\n' lines
        lines=($("${COMP_WORDS[0]}" \(Completions.word) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
        case ${lines[0]} in
          words) compopt +o default 2>/dev/null ;;
          folders) compopt +o default -o dirnames 2>/dev/null ;;
        esac
        COMPREPLY=("${lines[@]:1}")
        COMPREPLY=("${COMPREPLY[@]%%$'\\t'*}")
      }
      complete -o default -F _preheat preheat

      """
    case .zsh:
      """
      #compdef preheat
      _preheat() {
        local -a lines=("${(@f)$("$words[1]" \(Completions.word) "${(@)words[2,CURRENT]}" 2>/dev/null)}")
        case $lines[1] in
          files) _files ;;
          folders) _files -/ ;;
        esac
        compadd -- "${(@)lines[2,-1]%%$'\\t'*}"
      }
      if [ "$funcstack[1]" = _preheat ]; then _preheat; else compdef _preheat preheat; fi

      """
    case .fish:
      """
      function __preheat
        set -l current (commandline -ct)
        set -l lines (preheat \(Completions.word) (commandline -opc)[2..-1] "$current" 2>/dev/null)
        switch "$lines[1]"
          case files
            __fish_complete_path $current
          case folders
            __fish_complete_directories $current
        end
        string join \\n -- $lines[2..-1]
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
    let (rest, words) = offers(behind: before, current)
    let lines = words.filter { $0.word.hasPrefix(current) }.map { "\(prefix)\($0.word)\t\($0.meaning)\n" }
    return "\(rest)\n" + lines.joined()
  }

  private func offers(
    behind before: [String], _ current: String
  ) -> (rest: String, words: [(word: String, meaning: String)]) {
    let last = before.last ?? ""
    let option =
      last.hasPrefix("--")
      ? table.option(named: String(last.dropFirst(2)))
      : last.hasPrefix("-") ? last.last.flatMap { table.option(short: $0) } : nil
    if let option, !option.isFlag {
      if !option.choices.isEmpty { return ("words", option.choices.map { ($0, option.summary) }) }
      return (option.form == .folder ? "folders" : "files", [])
    }
    guard let command = before.lazy.compactMap(table.command(named:)).first else {
      return ("words", table.commands.map { ($0.name, $0.summary) } + spellings(CommandRows.everywhere))
    }
    if current.hasPrefix("-") { return ("words", spellings(command.options)) }
    guard command.positionals.contains(where: { $0.kind == .command }) else { return ("files", []) }
    return ("words", table.helpWords.filter { $0 != command.name }.map { ($0, "") })
  }

  private func spellings(_ options: [Setting]) -> [(word: String, meaning: String)] {
    options.flatMap { option in
      [("--" + option.flag, option.summary)]
        + (option.isNegatable ? [("--no-" + option.flag, "not: " + option.summary)] : [])
    }
  }
}
