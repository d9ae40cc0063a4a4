/// What a processor puts into a key: one template, or one for each range of releases. The rows stand in the client's cache
/// library; the client's ``ProcessorRow`` adds everything else to them.
package struct KeyRow: Sendable {
  /// As a job calls the processor.
  package let name: String
  /// The value that tells this form from others of the same name: `width` of `resize(width:)`.
  package let form: String?
  /// By the release from which on it holds, the newest first.
  private let templates: [(since: Release, template: KeyTemplate)]
  package let unsupportedReason: @Sendable (ProcessorValues, KeyContext) -> String?

  /// - Parameters:
  ///   - release: the one that brought the template; those before it have another.
  ///   - before: templates of earlier releases, the newest first.
  ///   - unsupported: why a release has no key for values, in a sentence; the release itself traps there, or has no such
  ///     processor.
  package init(
    _ name: String, form: String? = nil, _ template: KeyTemplate,
    since release: Release = Release(0, 0, 0), before: [(since: Release, template: KeyTemplate)] = [],
    unsupported: @escaping @Sendable (ProcessorValues, KeyContext) -> String? = { _, _ in nil }
  ) {
    self.name = name
    self.form = form
    templates = [(release, template)] + before
    unsupportedReason = unsupported
  }

  private func template(_ context: KeyContext) -> KeyTemplate? {
    templates.first { $0.since <= context.release }?.template ?? templates.last?.template
  }

  package func has(_ call: ProcessorCall) -> Bool {
    call.name == name && (form.map { call.values.has($0) } ?? true)
  }

  package func write(_ values: ProcessorValues, _ context: KeyContext) -> String {
    template(context)?.write(values, context) ?? ""
  }

  /// Reads a key from where the scanner stands. Only values that make the same bytes again count.
  fileprivate func read(_ scanner: KeyScanner, _ context: KeyContext) -> KeyCandidate? {
    template(context)?.read((scanner, [:]), context).first { candidate in
      unsupportedReason(candidate.values, context) == nil
        && write(candidate.values, context).utf8
          .elementsEqual(scanner.bytes[scanner.position..<candidate.scanner.position])
    }
  }
}

extension [KeyRow] {
  /// What a processor puts into a key.
  package func key(of call: ProcessorCall, _ context: KeyContext) -> String {
    call.identifier ?? first { $0.has(call) }?.write(call.values, context) ?? ""
  }

  /// Why a release has no key for a processor; nil where it has.
  package func unsupportedReason(_ call: ProcessorCall, _ context: KeyContext) -> String? {
    first { $0.has(call) }?.unsupportedReason(call.values, context)
  }

  /// The processor whose key comes next; the scanner stays where it is if there is none.
  package func read(_ scanner: inout KeyScanner, _ context: KeyContext) -> ProcessorCall? {
    for row in self {
      guard let candidate = row.read(scanner, context) else { continue }
      scanner = candidate.scanner
      return ProcessorCall(row.name, candidate.values)
    }
    return nil
  }
}
