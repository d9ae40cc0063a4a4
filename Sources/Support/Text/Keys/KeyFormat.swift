/// How one value stands in a key. The client's own formats are extensions in its cache library.
package struct KeyFormat: Sendable {
  /// The value is nil where it is left out.
  package var write: @Sendable (ProcessorValue?, KeyContext) -> String
  /// Steps over the text; the values that may have made it, the likeliest first. None where it does not fit.
  package var read: @Sendable (inout KeyScanner, KeyContext) -> [ProcessorValue?]

  package init(
    write: @escaping @Sendable (ProcessorValue?, KeyContext) -> String,
    read: @escaping @Sendable (inout KeyScanner, KeyContext) -> [ProcessorValue?]
  ) {
    self.write = write
    self.read = read
  }

  /// As Apple's Swift prints a number.
  package static let number = numbers { $0.description }

  /// A number as a function prints it.
  package static func numbers(_ text: @escaping @Sendable (Double) -> String) -> KeyFormat {
    KeyFormat { value, _ in
      if case .number(let number) = value { text(number) } else { "" }
    } read: { scanner, _ in
      scanner.number().map { $0.isFinite ? [.number($0)] : [] } ?? []
    }
  }

  package static let whole = KeyFormat { value, _ in
    if case .whole(let number) = value { String(number) } else { "" }
  } read: { scanner, _ in
    scanner.whole().map { [.whole($0)] } ?? []
  }

  /// `true`, `false`.
  package static let flag = words([("true", .flag(true)), ("false", .flag(false))])
  /// `1`, `0`.
  package static let bit = words([("1", .flag(true)), ("0", .flag(false))])

  /// A case by its name. A word that begins another stands behind it.
  package static func word(of words: [String]) -> KeyFormat { .words(words.map { ($0, .word($0)) }) }

  /// A case by its place in the enumeration.
  ///
  /// - Parameter usual: the case that stands in the key where none is given.
  package static func index(of words: [String], usual: String? = nil) -> KeyFormat {
    KeyFormat { value, _ in
      guard case .word(let word) = value ?? usual.map({ .word($0) }) else { return "" }
      return words.firstIndex(of: word).map(String.init) ?? ""
    } read: { scanner, _ in
      guard let index = scanner.unsigned(), index < words.count else { return [] }
      return [words[Int(index)] == usual ? nil : .word(words[Int(index)])]
    }
  }

  private static func words(_ words: [(text: String, value: ProcessorValue)]) -> KeyFormat {
    KeyFormat { value, _ in
      words.first { $0.value == value }?.text ?? ""
    } read: { scanner, _ in
      for (text, value) in words where scanner.take(text) { return [value] }
      return []
    }
  }

  /// Everything up to a literal that follows.
  package static func text(upTo end: String) -> KeyFormat {
    KeyFormat { value, _ in
      if case .text(let text) = value { text } else { "" }
    } read: { scanner, _ in
      scanner.text(upTo: end).map { [.text($0)] } ?? []
    }
  }

  /// The bits as a number.
  package static let corners = KeyFormat { value, _ in
    if case .corners(let bits) = value { String(bits) } else { "" }
  } read: { scanner, _ in
    scanner.unsigned().map { [.corners($0)] } ?? []
  }

  /// Numbers in a row, such as a size.
  package static func list(_ count: Int, _ separator: String, _ format: KeyFormat) -> KeyFormat {
    KeyFormat { value, context in
      guard case .numbers(let numbers) = value else { return "" }
      return numbers.map { format.write(.number($0), context) }.joined(separator: separator)
    } read: { scanner, context in
      var numbers: [Double] = []
      repeat {
        guard case .number(let number)?? = format.read(&scanner, context).first else { return [] }
        numbers.append(number)
      } while numbers.count < count && scanner.take(separator)
      return numbers.count == count ? [.numbers(numbers)] : []
    }
  }

  /// The format, or a literal where no value is given.
  package func orElse(_ absent: String) -> KeyFormat {
    KeyFormat { value, context in
      value == nil ? absent : write(value, context)
    } read: { scanner, context in
      scanner.take(absent) ? [nil] : read(&scanner, context)
    }
  }
}
