/// How one kind of argument is read.
package struct ArgumentType<Value> {
  /// A value as one would write it.
  package var example: String
  package var read: (ChainSyntax.Argument) throws(ArgumentFailure) -> Value

  package init(
    example: String, read: @escaping (ChainSyntax.Argument) throws(ArgumentFailure) -> Value
  ) {
    self.example = example
    self.read = read
  }

  /// A kind that is written as one bare word.
  package init(_ expected: String, example: String, word: @escaping (String) -> Value?) {
    self.init(example: example) { argument throws(ArgumentFailure) in
      if let value = argument.word.flatMap(word) { return value }
      throw .wrong(argument, expected)
    }
  }

  package func map<Other>(_ transform: @escaping (Value) -> Other) -> ArgumentType<Other> {
    ArgumentType<Other>(example: example) { argument throws(ArgumentFailure) in
      transform(try read(argument))
    }
  }
}

/// What is wrong with an argument; a group may have several mistakes.
package struct ArgumentFailure: Error {
  package var mistakes: [Mistake]

  package init(_ mistakes: [Mistake]) { self.mistakes = mistakes }

  package static func wrong(
    _ argument: ChainSyntax.Argument, _ expected: String, nearest: String? = nil
  ) -> ArgumentFailure {
    let what: String =
      switch argument.value {
      case .word(let text): Mistake.quote(text)
      case .quoted: "text in quotes"
      case .group: "a group in parentheses"
      case .call(let name, _): Mistake.quote(name + "(...)")
      }
    let label = argument.label.map { "'\($0):' " } ?? ""
    return ArgumentFailure([
      Mistake(
        argument.valueOffset, "\(label)needs \(expected), not \(what)", help: Mistake.suggestion(nearest))
    ])
  }
}
