import ClientRegistry
import Syntax
import TestSupport
import Testing
import Text

@testable import ClientKit

/// What holds of every row of every client. Values come from the rows' own types, so a new processor is tried without a
/// word here.
@Suite("Rows of processors", .timeLimit(.minutes(20)))
struct ProcessorRowTests {
  static let libraries = ClientRegistry.libraries.filter { !$0.newestClient.processorRows.isEmpty }.map(
    \.name)
  static let rows = libraries.flatMap { name in
    (ClientRegistry.library(named: name)?.newestClient.processorRows ?? []).filter { $0.usual == nil }
      .map { (name, $0.name) }
  }

  private func member(_ text: String, _ client: any ImageClient) throws -> [ProcessorCall] {
    var scanner = LineScanner(Array(text.utf8)[...])
    var (mistakes, lints): ([Mistake], [Mistake]) = ([], [])
    let calls = try scanner.chain().members.compactMap {
      client.member($0, &mistakes, &lints)
    }
    #expect(mistakes.isEmpty, "\(text): \(mistakes)")
    return calls
  }

  /// Ten thousand chains of each client, over its releases: a key is read back as a chain that makes it again, and so is
  /// the text of a job.
  @Test(arguments: libraries) func keysAndJobTextAreReadBack(name: String) throws {
    let library = try #require(ClientRegistry.library(named: name))
    var dice = RowDice(seed: name)
    let releases = Set(library.majors.compactMap { major in library.releases.first { $0.major == major } })
      .union([library.newest]).union(library.releases.suffix(1)).sorted()
    var tried = 0
    while tried < 10_000 {
      let client = library.make(releases[tried % releases.count], SettingValues())
      let chain = Chain(dice.chain(client.processorRows))
      tried += 1
      guard client.unsupportedReason(chain) == nil else { continue }
      let text = client.processorRows.text(chain.calls)
      #expect(try member(text, client) == chain.calls, "\(text)")
      let (base, scale) = ("https://e.com/a.png", dice.pick([1.0, 2, 3]))
      let suffix = client.form(of: chain, scale: scale).suffix
      let key = client.key(base: base, suffix)
      let reading = client.reading(ofKey: key, base: base, scale: scale)
      #expect(reading.base == base && !reading.hasUnknown, "\(key)")
      let readText = client.processorRows.text(reading.calls)
      let again = Chain(try member(readText, client))
      #expect(client.key(base: base, client.form(of: again, scale: scale).suffix) == key, "\(readText)")
    }
  }

  @Test(arguments: rows) func theReferenceNamesEveryRow(client: String, name: String) throws {
    let page = try SourceFiles.text("docs/processors.md")
    #expect(page.contains("`\(name)`") || page.contains("`\(name)("), "\(name) of \(client)")
  }

  @Test(arguments: libraries) func everyRowSaysWhatItDoes(client: String) throws {
    let library = try #require(ClientRegistry.library(named: client))
    for row in library.newestClient.processorRows {
      #expect(!row.summary.isEmpty && !row.summary.hasSuffix("."), "\(row.usage)")
      #expect(row.isLeading || row.usual != nil || row.swift("") != "()", "\(row.usage)")
      #expect(Set(row.labels).count == row.labels.count, "\(row.usage)")
    }
  }

  /// No value that a job can write makes a processor that nothing is known of.
  @Test(arguments: libraries) func everyRowIsDrawnOrSaysWhyNot(client: String) throws {
    let library = try #require(ClientRegistry.library(named: client))
    var dice = RowDice(seed: client + "drawn")
    for _ in 0..<500 {
      let chain = Chain(dice.chain(library.newestClient.processorRows))
      if case .impossible(let reason, _) = library.newestClient.form(of: chain, scale: 2).drawing {
        #expect(!reason.isEmpty)
      }
      let code = library.newestClient.code(("card", chain, [2], false, .none)).text
      #expect(code.count { $0 == "(" } == code.count { $0 == ")" }, "\(code)")
    }
  }

