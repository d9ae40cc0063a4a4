import Pictures
import Syntax
import Text

/// A processor of a client, whole: what its key is, what a job writes, what help says, how the app's code makes it and how
/// it is drawn. Everything else follows from the rows: reading jobs and keys, suggestions, help, code, tests.
///
/// A row is written so; its key's template stands in the client's cache library (``KeyRow``):
///
///     ProcessorRow(
///       TransformerKey.blur, [.needed("radius", .number)], "blurs", code: "SDImageBlurTransformer"
///     ) { values, context in
///       [.gaussianBlur(radius: values.number("radius") * context.scale, keepsOpaque: true)]
///     }
///
/// Values have the labels of the parameters, which are those of the key's template. A processor with several forms
/// (`resize(width:)`, `resize(size:)`) has several rows of one name, each with a key row that names its own label.
package struct ProcessorRow: Sendable {
  package let key: KeyRow
  package let parameters: [Parameter]
  /// What it does, without a full stop.
  package let summary: String
  /// The type or function that makes it in Swift: `SDImageBlurTransformer`, `.resize`.
  package let code: String
  /// Its Swift text, made of the arguments'.
  package var swift: @Sendable (String) -> String
  /// It can only stand first in a chain, and is no processor, such as a thumbnail request.
  package private(set) var isLeading = false
  /// An app may have another text in its place in the key.
  package var takesIdentifier: Bool
  /// Another way to write a processor: what it means by its usual row.
  package private(set) var usual: (@Sendable (ProcessorValues) -> ProcessorCall)?
  /// Values of a job that are usually spelled otherwise, as they are usual.
  package var normal: @Sendable (ProcessorValues) -> ProcessorValues = { $0 }
  /// What an author should know of it that is not a mistake.
  package private(set) var lint: @Sendable (ProcessorValues, any KeyClient) -> RowLint?
  package let drawing: @Sendable (ProcessorValues, KeyContext) -> ChainForm.Drawing

  package init(
    _ key: KeyRow, _ parameters: [Parameter], _ summary: String, code: String = "", isLeading: Bool = false,
    lint: @escaping @Sendable (ProcessorValues, any KeyClient) -> RowLint? = { _, _ in nil },
    drawing: @escaping @Sendable (ProcessorValues, KeyContext) -> ChainForm.Drawing
  ) {
    self.key = key
    self.parameters = parameters
    self.summary = summary
    self.code = code
    swift = { "\(code)(\($0))" }
    self.isLeading = isLeading
    takesIdentifier = !isLeading
    self.lint = lint
    self.drawing = drawing
  }

  /// Another way to write a processor in a job. It is never written.
  ///
  /// - Parameters:
  ///   - name: the same name, with another form, or another name.
  ///   - usual: the processor that it means.
  package init(
    alias name: String, form: String? = nil, _ parameters: [Parameter], _ summary: String,
    usual: @escaping @Sendable (ProcessorValues) -> ProcessorCall
  ) {
    self.init(KeyRow(name, form: form, ""), parameters, summary) { _, _ in [] }
    self.usual = usual
  }

  /// The same with a change.
  package func with(_ change: (inout ProcessorRow) -> Void) -> ProcessorRow {
    var copy = self
    change(&copy)
    return copy
  }

  package var name: String { key.name }

  /// `circle([border: BORDER])`
  package var usage: String {
    let usages = parameters.filter { !$0.isInput }.map(\.usage)
    let all = parameters.contains(where: \.isInput) ? usages + ["[inputNAME: N, ...]"] : usages
    return all.isEmpty ? name : "\(name)(\(all.joined(separator: ", ")))"
  }

  package var labels: [String] { parameters.map(\.label) }
}

/// A row's word to an author.
package typealias RowLint = (message: String, help: String)

extension ChainForm.Drawing: ExpressibleByArrayLiteral {
  package init(arrayLiteral steps: RenderStep...) { self = .steps(steps) }
}

