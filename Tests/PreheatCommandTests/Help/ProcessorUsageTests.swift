import ClientKit
import ClientRegistry
import Syntax
import Testing
import Text

/// What help says of a processor is what its reader takes.
@Suite(.timeLimit(.minutes(10))) struct ProcessorUsageTests {
  static let rows = ClientRegistry.libraries.flatMap { library in
    library.newestClient.processorRows.map { (library.name, $0) }
  }

  /// Something that stands for a value in help, as one would write it.
  static func value(_ text: String) -> String {
    let known = [
      "N": "3", "WxH": "4x5", "COLOR": "#FF0000", "\"TEXT\"": "\"t\"", "RADIUS": "widthFraction(0.5)",
      "CORNERS": "topLeft", "(X, Y)": "(0.1, 0.2)", "(X, Y, W, H)": "(1, 2, 3, 4)", "MODE": "multiply",
      "CIName": "CISepiaTone",
    ]
    if text.hasPrefix("(color: ") { return "(color: #FF0000, width: 2)" }
    return known[text] ?? text.split(separator: "|").last.map(String.init) ?? text
  }

  private func text(_ row: ProcessorRow, _ value: (Parameter) -> String?) -> String {
    let arguments = row.parameters.compactMap { parameter in
      value(parameter).map { "\(parameter.label): \($0)" }
    }
    return arguments.isEmpty ? row.name : "\(row.name)(\(arguments.joined(separator: ", ")))"
  }

  private func read(_ text: String, _ client: String) throws -> (member: ProcessorCall?, mistakes: [Mistake])
  {
    var scanner = LineScanner(Array(text.utf8)[...])
    let syntax = try scanner.chain()
    var (mistakes, lints): ([Mistake], [Mistake]) = ([], [])
    let library = try #require(ClientRegistry.library(named: client))
    let member = library.newestClient.member(try #require(syntax.members.first), &mistakes, &lints)
    return (member, mistakes)
  }

  @Test(arguments: rows) func theReaderTakesWhatIsWritten(client: String, row: ProcessorRow) throws {
    let all = text(row) { Self.value($0.type.placeholder) }
    let least = text(row) { $0.isNeeded ? Self.value($0.type.placeholder) : nil }
    let defaults = text(row) { $0.isNeeded ? Self.value($0.type.placeholder) : $0.fallback.map($0.type.text) }
    for text in [all, least, defaults] {
      let (member, mistakes) = try read(text, client)
      #expect(member != nil && mistakes.isEmpty, "\(text): \(mistakes)")
    }
    #expect(try read(defaults, client).member == read(least, client).member, "\(defaults)")
    for left in row.parameters where left.isNeeded {
      let without = text(row) {
        $0.isNeeded && $0.label != left.label ? Self.value($0.type.placeholder) : nil
      }
      #expect(try !read(without, client).mistakes.isEmpty, "\(without) lacks \(left.label)")
    }
  }

  @Test(arguments: rows) func aWordThatIsNotListedIsRefused(client: String, row: ProcessorRow)
    throws
  {
    let least = text(row) { $0.isNeeded ? Self.value($0.type.placeholder) : nil }
    let more = least.hasSuffix(")") ? least.dropLast() + ", zebra: 1)" : least + "(zebra: 1)"
    #expect(try !read(String(more), client).mistakes.isEmpty)
  }
}
