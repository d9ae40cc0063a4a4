import Foundation
import TestSupport
import Testing

/// The size of the package in numbers; `SizeLimit` has the limits and says when one may rise.
@Suite(.timeLimit(.minutes(10))) struct ArchitectureNumberTests {
  /// The lines of the files below a folder.
  private static func files(below folder: String, endings: [String] = ["swift"]) throws -> [String:
    [Substring]]
  {
    try SourceFiles.below(folder, endings: endings).mapValues { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return text.hasSuffix("\n") ? lines.dropLast() : lines
    }
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

  @Test func aFunctionTakesSevenParametersAtMost() throws {
    let form = #/(?:func [^\n({]+|[^.\w]init\??)\(((?:[^(){}]|\((?:[^()]|\([^()]*\))*\))*)\)/#
    var found: [String] = []
    for (path, lines) in sources {
      let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      for match in code.matches(of: form) {
        // Types of functions and tuples have commas of their own.
        let flat = match.1.replacing(#/\((?:[^()]|\([^()]*\))*\)/#, with: "")
        let parameters = flat.matches(of: #/(?:^|,)\s*(?:@\w+ )?\w+(?: \w+)?:/#).count
        if parameters > 7 { found.append("\(path): \(match.0.prefix(60)): \(parameters)") }
      }
    }
    #expect(SizeLimit.longParameterLists.fault(of: found.count) == nil, "\(found.sorted())")
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
}
