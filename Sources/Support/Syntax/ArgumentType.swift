/// How one kind of argument is read.
package struct ArgumentType<Value> {
  package struct Failure: Error {
    package var mistakes: [Mistake]

    package init(mistakes: [Mistake]) { self.mistakes = mistakes }
  }

  /// A value as one would write it.
  package var example: String
  package var read: (ChainSyntax.Argument) -> Result<Value, Failure>

  package init(example: String, read: @escaping (ChainSyntax.Argument) -> Result<Value, Failure>) {
    self.example = example
    self.read = read
  }

  /// A kind that is written as one bare word.
  package init(_ expected: String, example: String, word: @escaping (String) -> Value?) {
    self.init(example: example) { argument in
      if case .word(let text) = argument.value, let value = word(text) { return .success(value) }
      return .failure(.init(mistakes: [Self.wrong(argument, expected)]))
    }
  }

  package func map<Other>(_ transform: @escaping (Value) -> Other) -> ArgumentType<Other> {
    ArgumentType<Other>(example: example) { argument in
      read(argument).map(transform).mapError { .init(mistakes: $0.mistakes) }
    }
  }

  package static func wrong(_ argument: ChainSyntax.Argument, _ expected: String, nearest: String? = nil)
    -> Mistake
  {
    let what: String =
      switch argument.value {
      case .word(let text): Mistake.quote(text)
      case .quoted: "text in quotes"
      case .group: "a group in parentheses"
      case .call(let name, _): Mistake.quote(name + "(...)")
      }
    let label = argument.label.map { "'\($0):' " } ?? ""
    return Mistake(
      argument.valueOffset, "\(label)needs \(expected), not \(what)",
      help: nearest.map { "did you mean \(Mistake.quote($0))?" })
  }
}
