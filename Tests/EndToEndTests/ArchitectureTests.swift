import Foundation
import TestSupport
import Testing

/// The walls of the package: what it declares, what its sources import and what `docs/maintainers/architecture.md` says are one.
@Suite(.timeLimit(.minutes(10))) struct ArchitectureTests {
  private static let root = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()

  private struct Manifest: Decodable {
    struct Target: Decodable {
      var name: String
      var path: String?
      var type: String
      var dependencies: [Dependency]

      var folder: String { path ?? "Tests/\(name)" }
    }

    /// `{"byName": ["Text", null]}`
    struct Dependency: Decodable {
      var byName: [String?]?

      var name: String? { byName?.first ?? nil }
    }

    var targets: [Target]
  }

  private let targets: [String: Manifest.Target]

  init() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    let output = folder.file("package.json")
    try Data().write(to: output)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A build folder of its own: that of the tests is locked.
    process.arguments = ["swift", "package", "--scratch-path", folder.path, "dump-package"]
    process.currentDirectoryURL = Self.root
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: output))
    targets = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, $0) })
  }

  private var rooms: [Manifest.Target] {
    targets.values.filter { $0.folder.hasPrefix("Sources/") && !$0.folder.hasPrefix("Sources/C/") }
      .sorted { $0.name < $1.name }
  }

  private func imports(of target: Manifest.Target) throws -> Set<String> {
    let folder = Self.root.appendingPathComponent(target.folder)
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?m)^\s*(?:@\w+ )?import (\w+)/) { found.insert(String(match.1)) }
    }
    return found
  }

  @Test func aTargetImportsWhatItDeclaresAndDeclaresNothingElse() throws {
    for target in rooms {
      let used = try imports(of: target).filter { targets[$0] != nil }
      #expect(used == Set(target.dependencies.compactMap(\.name)), "\(target.name)")
    }
  }

  /// Rows such as ``| `Planning` | jobs become plans | `JobFile`, `Text` |``; those below without a name go on.
  @Test func thePageHasTheArrowsOfThePackage() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/maintainers/architecture.md"), encoding: .utf8)
    var rows: [String: Set<String>] = [:]
    var name = ""
    for match in page.matches(of: /(?m)^\| (?:`([\w-]+)` \| .*|\|) \| ([^|]*) \|$/) {
      name = match.1.map(String.init) ?? name
      rows[name, default: []].formUnion(match.2.matches(of: /`([\w-]+)`/).map { String($0.1) })
    }
    #expect(Set(rows.keys) == Set(rooms.map(\.name)))
    for target in rooms {
      #expect(rows[target.name] == Set(target.dependencies.compactMap(\.name)), "\(target.name)")
    }
  }

  /// A folder imports what stands above it, never what stands below.
  @Test func noLayerImportsOneBelowIt() throws {
    let layers = ["C", "Support", "App", "Clients", "Engine", "Tools", "Library", "Command"]
    func layer(_ target: Manifest.Target) throws -> Int {
      let folder = target.folder.split(separator: "/")[1]
      return try #require(layers.firstIndex(of: String(folder)), "\(target.folder)")
    }
    for target in rooms {
      for dependency in target.dependencies.compactMap({ $0.name.flatMap { targets[$0] } }) {
        #expect(try layer(dependency) <= layer(target), "\(target.name) -> \(dependency.name)")
      }
    }
    for target in rooms where target.folder.hasPrefix("Sources/App/") {
      let names = Set(target.dependencies.compactMap(\.name))
      #expect(names.allSatisfy { targets[$0]?.folder.hasPrefix("Sources/Support/") == true })
    }
  }

  @Test func nothingOutsideTheClientsKnowsOneByName() throws {
    for target in rooms
    where !target.folder.hasPrefix("Sources/Clients/")
      && !target.folder.hasPrefix("Sources/Library/")
    {
      let clients = try imports(of: target).filter {
        targets[$0]?.folder.hasPrefix("Sources/Clients/") == true
      }
      #expect(clients.isSubset(of: ["ClientKit", "ClientRegistry"]), "\(target.name)")
    }
  }

  /// Another process may cut a file, and a look at what is gone ends the process.
  @Test func noFileIsMapped() throws {
    for option in ["mappedIfSafe", "alwaysMapped", "mappedRead"] {
      #expect(try files(naming: option).isEmpty)
    }
  }

  @Test(arguments: ["webp", "avif"])
  func aFormatIsNamedInSixFiles(_ format: String) throws {
    // One that moves is also written with all its frames, where a client stores them.
    let animated: Set = ["OutputEncoder.swift", "SDWebImageAnimations.swift", "SDWebImageSettings.swift"]
    #expect(
      try files(naming: format)
        == Set([
          "EncodingRecipe.swift", "EncodingText.swift", format == "webp" ? "WebP.swift" : "HEIF.swift",
          // Nuke's own public word for it.
          "ImageContainer.swift", "ImageFormat.swift", "Raster+Encoding.swift",
        ]).union(format == "webp" ? animated : []))
  }

  /// The sources that name a case, declare it or spell it in a job.
  private func files(naming word: String) throws -> Set<String> {
    let sources = Self.root.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let mark = try Regex("\\.\(word)\\b|(?:case|let) .*\\b\(word)\\b|\"\(word)\"")
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      if try String(contentsOf: file, encoding: .utf8).contains(mark) { found.insert(file.lastPathComponent) }
    }
    return found
  }
}
