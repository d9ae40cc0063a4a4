import Text

/// Takes typed values out of a processor's arguments and collects what is wrong with them.
package struct ArgumentReader {
  package private(set) var mistakes: [Mistake] = []
  private let owner: String
  private let offset: Int
  private var byLabel: [String: ChainSyntax.Argument] = [:]

  /// - Parameters:
  ///   - owner: how messages call it: `resize(width:)`.
  ///   - labels: what it takes.
  package init(_ arguments: [ChainSyntax.Argument], of owner: String, at offset: Int, labels: [String]) {
    self.owner = owner
    self.offset = offset
    let list = "it takes " + labels.map { "\($0):" }.joined(separator: ", ")
    let help = labels.isEmpty ? "take the arguments out" : list
    for argument in arguments {
      guard let label = argument.label else {
        let one = labels.count == 1 ? "write \(labels[0]): before it" : help
        mistakes.append(Mistake(argument.offset, "\(owner) takes no argument without a name", help: one))
        continue
      }
      guard labels.contains(label) else {
        mistakes.append(
          Mistake(
            argument.offset, "\(owner) has no \(Mistake.quote(label))",
            help: Mistake.suggestion(WordDistance.nearest(label, in: labels), otherwise: help)))
        continue
      }
      if byLabel.updateValue(argument, forKey: label) != nil {
        mistakes.append(Mistake(argument.offset, "\(Mistake.quote(label)) is given twice"))
      }
    }
  }

  /// A needed argument; without it the mistake is at the processor's name.
  package mutating func required<T>(_ label: String, _ type: ArgumentType<T>) -> T? {
    guard let argument = byLabel[label] else {
      mistakes.append(Mistake(offset, "\(owner) needs '\(label):'", help: "\(label): \(type.example)"))
      return nil
    }
    return value(of: argument, type)
  }

  package mutating func optional<T>(_ label: String, _ type: ArgumentType<T>) -> T? {
    byLabel[label].flatMap { value(of: $0, type) }
  }

  private mutating func value<T>(of argument: ChainSyntax.Argument, _ type: ArgumentType<T>) -> T? {
    do { return try type.read(argument) } catch {
      mistakes.append(error)
      return nil
    }
  }
}
