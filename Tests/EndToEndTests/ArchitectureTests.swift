import Foundation
import TestSupport
import Testing

/// The walls of the package: what it declares, what its sources import and what `docs/maintainers/architecture.md` says are one.
@Suite(.timeLimit(.minutes(10))) struct ArchitectureTests {
  private let targets: [String: PackageManifest.Target]

  init() throws {
    targets = Dictionary(uniqueKeysWithValues: try PackageManifest.read().targets.map { ($0.name, $0) })
  }

  private var rooms: [PackageManifest.Target] {
    targets.values.filter { $0.folder.hasPrefix("Sources/") && !$0.folder.hasPrefix("Sources/C/") }
      .sorted { $0.name < $1.name }
  }

  private func imports(of target: PackageManifest.Target) throws -> Set<String> {
    let texts = try SourceFiles.below(target.folder).values
    return Set(
      texts.flatMap { $0.matches(of: /(?m)^\s*(?:@\w+ )?import (\w+)/).map { String($0.1) } })
  }

  @Test func aTargetImportsWhatItDeclaresAndDeclaresNothingElse() throws {
    for target in rooms {
      let used = try imports(of: target).filter { targets[$0] != nil }
      #expect(used == Set(target.names), "\(target.name)")
    }
  }

  /// Rows such as ``| `Planning` | jobs become plans | `JobFile`, `Text` |``; those below without a name go on.
  @Test func thePageHasTheArrowsOfThePackage() throws {
    let page = try SourceFiles.text("docs/maintainers/architecture.md")
    var rows: [String: Set<String>] = [:]
    var name = ""
    for match in page.matches(of: /(?m)^\| (?:`([\w-]+)` \| .*|\|) \| ([^|]*) \|$/) {
      name = match.1.map(String.init) ?? name
      rows[name, default: []].formUnion(match.2.matches(of: /`([\w-]+)`/).map { String($0.1) })
    }
    #expect(Set(rows.keys) == Set(rooms.map(\.name)))
    for target in rooms {
      #expect(rows[target.name] == Set(target.names), "\(target.name)")
    }
  }

  /// The adapters of the clients are folders of one target, so the compiler does not keep them apart.
  @Test func aClientsFolderNamesNoOtherClient() throws {
    func folder(_ path: String) -> String {
      path.split(separator: "/").dropLast().last.map(String.init) ?? ""
    }
    let files = try SourceFiles.below("Sources/Clients/ClientRegistry")
    let clients = Set(files.keys.map(folder)).subtracting(["ClientRegistry"])
    #expect(clients.count >= 3)
    for (path, text) in files where clients.contains(folder(path)) {
      for other in clients.subtracting([folder(path)]) {
        #expect(!text.lowercased().contains(other.lowercased()), "\(path) names \(other)")
      }
    }
  }

  /// A folder imports what stands above it, never what stands below.
  @Test func noLayerImportsOneBelowIt() throws {
    let layers = ["C", "Support", "App", "Clients", "Engine", "Tools", "Library", "Command"]
    func layer(_ target: PackageManifest.Target) throws -> Int {
      let folder = target.folder.split(separator: "/")[1]
      return try #require(layers.firstIndex(of: String(folder)), "\(target.folder)")
    }
    for target in rooms {
      for dependency in target.names.compactMap({ targets[$0] }) {
        #expect(try layer(dependency) <= layer(target), "\(target.name) -> \(dependency.name)")
      }
    }
    for target in rooms where target.folder.hasPrefix("Sources/App/") {
      let names = Set(target.names)
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
  func aFormatIsNamedInFiveFiles(_ format: String) throws {
    // One that moves is also written with all its frames, where a client stores them.
    let animated: Set = ["OutputEncoder.swift", "SDWebImageAnimations.swift", "SDWebImageSettings.swift"]
    #expect(
      try files(naming: format)
        == Set([
          "EncodingRecipe.swift", "EncodingText.swift", format == "webp" ? "WebP.swift" : "HEIF.swift",
          "ImageFormat.swift", "Raster+Encoding.swift",
        ]).union(format == "webp" ? animated : []))
  }

  /// The sources that name a case, declare it or spell it in a job.
  private func files(naming word: String) throws -> Set<String> {
    let mark = try Regex("\\.\(word)\\b|(?:case|let) .*\\b\(word)\\b|\"\(word)\"")
    let found = try SourceFiles.below("Sources").filter { $0.value.contains(mark) }
    return Set(found.keys.compactMap { $0.split(separator: "/").last.map(String.init) })
  }
}
