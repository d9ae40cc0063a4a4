/// A piece of a help page, whatever it is shown on.
enum HelpBlock: Sendable, Hashable {
  case heading(String)
  case text(String)
  /// Lines as they are.
  case code([String])
  /// A word or a line to write, and what it means.
  case terms([Term])

  struct Term: Sendable, Hashable {
    var term: String
    var meaning: String

    init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }
}
