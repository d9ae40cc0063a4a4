/// A shell that completions are made for.
package enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// The completion script.
  func completions(_ table: OptionTable) -> String {
    switch self {
    case .bash: BashCompletions(table).text
    case .zsh: ZshCompletions(table).text
    case .fish: FishCompletions(table).text
    }
  }
}