extension [ProcessorRow] {
  /// Words that make a member of a chain, each once.
  package var names: [String] {
    map(\.name).uniqued + [ProcessorCall.customName]
  }

  package func row(of call: ProcessorCall) -> ProcessorRow? {
    first { $0.usual == nil && $0.key.has(call) }
  }

  /// What can only stand first in a chain, such as a thumbnail request, and the processors.
  package func parts(of chain: Chain) -> (leading: ProcessorCall?, processors: [ProcessorCall]) {
    guard let call = chain.calls.first, first(where: { $0.name == call.name })?.isLeading == true else {
      return (nil, chain.calls)
    }
    return (call, [ProcessorCall](chain.calls.dropFirst()))
  }

  /// A processor as a job writes it; ``call(_:_:)`` reads it back.
  package func text(_ call: ProcessorCall) -> String {
    if call.isCustom { return "custom(\(QuotedText.quoted(call.identifier ?? "")))" }
    let arguments = row(of: call)?.parameters.texts(call.values) ?? []
    return call.name + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
      + (call.identifier.map { " as \(QuotedText.quoted($0))" } ?? "")
  }

  /// A chain as a job writes it.
  package func text(_ chain: [ProcessorCall]) -> String {
    chain.isEmpty ? "original" : chain.map(text).joined(separator: " | ")
  }

  /// The processor that a job writes, or nil with at least one mistake more.
  package func call(_ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> ProcessorCall? {
    if syntax.name == ProcessorCall.customName {
      let identifier = syntax.customIdentifier(&mistakes)
      syntax.refuseIdentifier(&mistakes, "custom(...) has its identifier already")
      return identifier.map { .custom($0) }
    }
    let forms = filter { $0.name == syntax.name }
    if forms.contains(where: { !$0.takesIdentifier }) { syntax.refuseIdentifier(&mistakes) }
    let all = forms.flatMap(\.labels).uniqued
    let given = (syntax.arguments ?? []).compactMap(\.label)
    let wanted = forms.compactMap(\.key.form)
    let form = given.first(where: wanted.contains)
    guard let row = forms.count == 1 ? forms[0] : forms.first(where: { $0.key.form == form && form != nil })
    else {
      // An unknown word is likely to be the reason: `widht: 320`.
      let before = mistakes.count
      _ = syntax.read(all, &mistakes) { _ in ProcessorCall?.none }
      if mistakes.count == before, let first = forms.first?.parameters.first {
        let words = wanted.map { "'\($0):'" }
        mistakes.append(
          Mistake(
            syntax.offset, "\(syntax.name) needs \(words.inWords("or"))",
            help: "\(syntax.name)(\(first.label): \(first.type.argument.example))"))
      }
      return nil
    }
    let values = syntax.read(row.labels, form: form, &mistakes) { row.parameters.read(&$0) }
    guard let values else { return nil }
    var call = row.usual.map { $0(values) } ?? ProcessorCall(row.name, row.normal(values))
    call.identifier = syntax.identifier?.text
    return call
  }

  /// What is drawn for processors one after another.
  ///
  /// - Parameter example: a processor as a job writes it, for advice.
  package func drawing(
    of calls: [ProcessorCall], _ context: KeyContext, example: String
  ) -> ChainForm.Drawing {
    var steps: [RenderStep] = []
    for (index, call) in calls.enumerated() where !call.isOriginal {
      guard let row = row(of: call) else {
        let identifier = call.identifier ?? ""
        return .impossible(
          reason: "of the processor \"\(identifier)\" only the identifier is known",
          substitute: "put a processor that draws the same before it: \(example) as \"\(identifier)\"")
      }
      var context = context
      context.isFirst = context.isFirst && index == 0
      let drawing = row.drawing(call.values, context)
      guard case .steps(let more) = drawing else { return drawing }
      steps += more
    }
    return .steps(steps)
  }
}

extension [String] {
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }

  /// `a, b or c`.
  fileprivate func inWords(_ joint: String) -> String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " \(joint) " + (last ?? "")
  }
}
