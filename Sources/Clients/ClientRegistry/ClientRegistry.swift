import ClientKit
import Syntax
import Text

/// The clients that this program knows: the only place that names them all.
package enum ClientRegistry {
  /// The clients that this task and its children know besides.
  @TaskLocal private static var added: [ClientLibrary] = []

  package static var libraries: [ClientLibrary] {
    let added = added
    let known = [NukeClient.library, KingfisherClient.library, SDWebImageClient.library]
    return known.filter { row in !added.contains { $0.name == row.name } } + added
  }

  /// Registers a client while `body` runs; it takes the place of one of the same name.
  package static func with<Result>(
    _ library: ClientLibrary, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $added.withValue(added + [library]) { try await body() }
  }

  package static func library(named name: String) -> ClientLibrary? {
    libraries.first { $0.name == name }
  }

  /// Reads a name and a version, such as `nuke 12.9.0`; a major version stands for its newest release.
  package static func client(_ text: String) -> CacheClient? {
    let words = text.split(separator: " ")
    guard words.count == 2, let library = library(named: String(words[0])),
      let release = try? library.release(String(words[1]))
    else { return nil }
    return CacheClient(name: library.name, release: release)
  }

  /// The client as a job has set it up; nil for one that is not known.
  ///
  /// - Parameter own: settings that some of its requests have for themselves.
  package static func make(
    _ client: CacheClient, _ values: SettingValues = SettingValues(), _ own: [String: String] = [:]
  ) -> (any ImageClient)? {
    library(named: client.name)?.make(client.release, values, own)
  }

  /// For advice: `nuke 10 to 13 or kingfisher 5 to 8`.
  package static var versionsInWords: String {
    libraries.map { "\($0.name) \($0.majorsInWords)" }.joined(separator: " or ")
  }

  /// For advice: `nuke 12`.
  package static var example: String {
    libraries.first.map { "\($0.name) \(max($0.majors.lowerBound, $0.newest.major - 1))" }
      ?? "NAME VERSION"
  }

  /// Rows of the clients' own.
  package static var settings: [Setting] { libraries.flatMap(\.settings) }
}

extension CacheClient {
  /// The known release whose rules it is planned by, where it is not known itself.
  package var rules: Release? { ClientRegistry.library(named: name)?.rules(of: release) }

  /// `nuke 14.0.0 (rules of 13.2.3)`.
  package var inWords: String { "\(self)\(rules.map { " (rules of \($0))" } ?? "")" }
}
