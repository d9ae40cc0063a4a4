import Settings
import Text

/// Completions for zsh.
struct ZshCompletions {
  private let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  package var text: String {
    """
    #compdef preheat
    # zsh completions for preheat \(PreheatVersion.text); made by: preheat help --completions zsh
    _preheat() {
      local context state state_descr line
      typeset -A opt_args
      _arguments -s -C \\
    \(arguments(CommandRows.everywhere)) \\
        '1:command:->command' \\
        '*::argument:->argument'
      case $state in
        command)
          local -a commands=(
    \(table.commands.map { "        '\($0.name):\(escape($0.summary))'" }.joined(separator: "\n"))
          )
          _describe command commands
          ;;
        argument)
          case $words[1] in
    \(table.commands.map(branch).joined(separator: "\n"))
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

  private func branch(_ command: CommandSpec) -> String {
    let positionals = command.positionals.enumerated().map { index, positional in
      let place = positional.count.upperBound > 1 ? "*" : "\(index + 1)"
      let optional = positional.count.lowerBound == 0 ? "::" : ":"
      return "    '\(place)\(optional)\(escape(positional.name)):\(action(positional.kind))'"
    }
    let lines = [arguments(command.options)] + positionals
    return "        \(command.name))\n      _arguments -s \\\n"
      + lines.joined(separator: " \\\n") + "\n      ;;"
  }

  private func action(_ kind: CommandSpec.Positional.Kind) -> String {
    switch kind {
    case .file: "_files"
    case .text: " "
    case .command: "(\(table.helpWords.joined(separator: " ")))"
    }
  }

  /// Specifications of `_arguments`, a line each.
  private func arguments(_ options: [Setting]) -> String {
    options.flatMap { option -> [String] in
      let star = option.repetition == .single ? "" : "*"
      let tail = value(option)
      let text = "[\(escape(option.summary))]"
      var lines = ["'\(star)--\(option.flag)\(option.isFlag ? "" : "=")\(text)\(tail)'"]
      if let short = option.short {
        lines.append("'\(star)-\(short)\(option.isFlag ? "" : "+")\(text)\(tail)'")
      }
      if option.isNegatable { lines.append("'--no-\(option.flag)[not: \(escape(option.summary))]'") }
      return lines
    }.map { "    " + $0 }.joined(separator: " \\\n")
  }

  private func value(_ option: Setting) -> String {
    switch option.form {
    case .flag: ""
    case .folder: ":\(option.valueName):_files -/"
    case .choices(let words): ":\(option.valueName):(\(words.joined(separator: " ")))"
    default: ":\(option.valueName): "
    }
  }

  /// Text inside single quotes, where `_arguments` and `_describe` give brackets and colons a meaning.
  private func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":", "\\": result += "\\" + String(character)
      default: result.append(character)
      }
    }
    return result
  }
}
