import Bodies
import ClientKit
import Planning
import Text

/// Options for making a bundle.
package struct BundleOptions: Hashable, Sendable {
  package var output: String
  package var format: Format
  /// The files of jobs, and what they are for; nil where no job tells.
  package var entries: [ByteText: PlannedFile]?
  /// Whether files that no job has go in all the same.
  package var takesAll = false
  /// Only what is made of this part of the sources; nil for all.
  package var shard: Shard?
  /// An older bundle's index, or the bundle itself: only what has changed since goes into this one.
  package var since: String?
  /// Most bytes of files in the bundle.
  package var maxSize: Int?
  /// What is left out, the least urgent first, where `maxSize` is not enough; nil for failing then.
  package var drop: Drop?
  /// Bytes that the app lets its cache take; the installed cache must stay within it.
  package var limit: Int?
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Take entries whose keys are paths of this machine.
  package var allowsLocalKeys = false
  package var keys = Keys.plain
  /// Wait for a run that is changing the cache instead of failing.
  package var waitsForLock = false
  /// Seconds since 1970 that every file in an archive gets; 1980-01-01 is the first date that zip knows.
  package var date = 315_532_800

  package init(output: String, format: Format) {
    self.output = output
    self.format = format
  }

  /// Whether the index has keys.
  package enum Keys: String, Hashable, Sendable, CaseIterable {
    /// The keys themselves, and the sources' URLs.
    case plain
    /// Neither: the files' names, which are digests of the keys, say enough to find an entry.
    case digests
  }

  package enum Drop: String, Hashable, Sendable, CaseIterable {
    /// All entries of a source stay or go together.
    case sources
    case entries
  }

  package enum Format: Hashable, Sendable {
    case folder, zip

    /// What a file name asks for: `catalog.zip` is a zip, anything else a folder.
    package init(ofPath path: String) { self = path.lowercased().hasSuffix(".zip") ? .zip : .folder }
  }
}

/// How many of the sources of a bundle have all their entries.
package struct WholeSources: Hashable, Sendable {
  /// A screen scale of the job; nil where no job tells the scales.
  package var scale: Double?
  package var whole: Int
  package var sources: Int
}

/// The result of making a bundle.
package struct BundleReport: Hashable, Sendable {
  package var output: String
  package var id: String
  package var client: CacheClient
  /// Ids of the keys that signed it, and its counter.
  package var signers: [String] = []
  package var counter: Int?
  /// Files in the bundle, and their bytes.
  package var files = 0
  package var bytes = 0
  /// Files that the older state has already.
  package var unchanged = 0
  /// Files that the older state had and this one has not.
  package var removed = 0
  /// Names of entries that were left out to keep within the size that was asked for, the least urgent first.
  package var dropped: [String] = []
  package var droppedBytes = 0
  package var droppedSources = 0
  /// Where entries were dropped: how many sources still have all of theirs.
  package var wholeSources: [WholeSources] = []
  /// Files in the cache folder that the ledger does not know; they are left out.
  package var foreign: [String] = []
  /// Files that the ledger knows and the folder has not.
  package var missing: [String] = []
  /// Renditions that the last run failed at.
  package var failed = 0
  /// Files that no job names, which are left out where jobs say what goes in.
  package var unnamed = 0
  /// Size of the installed cache, in blocks of the device.
  package var allocatedBytes = 0
}
