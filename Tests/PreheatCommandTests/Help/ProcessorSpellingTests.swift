import ClientKit
import ClientRegistry
import Settings
import Syntax
import Testing

/// What help says of a processor is what its reader takes.
@Suite(.timeLimit(.minutes(10))) struct ProcessorSpellingTests {
  static let rows = ClientRegistry.libraries.flatMap { library in
    library.newestClient.processors.map { (library.name, $0) }
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

  private func text(_ spelling: ProcessorSpelling, _ value: (ProcessorSpelling.Argument) -> String?) -> String
  {
    let arguments = spelling.arguments.compactMap { argument in
      value(argument).map { (argument.label.map { "\($0): " } ?? "") + $0 }
    }
    return arguments.isEmpty ? spelling.name : "\(spelling.name)(\(arguments.joined(separator: ", ")))"
  }

  private func read(_ text: String, _ client: String) throws -> (member: ChainMember?, mistakes: [Mistake]) {
    var scanner = LineScanner(Array(text.utf8)[...])
    let syntax = try scanner.chain()
    var (mistakes, lints): ([Mistake], [Mistake]) = ([], [])
    let library = try #require(ClientRegistry.library(named: client))
    let member = library.newestClient.member(try #require(syntax.members.first), &mistakes, &lints)
    return (member, mistakes)
  }

  @Test(arguments: rows) func theReaderTakesWhatIsWritten(client: String, spelling: ProcessorSpelling) throws
  {
    let all = text(spelling) { Self.value($0.value) }
    let least = text(spelling) { $0.isNeeded ? Self.value($0.value) : nil }
    let defaults = text(spelling) { $0.isNeeded ? Self.value($0.value) : $0.fallback }
    for text in [all, least, defaults] {
      let (member, mistakes) = try read(text, client)
      #expect(member != nil && mistakes.isEmpty, "\(text): \(mistakes)")
    }
    #expect(try read(defaults, client).member == read(least, client).member, "\(defaults)")
    for left in spelling.arguments where left.isNeeded {
      let without = text(spelling) { $0.isNeeded && $0 != left ? Self.value($0.value) : nil }
      #expect(try !read(without, client).mistakes.isEmpty, "\(without) lacks \(left.value)")
    }
  }

  @Test(arguments: rows) func aWordThatIsNotListedIsRefused(client: String, spelling: ProcessorSpelling)
    throws
  {
    let least = text(spelling) { $0.isNeeded ? Self.value($0.value) : nil }
    let more = least.hasSuffix(")") ? least.dropLast() + ", zebra: 1)" : least + "(zebra: 1)"
    #expect(try !read(String(more), client).mistakes.isEmpty)
  }
}
