import Settings
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

/// Why a version that somebody wrote cannot be used, in a sentence.
package struct ReleaseError: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) { self.message = message }
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
  package var release: @Sendable (String) throws(ReleaseError) -> Release
  package var make: @Sendable (Release, SettingValues) -> any ImageClient

  package init(
    name: String, title: String, releases: [Release], settings: [Setting] = [],
    conditions: [CacheCondition] = [],
    release: @escaping @Sendable (String) throws(ReleaseError) -> Release,
    make: @escaping @Sendable (Release, SettingValues) -> any ImageClient
  ) {
    self.name = name
    self.title = title
    self.releases = releases.sorted(by: >)
    self.settings = settings.map { row in row.with { $0.owner = name } }
    self.conditions = conditions
    self.release = release
    self.make = make
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

extension ClientLibrary {
  /// A library whose releases are those of a version table.
  package init<Version: ClientVersion>(
    name: String, versions: Version.Type, settings: [Setting], conditions: [CacheCondition],
    make: @escaping @Sendable (Version, SettingValues) -> any ImageClient
  ) {
    let releases = Version.newestPatches.flatMap { major, patches in
      patches.enumerated().map { minor, patch in Release(major, minor, patch) }
    }
    self.init(
      name: name, title: Version.client, releases: releases, settings: settings, conditions: conditions
    ) {
      text throws(ReleaseError) in
      do throws(ClientVersionError<Version>) {
        return Release(try Version(parsing: text))
      } catch {
        throw ReleaseError(error.description)
      }
    } make: { release, values in
      make(Version(release.major, release.minor, release.patch), values)
    }
  }
}
