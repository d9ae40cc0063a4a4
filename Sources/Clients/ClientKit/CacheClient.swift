import Settings
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
  /// Rows that only this client's jobs have.
  package var settings: [Setting]
  /// What voids a warm cache in an app, for all releases.
  package var conditions: [CacheCondition]
  /// Reads `12` (the newest 12 known), `12.1` or `12.5.0`.
  package var release: @Sendable (String) throws(Mistake) -> Release
  package var make: @Sendable (Release, SettingValues) -> any ImageClient

  /// A library whose releases are those of a version table.
  package init<Version: ClientVersion>(
    name: String, versions: Version.Type, settings: [Setting], conditions: [CacheCondition] = [],
    make: @escaping @Sendable (Version, SettingValues) -> any ImageClient
  ) {
    self.name = name
    title = Version.client
    releases = Version.newestPatches.flatMap { major, patches in
      patches.enumerated().map { minor, patch in Release(major, minor, patch) }
    }.sorted(by: >)
    self.settings = settings.map { row in row.with { $0.owner = name } }
    self.conditions = conditions
    release = { text throws(Mistake) in
      do throws(ClientVersionError<Version>) {
        return Release(try Version(parsing: text))
      } catch {
        throw Mistake(0, error.description)
      }
    }
    self.make = { make(Version($0.major, $0.minor, $0.patch), $1) }
  }

  /// The first and the last major version known.
  package var majors: ClosedRange<Int> { (releases.last?.major ?? 0)...(releases.first?.major ?? 0) }
  /// `10 to 13`, or the only one.
  package var majorsInWords: String {
    majors.count == 1 ? "\(majors.lowerBound)" : "\(majors.lowerBound) to \(majors.upperBound)"
  }
  package var newest: Release { releases.first ?? Release(0, 0, 0) }
  /// The newest release as a job without settings has it.
  package var newestClient: any ImageClient { make(newest, SettingValues()) }
}

/// Something in an app, or in what it runs on, that voids a warm cache: the app finds nothing of it, or not what was made.
package struct CacheCondition: Sendable, Hashable {
  /// A short word, unique within a client: `url-cache`.
  package var name: String
  /// What voids the cache, and why, in Markdown without a full stop.
  package var condition: String
  /// The first and the last release that it applies to; nil where there is no end.
  package var first: Release?
  package var last: Release?
  /// What to write in the app or in the job, in Markdown without a full stop.
  package var remedy: String

  package init(
    _ name: String, _ condition: String, from first: Release? = nil, to last: Release? = nil, remedy: String
  ) {
    self.name = name
    self.condition = condition
    self.first = first
    self.last = last
    self.remedy = remedy
  }

  package func applies(to release: Release) -> Bool {
    (first.map { $0 <= release } ?? true) && (last.map { release <= $0 } ?? true)
  }

  /// `all`, `13.0.0 and later`, `12.7.0 to 13.0.6`.
  package var releases: String {
    switch (first, last) {
    case (nil, nil): "all"
    case (let first?, nil): "\(first) and later"
    case (nil, let last?): "up to \(last)"
    case (let first?, let last?): "\(first) to \(last)"
    }
  }
}
