import Settings
import Text

/// Completions for bash 4 and later.
struct BashCompletions {
  private let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  package var text: String {
    let commands = table.commands.map(\.name)
    return """
      # bash completions for preheat \(PreheatVersion.text); made by: preheat help --completions bash
      _preheat() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word words=
        COMPREPLY=()
        # "--name=value" arrives in three words.
        if [[ $cur == "=" ]]; then
          cur=
        elif [[ $prev == "=" ]]; then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
            \(commands.joined(separator: "|"))) command=$word; break ;;
          esac
        done
        case $prev in
      \(valueCases)
        esac
        case $command in
      \(commandCases)
          *) words='\((commands + names(CommandRows.everywhere)).joined(separator: " "))' ;;
        esac
        if [[ $cur == -* || -z $command || $command == help ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$cur"))
          compopt +o default 2>/dev/null
        fi
      }
      complete -o default -F _preheat preheat

      """
  }

  /// What follows an option that takes a value.
  private var valueCases: String {
    let options = table.options.filter { !$0.isFlag }
    var cases: [String] = options.compactMap { option in
      guard !option.choices.isEmpty else { return nil }
      let words = option.choices.joined(separator: " ")
      return "    \(spellings(option))) COMPREPLY=($(compgen -W '\(words)' -- \"$cur\")); return ;;"
    }
    let folders = options.filter { $0.form == .folder }
    if !folders.isEmpty {
      let names = folders.map(spellings).joined(separator: "|")
      cases.append("    \(names)) compopt +o default -o dirnames 2>/dev/null; return ;;")
    }
    let free = options.filter { $0.form != .folder && $0.choices.isEmpty }
    if !free.isEmpty {
      let names = free.map(spellings).joined(separator: "|")
      cases.append("    \(names)) compopt +o default 2>/dev/null; return ;;")
    }
    return cases.joined(separator: "\n")
  }

  private var commandCases: String {
    table.commands.map { command in
      let others = command.positionals.contains { $0.kind == .command } ? table.helpWords : []
      let words = names(command.options) + others.filter { $0 != command.name }
      return "    \(command.name)) words='\(words.joined(separator: " "))' ;;"
    }.joined(separator: "\n")
  }

  private func names(_ options: [Setting]) -> [String] {
    options.flatMap { option in
      (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.flag]
        + (option.isNegatable ? ["--no-" + option.flag] : [])
    }
  }

  private func spellings(_ option: Setting) -> String {
    option.short.map { "-\($0)|--\(option.flag)" } ?? "--\(option.flag)"
  }
}
