import Foundation
import TestSupport
import Testing

/// The size of the package in numbers; `SizeLimit` has the limits and says when one may rise.
@Suite(.timeLimit(.minutes(10))) struct ArchitectureNumberTests {
  private static let root = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()

  /// The files below a folder, by default those of Swift: path in the repository, and lines.
  private static func files(below folder: String, endings: [String] = ["swift"]) throws -> [String:
    [Substring]]
  {
    let files = try #require(
      FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    )
    var found: [String: [Substring]] = [:]
    for case let file as URL in files
    where endings.contains(file.pathExtension) && !file.hasDirectoryPath {
      let text = try String(contentsOf: file, encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      found[String(file.path.dropFirst(root.path.count + 1))] =
        text.hasSuffix("\n") ? lines.dropLast() : lines
    }
    return found
  }

  private let sources: [String: [Substring]]

  init() throws { sources = try Self.files(below: "Sources") }

  @Test(arguments: [
    ("Sources", ["swift"], SizeLimit.swiftLines), ("Sources/C", ["c", "h", "S"], .cLines),
    ("scripts", ["", "py", "c", "txt"], .scriptLines), ("docs", ["md"], .pageLines),
  ])
  func aFolderHasAsManyLinesAsItsLimitSays(folder: String, endings: [String], limit: SizeLimit) throws {
    let files = try Self.files(below: folder, endings: endings)
    #expect(limit.fault(of: files.values.reduce(0) { $0 + $1.count }) == nil)
  }

  @Test func aRoomHasAsManyLinesAsItsLimitSays() {
    var rooms: [String: Int] = [:]
    for (path, lines) in sources {
      let room = path.split(separator: "/").dropFirst().prefix(2).joined(separator: "/")
      rooms[room, default: 0] += lines.count
    }
    #expect(Set(rooms.keys) == Set(SizeLimit.rooms.keys))
    let grown = rooms.filter { $1 * 100 > (SizeLimit.rooms[$0] ?? 0) * 105 }
    #expect(grown.isEmpty, "above 105 % of their limits: take something away: \(grown)")
  }

  @Test func aFileHasATopicAndFitsOnAFewScreens() {
    let small = sources.filter { $0.value.count <= 30 }.keys.sorted()
    #expect(small.count <= 10, "\(small.count) files of 30 lines or fewer: \(small)")
    let large = sources.filter { $0.value.count > 350 }.keys.sorted()
    #expect(large.isEmpty, "more than 350 lines: \(large)")
  }

  /// The protocols that `ImageClient` is composed of.
  @Test func aClientAnswersFewQuestions() throws {
    let lines = try Self.files(below: "Sources/Clients/ClientKit").values.joined()
    var requirements: [String: Int] = [:]
    var parents: [String: [Substring]] = [:]
    var name: String?
    for line in lines {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      if let mark = words.firstIndex(where: { $0 == "protocol" || $0 == "typealias" }), !line.hasPrefix(" "),
        !line.hasPrefix("/")
      {
        let declared = String(words[mark + 1])
        parents[declared] = Array(words[(mark + 2)...])
        if words[mark] == "protocol" { name = declared }
      } else if line.hasPrefix("}") {
        name = nil
      } else if let name, line.hasPrefix("  "), ["func", "var", "init", "static"].contains(words.first ?? "")
      {
        requirements[name, default: 0] += 1
      }
    }
    var rest = ["ImageClient"]
    var reached: [String: Int] = [:]
    while let next = rest.popLast() {
      guard let above = parents[next], reached[next] == nil else { continue }
      reached[next] = requirements[next] ?? 0
      rest += above.map(String.init)
    }
    let all = reached.values.reduce(0, +)
    #expect(SizeLimit.clientRequirements.fault(of: all) == nil, "\(reached)")
  }

  @Test func aFunctionTakesSevenParametersAtMost() {
    var found: [String] = []
    for (path, lines) in sources {
      let declarations = Self.declarations(in: lines)
      found += declarations.filter { $0.parameters > 7 }.map { "\(path): \($0.line): \($0.parameters)" }
    }
    #expect(SizeLimit.longParameterLists.fault(of: found.count) == nil, "\(found.sorted())")
  }

  @Test func commentsBeginWithWhatTheyDescribe() {
    let starts = ["Who ", "Whose ", "Whole "]
    var found: [String] = []
    for (path, lines) in sources {
      for (number, line) in lines.enumerated() {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("//") else { continue }
        let words = text.drop { $0 == "/" || $0 == " " }
        if starts.contains(where: words.hasPrefix) { found.append("\(path):\(number + 1)") }
      }
    }
    #expect(found.isEmpty, "\(found.count) comments begin with Who, Whose or Whole: \(found.sorted())")
  }

  /// Only what a library product promises is `public`.
  @Test func publicTypesAreThoseOfTheProducts() throws {
    let products = [
      "App/CacheBundleInstaller", "Clients/KingfisherCache", "Clients/NukeCache", "Clients/SDWebImageCache",
      "Engine/Fetching", "Library/ImagePipeline", "Library/Preheat", "Support/Pictures", "Support/Signposts",
    ]
    var inside = 0
    var outside: [String] = []
    for (path, lines) in sources {
      let isProduct = products.contains { path.hasPrefix("Sources/\($0)/") }
      for line in lines where line.contains("public ") {
        let words = line.split(separator: " ").filter { $0 != "final" && $0 != "indirect" }
        guard let mark = words.firstIndex(of: "public"), mark + 1 < words.count,
          ["struct", "enum", "class", "actor", "protocol"].contains(words[mark + 1])
        else { continue }
        if isProduct { inside += 1 } else { outside.append("\(path): \(line)") }
      }
    }
    #expect(SizeLimit.publicTypes.fault(of: inside) == nil)
    #expect(SizeLimit.otherPublicTypes.fault(of: outside.count) == nil, "\(outside.sorted())")
  }

  // MARK: Reading declarations

  private struct Declaration {
    var line: Int
    var parameters: Int
  }

  /// Functions and initialisers with the number of their parameters.
  private static func declarations(in lines: [Substring]) -> [Declaration] {
    var found: [Declaration] = []
    for (number, line) in lines.enumerated() {
      guard let start = line.firstRange(of: "func ")?.upperBound ?? line.firstRange(of: "init")?.lowerBound,
        isDeclaration(line[..<start])
      else { continue }
      var scan = ParameterScan()
      for text in lines[number...].prefix(40) {
        let code = text.firstRange(of: "//").map { text[..<$0.lowerBound] } ?? text
        if scan.read(text.startIndex == line.startIndex ? code[start...] : code) { break }
      }
      found.append(Declaration(line: number + 1, parameters: scan.parameters))
    }
    return found
  }

  /// Whether only modifiers stand before a name.
  private static func isDeclaration(_ prefix: Substring) -> Bool {
    prefix.split(separator: " ").allSatisfy {
      $0.hasPrefix("@")
        || [
          "public", "package", "private", "fileprivate", "internal", "static", "final", "mutating",
          "nonmutating",
          "convenience", "required", "override", "nonisolated", "func",
        ].contains($0)
    }
  }

  /// Counts what stands between commas in the first parentheses.
  private struct ParameterScan {
    private var depth = 0
    private var before: Character = " "
    private(set) var parameters = 0

    /// Whether the parameters have ended.
    mutating func read(_ text: Substring) -> Bool {
      for character in text {
        switch character {
        case "(", "[", "{": depth += 1
        case "<" where depth > 0: depth += 1
        case ">" where depth > 0 && before != "-": depth -= 1
        case ")", "]", "}":
          depth -= 1
          if depth <= 0 { return true }
        case "," where depth == 1: parameters += 1
        case " ": break
        default: if depth == 1, parameters == 0 { parameters = 1 }
        }
        before = character
      }
      return false
    }
  }
}
