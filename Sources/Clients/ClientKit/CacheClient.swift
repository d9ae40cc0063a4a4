import Syntax
import Text

/// The client of a cache: an image library by name, and a release of it.
package struct CacheClient: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The word of jobs, flags, ledgers and bundles.
  package var name: String
  package var release: Release

  package init(name: String, release: Release) {
    self.name = name
    self.release = release
  }

  /// The word and the release: `nuke 12.9.0`.
  package var description: String { "\(name) \(release)" }

  /// By name, then by release.
  package static func < (a: CacheClient, b: CacheClient) -> Bool { (a.name, a.release) < (b.name, b.release) }
}

/// A row of the registry: an image library, its settings, and how a client is made of it.
package struct ClientLibrary: Sendable {
  /// The word of jobs and flags, in lower case.
  package var name: String
  /// As people write it.
  package var title: String
  /// Known releases, the newest patch of each minor version.
  package var releases: [Release]
  /// Major versions of these that are known by a release candidate alone, with its text.
  package var candidates: [Int: String]
  /// What may differ in them.
  package var candidateNote = ""
  /// Rows that only this client's jobs have.
  package var settings: [Setting]
  /// How lock files of apps call it; nil where none does.
  package var package: LibraryPackage?
  /// Reads `12` (the newest 12 known), `12.1` or `12.5.0`.
  package var release: @Sendable (String) throws(Mistake) -> Release
  package var make: @Sendable (Release, SettingValues) -> any ImageClient

  /// A library whose releases are those of a version table.
  package init<Version: ClientVersion>(
    name: String, versions: Version.Type, settings: [Setting],
    package: LibraryPackage? = nil, candidateNote: String = "",
    make: @escaping @Sendable (Version, SettingValues) -> any ImageClient
  ) {
    self.name = name
    title = Version.client
    (candidates, self.candidateNote) = (Version.candidates, candidateNote)
    releases = Version.newestPatches.flatMap { major, patches in
      patches.enumerated().map { minor, patch in Release(major, minor, patch) }
    }.sorted(by: >)
    self.settings = settings.map { row in row.with { $0.owner = name } }
    self.package = package
    release = { text throws(Mistake) in
      do throws(ClientVersionError) {
        return Release(try Version(parsing: text))
      } catch {
        throw Mistake(0, error.description)
      }
    }
    self.make = { make(Version($0.major, $0.minor, $0.patch), $1) }
  }

  /// The client of requests that have settings of their own.
  ///
  /// - Parameter own: texts by the names of the settings, which have been read before.
  package func make(_ release: Release, _ values: SettingValues, _ own: [String: String]) -> any ImageClient {
    var values = values
    for row in settings {
      _ = try? own[row.name].map { try row.value(of: Array($0.utf8)[...], into: &values) }
    }
    return make(release, values)
  }

  /// The known release before one of a major version that is not known; nil where none is, and for other text.
  package func nearest(to text: String) -> Release? {
    guard let numbers = ReleaseText(text).map({ $0.numbers + [0, 0] }) else { return nil }
    return releases.first { $0 <= Release(numbers[0], numbers[1], numbers[2]) }
  }

  /// The known release whose rules one has that is not known itself, or by its candidate alone; nil for a known one.
  package func rules(of release: Release) -> Release? {
    if candidates[release.major] != nil { return newest }
    let known = releases.first { ($0.major, $0.minor) <= (release.major, release.minor) }
    guard let known, (known.major, known.minor) == (release.major, release.minor) else { return known }
    return known < release ? known : nil
  }

  /// The first and the last major version known.
  package var majors: ClosedRange<Int> { (releases.last?.major ?? 0)...(releases.first?.major ?? 0) }
  /// `10 to 13`, or the only one.
  package var majorsInWords: String {
    majors.count == 1 ? "\(majors.lowerBound)" : "\(majors.lowerBound) to \(majors.upperBound)"
  }
  package var newest: Release {
    releases.first { candidates[$0.major] == nil } ?? Release(0, 0, 0)
  }
  /// The newest release as a job without settings has it.
  package var newestClient: any ImageClient { make(newest, SettingValues()) }
}

/// By which names the package managers of apps know a library.
package struct LibraryPackage: Sendable {
  /// `owner/name` on GitHub, first that of today; the name in lower case is the package's identity.
  package var repositories: [String]
  package var pod: String

  package init(_ repositories: String..., pod: String) {
    (self.repositories, self.pod) = (repositories, pod)
  }
}
