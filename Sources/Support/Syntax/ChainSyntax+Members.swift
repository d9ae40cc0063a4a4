// What the processors of all clients have in common.

extension ChainSyntax.Member {
  /// Reads the arguments with `build`; the value only counts when nothing was wrong.
  package func read<T>(
    _ labels: [String], form: String? = nil, _ mistakes: inout [Mistake],
    _ build: (inout ArgumentReader) -> T?
  ) -> T? {
    var reader = ArgumentReader(
      arguments ?? [], of: name + (form.map { "(\($0):)" } ?? ""), at: offset, labels: labels)
    let value = build(&reader)
    mistakes += reader.mistakes
    return reader.mistakes.isEmpty ? value : nil
  }

  /// The one argument of `custom("id")`.
  package func customIdentifier(_ mistakes: inout [Mistake]) -> String? {
    if let arguments, arguments.count == 1, arguments[0].label == nil,
      case .quoted(let identifier) = arguments[0].value
    {
      return identifier
    }
    mistakes.append(
      Mistake(
        arguments?.first?.offset ?? offset, "custom needs one identifier in double quotes",
        help: #"custom("com.example.mono")"#))
    return nil
  }

  /// Refuses the text behind `as`; by default since this is not a processor.
  package func refuseIdentifier(_ mistakes: inout [Mistake], _ message: String? = nil) {
    guard let identifier else { return }
    let usual = "'as' belongs to a processor, and \(Mistake.quote(name)) is not one"
    mistakes.append(Mistake(identifier.offset, message ?? usual))
  }
}
