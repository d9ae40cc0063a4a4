import Syntax
import Text

/// A shell that completions are made for.
enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish
}

/// The completion scripts: the words of the option table, in the language of each shell.
struct Completions {
  let table: OptionTable

  private var commands: [CommandSpec] { table.commands }

  func script(for shell: Shell) -> String {
    let first =
      "# \(shell.rawValue) completions for preheat \(PreheatVersion.text); "
      + "made by: preheat help --completions \(shell.rawValue)\n"
    return switch shell {
    case .bash: first + bash
    case .zsh: "#compdef preheat\n" + first + zsh
    case .fish: first + fish
    }
  }

  private func takesHelpWords(_ command: CommandSpec) -> Bool {
    command.positionals.contains { $0.kind == .command }
  }

  // MARK: bash 4 and later

  private var bash: String {
    let names = commands.map(\.name)
    return """
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
            \(names.joined(separator: "|"))) command=$word; break ;;
          esac
        done
        case $prev in
      \(bashValues)
        esac
        case $command in
      \(commands.map(bashWords).joined(separator: "\n"))
          *) words='\((names + spellings(CommandRows.everywhere)).joined(separator: " "))' ;;
        esac
        if [[ $cur == -* || -z $command || $command == help ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$cur"))
          compopt +o default 2>/dev/null
        fi
      }
      complete -o default -F _preheat preheat

      """
  }

  /// Completions after an option that takes a value.
  private var bashValues: String {
    func line(_ options: [Setting], _ action: String) -> [String] {
      let names = options.flatMap { option in (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.flag] }
      return names.isEmpty ? [] : ["    \(names.joined(separator: "|"))) \(action); return ;;"]
    }
    let valued = table.options.filter { !$0.isFlag }
    let choices = valued.filter { !$0.choices.isEmpty }.flatMap { option in
      line([option], "COMPREPLY=($(compgen -W '\(option.choices.joined(separator: " "))' -- \"$cur\"))")
    }
    let folders = line(
      valued.filter { $0.form == .folder }, "compopt +o default -o dirnames 2>/dev/null")
    let others = valued.filter { $0.form != .folder && $0.choices.isEmpty }
    return (choices + folders + line(others, "compopt +o default 2>/dev/null")).joined(separator: "\n")
  }

  private func bashWords(_ command: CommandSpec) -> String {
    let others = takesHelpWords(command) ? table.helpWords.filter { $0 != command.name } : []
    return "    \(command.name)) words='\((spellings(command.options) + others).joined(separator: " "))' ;;"
  }

  private func spellings(_ options: [Setting]) -> [String] {
    options.flatMap { option in
      (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.flag]
        + (option.isNegatable ? ["--no-" + option.flag] : [])
    }
  }

  // MARK: zsh

  private var zsh: String {
    """
    _preheat() {
      local context state state_descr line
      typeset -A opt_args
      _arguments -s -C \\
    \(zshArguments(CommandRows.everywhere)) \\
        '1:command:->command' \\
        '*::argument:->argument'
      case $state in
        command)
          local -a commands=(
    \(commands.map { "        '\($0.name):\(zshText($0.summary))'" }.joined(separator: "\n"))
          )
          _describe command commands
          ;;
        argument)
          case $words[1] in
    \(commands.map(zshBranch).joined(separator: "\n"))
          esac
          ;;
      esac
    }
    if [ "$funcstack[1]" = _preheat ]; then
      _preheat "$@"
    else
      compdef _preheat preheat
    fi

    """
  }

  private func zshBranch(_ command: CommandSpec) -> String {
    let positionals = command.positionals.enumerated().map { index, positional in
      let place = positional.count.upperBound > 1 ? "*" : "\(index + 1)"
      let optional = positional.count.lowerBound == 0 ? "::" : ":"
      let action =
        switch positional.kind {
        case .file: "_files"
        case .text: " "
        case .command: "(\(table.helpWords.joined(separator: " ")))"
        }
      return "    '\(place)\(optional)\(zshText(positional.name)):\(action)'"
    }
    let lines = [zshArguments(command.options)] + positionals
    return "        \(command.name))\n      _arguments -s \\\n"
      + lines.joined(separator: " \\\n") + "\n      ;;"
  }

  /// Specifications of `_arguments`, a line each.
  private func zshArguments(_ options: [Setting]) -> String {
    options.flatMap { option -> [String] in
      let star = option.repetition == .single ? "" : "*"
      let text = "[\(zshText(option.summary))]"
      let tail =
        switch option.form {
        case .flag: ""
        case .folder: ":\(option.valueName):_files -/"
        case .choices(let words):
          "\(option.bare == nil ? "" : ":"):\(option.valueName):(\(words.joined(separator: " ")))"
        default: ":\(option.valueName): "
        }
      var lines = ["'\(star)--\(option.flag)\(option.isFlag ? "" : "=")\(text)\(tail)'"]
      if let short = option.short {
        lines.append("'\(star)-\(short)\(option.isFlag ? "" : "+")\(text)\(tail)'")
      }
      if option.isNegatable { lines.append("'--no-\(option.flag)[not: \(zshText(option.summary))]'") }
      return lines
    }.map { "    " + $0 }.joined(separator: " \\\n")
  }

  /// Text inside single quotes, where `_arguments` and `_describe` give brackets and colons a meaning.
  private func zshText(_ text: String) -> String {
    text.replacing(/[\[\]:\\]/) { "\\" + $0.output }.replacing("'", with: "'\\''")
  }

  // MARK: fish

  private var fish: String {
    var lines = ["complete -c preheat -f"]
    let noCommand = "not __fish_seen_subcommand_from \(commands.map(\.name).joined(separator: " "))"
    for command in commands {
      lines.append(
        "complete -c preheat -n '\(noCommand)' -a \(command.name) -d '\(fishText(command.summary))'")
    }
    lines += CommandRows.everywhere.flatMap { fishLines($0, start: "complete -c preheat") }
    let shared = Set(CommandRows.everywhere.map(\.flag))
    for command in commands {
      let start = "complete -c preheat -n '__fish_seen_subcommand_from \(command.name)'"
      lines += command.options.filter { !shared.contains($0.flag) }.flatMap { fishLines($0, start: start) }
      if command.positionals.contains(where: { $0.kind == .file }) { lines.append("\(start) -F") }
      if takesHelpWords(command) { lines.append("\(start) -a '\(table.helpWords.joined(separator: " "))'") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishLines(_ option: Setting, start: String) -> [String] {
    let short = option.short.map { " -s \($0)" } ?? ""
    let value =
      switch option.form {
      case .flag: ""
      case .folder: " -x -a '(__fish_complete_directories)'"
      case .choices(let words): " \(option.bare == nil ? "-x" : "-f") -a '\(words.joined(separator: " "))'"
      default: " -x"
      }
    let text = fishText(option.summary)
    let line = "\(start)\(short) -l \(option.flag)\(value) -d '\(text)'"
    return option.isNegatable ? [line, "\(start) -l no-\(option.flag) -d 'not: \(text)'"] : [line]
  }

  private func fishText(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
