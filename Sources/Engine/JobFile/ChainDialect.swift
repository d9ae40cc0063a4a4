import ClientKit
import ClientRegistry
import Syntax
import Text

/// The words that the chains of a job are written in.
struct ChainDialect: Sendable {
  let client: any ImageClient
  /// The same; nil where the job does not say the version, or says it wrongly: then nothing depends on it.
  let judge: (any ImageClient)?
  let names: [String]
  private let library: ClientLibrary
  /// The job's settings.
  private let values: SettingValues
  private var scales: [Double] { values[JobKey.scale] }

  init(
    _ library: ClientLibrary, _ client: any ImageClient, isReleaseKnown: Bool, _ values: SettingValues
  ) {
    self.values = values
    self.client = client
    judge = isReleaseKnown ? client : nil
    names = client.processorRows.names
    self.library = library
  }

  /// The client of requests with settings of their own; nil as ``judge``.
  func judge(of settings: [String: String]) -> (any ImageClient)? {
    settings.isEmpty ? judge : judge.map { library.make($0.identity.release, values, settings) }
  }

  /// Mistakes in settings that a line has for itself.
  func mistakes(in tail: LineTail) -> [Mistake] {
    tail.settings.compactMap { row, offset in
      guard row.owner == library.name else {
        let message = "'\(row.name)=' belongs to \(row.owner ?? ""), and the client is \(library.name)"
        return Mistake(offset, message, help: "take it out")
      }
      let faults = judge(of: tail.options.settings)?.faults(scales: scales) ?? []
      return faults.first { $0.setting == row.name }.map { fault in
        Mistake(offset, fault.mistake.message, help: fault.mistake.help)
      }
    }
  }

  func join(
    _ part: Chain, calledAs member: ChainSyntax.Member, to chain: inout Chain, isFirst: Bool,
    _ mistakes: inout [Mistake]
  ) {
    if !isFirst, let name = client.processorRows.parts(of: part).leading?.name {
      let what = member.name == name ? "a \(name)" : "\(Mistake.quote(member.name)) (a \(name))"
      mistakes.append(Mistake(member.offset, "\(what) can only come first", help: "processors follow it"))
      return
    }
    if !isFirst, (part.calls + chain.calls).contains(where: \.isOriginal) {
      mistakes.append(.notAlone(at: member.offset))
    }
    chain.calls += part.calls
  }

  /// Sizes of nothing have keys that an app may ask for, so they are not mistakes; but they are hardly meant.
  func lint(ofDrawing part: ProcessorCall, as member: ChainSyntax.Member) -> Mistake? {
    guard case .steps(let steps) = client.drawing(of: [part], scale: 1),
      let obstacle = steps.lazy.compactMap(\.obstacle).first
    else { return nil }
    return Mistake(
      member.offset, "\(Mistake.quote(member.name)) cannot be drawn: \(obstacle)",
      help: "its key is known, but a run cannot make this rendition")
  }

  /// A size in points that is nearly a whole number of pixels has been rounded on its way into the job: the app's layout
  /// has a third of 320, which is not 106.67, and its key has all digits.
  func lint(ofRounding part: ProcessorCall, as member: ChainSyntax.Member) -> Mistake? {
    let parameters = client.processorRows.row(of: part)?.parameters ?? []
    let lengths = parameters.flatMap { part.values[$0.label]?.lengths(of: $0) ?? [] }
    for scale in scales where scale != 1 && client.form(of: Chain([part]), scale: scale).dependsOnScale {
      for length in lengths {
        let whole = (length * scale).rounded()
        guard whole > 0, (1e-6..<0.05).contains(abs(length * scale - whole)) else { continue }
        let text = NumberText.plain(length)
        let pixels = "\(NumberText.plain(whole))/\(NumberText.plain(scale))"
        return Mistake(
          member.offset,
          "\(text) points are \(NumberText.plain((length * scale * 1e6).rounded() / 1e6)) pixels at \(NumberText.plain(scale))x: an app that "
            + "has \(NumberText.plain(whole)) pixels asks for another key",
          help: "write the size as the app computes it, for instance \(pixels) in place of \(text)")
      }
    }
    return nil
  }

  /// A word of another client, or an unknown one.
  func unknown(_ member: ChainSyntax.Member, chains: [String]) -> Mistake {
    let quote = Mistake.quote(member.name)
    for other in ClientRegistry.libraries where other.name != library.name {
      guard other.newestClient.processorRows.names.contains(member.name) else { continue }
      return Mistake(
        member.offset, "\(quote) is \(other.title)'s, and the client is \(library.name)",
        help: "\(library.title) has \(names.joined(separator: ", "))")
    }
    let known = (member.arguments == nil ? chains + ["original"] : []) + names
    let flags = member.arguments == nil ? LineOption.names : []
    return Mistake(
      member.offset, "no chain or processor is called \(quote)",
      help: Mistake.suggestion(
        WordDistance.nearest(member.name, in: known + flags),
        otherwise: "define it: chain \(SafeText.escape(member.name)) = \(client.starter.card)"))
  }
}

extension ProcessorValue {
  /// Its widths and heights.
  fileprivate func lengths(of parameter: Parameter) -> [Double] {
    switch (self, parameter.type) {
    case (.numbers(let sides), .size): sides
    case (.number(let length), .number) where ["width", "height"].contains(parameter.label): [length]
    default: []
    }
  }
}