  /// A value that changes the drawing and not the key is one of those that the docs name.
  @Test(arguments: libraries) func aKeyHoldsWhatIsDrawn(client: String) throws {
    let library = try #require(ClientRegistry.library(named: client))
    let newest = library.newestClient
    var dice = RowDice(seed: client + "held")
    var silent: Set<String> = []
    for row in newest.processorRows where row.usual == nil && !row.parameters.isEmpty {
      for _ in 0..<40 {
        let values = dice.values(row.parameters, withInputs: true)
        let other = values.merging(dice.values([dice.pick(row.parameters)], withInputs: true))
        let forms = [values, other].map {
          newest.form(of: Chain([ProcessorCall(row.name, row.normal($0))]), scale: 1)
        }
        if forms[0].suffix == forms[1].suffix, forms[0].drawing != forms[1].drawing {
          silent.insert(row.name)
        }
      }
    }
    #expect(silent == (["sdwebimage": ["filter"], "nuke": ["coreImage"]][client] ?? []))
    let page = try SourceFiles.text("docs/processors.md")
    let section = page.components(separatedBy: "## What a key does not hold")[1].components(
      separatedBy: "\n## ")[0]
    #expect(silent.allSatisfy { section.contains("`\($0)") })
  }
}

/// Values of the rows' types, the same in every run.
private struct RowDice {
  private var generator: SeededGenerator

  init(seed: String) {
    generator = SeededGenerator(state: seed.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
  }

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

  mutating func chain(_ rows: [ProcessorRow]) -> [ProcessorCall] {
    let leading = rows.filter(\.isLeading)
    let others = rows.filter { !$0.isLeading && $0.usual == nil }
    var chain: [ProcessorCall] = []
    if !leading.isEmpty, pick([true, false]) { chain.append(call(pick(leading))) }
    for _ in 0..<pick(chain.isEmpty ? [1, 2, 3] : [0, 1, 2]) { chain.append(call(pick(others))) }
    return chain
  }

  private mutating func call(_ row: ProcessorRow) -> ProcessorCall {
    ProcessorCall(row.name, row.normal(values(row.parameters)))
  }

  /// - Parameter withInputs: also what no key has.
  mutating func values(_ parameters: [Parameter], withInputs: Bool = false) -> ProcessorValues {
    var values: ProcessorValues = [:]
    for parameter in parameters {
      // Text of the app's own in a key is told from other text by nobody.
      if case .quoted = parameter.type {
        if withInputs { values[parameter.label] = .text("id") }
        continue
      }
      // No key has them.
      if parameter.isInput, !withInputs { continue }
      let isGiven = parameter.isNeeded || pick([true, false])
      values[parameter.label] = isGiven ? value(parameter.type) : parameter.fallback
    }
    return values
  }

  private mutating func number() -> Double {
    pick([
      0, 1, 2.5, 100, 0.785398, 1234.5, -3, 1e9, 0.000001, 44, 33.3, 9999,
      Double(Int.random(in: 1...4000, using: &generator)) / 10,
    ])
  }

  private mutating func component() -> Double {
    pick([0, 1, 0.5, Double(Int.random(in: 0...255, using: &generator)) / 255, 0.1234])
  }

  private mutating func value(_ type: ParameterType) -> ProcessorValue {
    switch type {
    case .number: .number(number())
    case .whole: .whole(Int.random(in: 0...40, using: &generator))
    case .flag: .flag(pick([true, false]))
    case .size, .point: .numbers([number(), number()])
    case .rectangle: .numbers([number(), number(), number(), number()])
    case .choice(let words), .numbered(let words, _, _, _): .word(pick(words))
    case .color(let keepsGray):
      keepsGray && pick([true, false])
        ? .color(.gray(white: component(), alpha: component()))
        : .color(.rgba(red: component(), green: component(), blue: component(), alpha: component()))
    case .corners(let all, _): .corners(pick([all, 0, 1, 9]))
    case .text, .quoted: .text(pick(["CISepiaTone", "CIColorInvert", "CIOdd"]))
    case .measure(let words): .measure(pick(words), number())
    case .group(let parameters, _, _): .group(values(parameters))
    }
  }
}
