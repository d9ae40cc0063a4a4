/// How one kind of argument is read.
package struct ArgumentType<Value> {
  /// A value as one would write it.
  package var example: String
  package var read: (ChainSyntax.Argument) throws(Mistake) -> Value

  package init(
    example: String, read: @escaping (ChainSyntax.Argument) throws(Mistake) -> Value
  ) {
    self.example = example
    self.read = read
  }

  /// A kind that is written as one bare word.
  package init(_ expected: String, example: String, word: @escaping (String) -> Value?) {
    self.init(example: example) { argument throws(Mistake) in
      if let value = argument.word.flatMap(word) { return value }
      throw .wrong(argument, expected)
    }
  }

  package func map<Other>(_ transform: @escaping (Value) -> Other) -> ArgumentType<Other> {
    ArgumentType<Other>(example: example) { argument throws(Mistake) in
      transform(try read(argument))
    }
  }
}

extension Mistake {
  /// What is wrong with an argument.
  package static func wrong(
    _ argument: ChainSyntax.Argument, _ expected: String, nearest: String? = nil
  ) -> Mistake {
    let what: String =
      switch argument.value {
      case .word(let text): quote(text)
      case .quoted: "text in quotes"
      case .group: "a group in parentheses"
      case .call(let name, _): quote(name + "(...)")
      }
    let label = argument.label.map { "'\($0):' " } ?? ""
    return Mistake(
      argument.valueOffset, "\(label)needs \(expected), not \(what)", help: suggestion(nearest))
  }
}
