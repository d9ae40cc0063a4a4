/// The text of a key with its values left open, as one writes it in the code:
///
///     "SDImageResizingTransformer({\("size", .list(2, ",", .fixed6))},\("scaleMode", .index(of: modes)))"
///
/// One template writes the key and reads it back. A place is a label and a format, or a field where the text depends on
/// more than one value.
package struct KeyTemplate: Sendable, ExpressibleByStringInterpolation {
  private var parts: [KeyField]

  package init(stringLiteral text: String) { parts = text.isEmpty ? [] : [.literal(text)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [KeyField] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    package mutating func appendInterpolation(_ field: KeyField) { parts.append(field) }

    package mutating func appendInterpolation(_ label: String, _ format: KeyFormat) {
      parts.append(KeyField(label, format))
    }

    /// Text that is there where the value is; it begins with a literal, by which it is known.
    package mutating func appendInterpolation(ifPresent label: String, _ template: KeyTemplate) {
      parts.append(.part(template) { $0.has(label) })
    }

    /// Text that is left out where the value is the usual one.
    package mutating func appendInterpolation(
      _ label: String, unless usual: ProcessorValue, _ template: KeyTemplate
    ) {
      parts.append(.part(template, otherwise: [label: usual]) { $0[label] != usual })
    }

    /// The same for a group: the template's labels are those of its values.
    package mutating func appendInterpolation(group label: String, _ template: KeyTemplate) {
      parts.append(.group(label, template))
    }
  }

  package func write(_ values: ProcessorValues, _ context: KeyContext) -> String {
    parts.reduce(into: "") { $0 += $1.write(values, context) }
  }

  /// What the text may say from where the scanner stands, the likeliest first; none where it does not fit.
  package func read(_ start: KeyCandidate, _ context: KeyContext) -> [KeyCandidate] {
    var candidates = [start]
    for part in parts {
      candidates = candidates.flatMap { part.read($0, context) }
      if candidates.isEmpty { return [] }
    }
    return candidates
  }

  /// What the text begins with, whatever the values.
  fileprivate var prefix: String { parts.first?.literal ?? "" }
}

/// Everything beside its values that a key and a drawing depend on.
package struct KeyContext: Hashable, Sendable {
  package var release: Release
  /// Pixels a point; nil where it is not known, when a key is read.
  package var knownScale: Double?
  /// A drawing is given the file's bytes; later ones are given a decoded picture.
  package var isFirst = true

  package init(release: Release, scale: Double? = nil) {
    self.release = release
    knownScale = scale
  }

  package var scale: Double { knownScale ?? 1 }
}

/// A reading of a key so far.
package typealias KeyCandidate = (scanner: KeyScanner, values: ProcessorValues)

/// A place in a template.
package struct KeyField: Sendable {
  package var write: @Sendable (ProcessorValues, KeyContext) -> String
  package var read: @Sendable (KeyCandidate, KeyContext) -> [KeyCandidate]
  fileprivate private(set) var literal: String?

  package init(
    write: @escaping @Sendable (ProcessorValues, KeyContext) -> String,
    read: @escaping @Sendable (KeyCandidate, KeyContext) -> [KeyCandidate]
  ) {
    self.write = write
    self.read = read
  }

  /// Text that is the same whatever the values.
  fileprivate static func literal(_ text: String) -> KeyField {
    var field = KeyField { _, _ in
      text
    } read: { candidate, _ in
      var next = candidate
      return next.scanner.take(text) ? [next] : []
    }
    field.literal = text
    return field
  }

  /// One value by itself.
  package init(_ label: String, _ format: KeyFormat) {
    self.init { values, context in
      format.write(values[label], context)
    } read: { candidate, context in
      var next = candidate
      return format.read(&next.scanner, context).map { value in
        next.values[label] = value
        return next
      }
    }
  }

  /// A part of a key that may be missing. Where its beginning is there it has to fit: no key is read as half of itself.
  package static func part(
    _ template: KeyTemplate, otherwise usual: ProcessorValues = [:],
    isThere: @escaping @Sendable (ProcessorValues) -> Bool
  ) -> KeyField {
    KeyField { values, context in
      isThere(values) ? template.write(values, context) : ""
    } read: { candidate, context in
      if candidate.scanner.isAt(template.prefix) { return template.read(candidate, context) }
      return [(candidate.scanner, candidate.values.merging(usual))]
    }
  }

  fileprivate static func group(_ label: String, _ template: KeyTemplate) -> KeyField {
    KeyField { values, context in
      values.group(label).map { template.write($0, context) } ?? ""
    } read: { candidate, context in
      guard candidate.scanner.isAt(template.prefix) else { return [candidate] }
      return template.read((candidate.scanner, [:]), context).map { inner in
        var next = candidate
        next.scanner = inner.scanner
        next.values[label] = .group(inner.values)
        return next
      }
    }
  }
}
