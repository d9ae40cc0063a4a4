import FileStore
import Foundation

/// How a client looks after its cache folder: what its size limit counts and when its entries die.
package struct FolderRules: Sendable, Hashable {
  /// What a size limit counts.
  package enum Counting: String, Sendable, Hashable {
    /// Whole blocks of the device.
    case allocatedBytes
    case contentBytes
  }

  /// Where an entry's expiry is kept.
  package enum Expiry: String, Sendable, Hashable {
    case none
    /// The file's modification date is the moment at which the entry expires.
    case modificationDate
  }

  /// Which date says what a sweep for size removes first: the oldest goes.
  package enum Eviction: String, Sendable, Hashable {
    case accessDate
    case creationDate
  }

  /// Bytes that the client lets its cache take where the app says nothing; 0 for no limit.
  package var defaultSizeLimit: Int
  package var counting: Counting
  /// A cache of exactly the limit is swept already.
  package var sweepsAtLimit: Bool
  /// The part of the size limit that a sweep leaves.
  package var sweepKeeps: Double
  package var expiry: Expiry
  package var eviction: Eviction
  /// A read gives an entry its whole period again.
  package var readsProlong: Bool
  /// The client reads a note of its last sweep in the folder; without one it sweeps at its first launch.
  package var keepsSweepDate: Bool

  package init(
    defaultSizeLimit: Int = 0, counting: Counting = .contentBytes, sweepsAtLimit: Bool = false,
    sweepKeeps: Double = 1, expiry: Expiry = .none, eviction: Eviction = .accessDate,
    readsProlong: Bool = false, keepsSweepDate: Bool = false
  ) {
    self.defaultSizeLimit = defaultSizeLimit
    self.counting = counting
    self.sweepsAtLimit = sweepsAtLimit
    self.sweepKeeps = sweepKeeps
    self.expiry = expiry
    self.eviction = eviction
    self.readsProlong = readsProlong
    self.keepsSweepDate = keepsSweepDate
  }

  /// When an entry expires by its modification date; nil where the client's entries do not.
  package func expiry(modified: Date) -> Date? { expiry == .modificationDate ? modified : nil }

  /// What the limit counts of a file.
  package func size(_ file: SweptFile) -> Int {
    counting == .allocatedBytes ? file.entry.allocatedSize : file.contentSize
  }

  /// Whether the app's own sweep removes entries of a cache of this size.
  package func isBeyond(_ limit: Int, bytes: Int) -> Bool {
    limit > 0 && (sweepsAtLimit ? bytes >= limit : bytes > limit)
  }
}

/// An entry that a run is responsible for, once all files are in place.
package struct FinishedEntry: Sendable, Hashable {
  package var file: String
  package var content: EntryContent
  package var expiry: EntryExpiry?

  package init(file: String, content: EntryContent, expiry: EntryExpiry?) {
    self.file = file
    self.content = content
    self.expiry = expiry
  }
}

/// What has to be changed in a folder when its cache is finished.
package struct FolderUpkeep: Sendable {
  /// Files whose dates are not yet what the client wants.
  package var dates: [(file: String, dates: FileDates)] = []
  package var stamp: FolderStamp?

  package init(dates: [(file: String, dates: FileDates)] = [], stamp: FolderStamp? = nil) {
    self.dates = dates
    self.stamp = stamp
  }
}

/// A hidden file of the client's own in its folder.
package struct FolderStamp: Sendable, Hashable {
  package var name: String
  package var bytes: Data

  package init(name: String, bytes: Data) {
    self.name = name
    self.bytes = bytes
  }
}

/// Something in a client's folder that a sweep may remove: a file, a link, a folder.
package struct SweptFile: Hashable, Sendable {
  /// Relative to the cache folder, with a slash at its end; empty for what lies in the folder itself.
  package var folder: String
  package var entry: FileEntry
  package var isFolder: Bool
  /// What the client takes for the last use.
  package var lastUse: Date

  package init(
    folder: String = "", entry: FileEntry, isFolder: Bool = false, lastUse: Date = .distantPast
  ) {
    self.folder = folder
    self.entry = entry
    self.isFolder = isFolder
    self.lastUse = lastUse
  }

  package var path: String { folder + entry.name }
  /// A folder counts, but has no size.
  package var contentSize: Int { isFolder ? 0 : entry.size }
}

/// Something that the client's own sweep would remove, and why.
package struct SweepVictim: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    case expired, size
  }

  package var file: SweptFile
  package var reason: Reason

  package init(file: SweptFile, reason: Reason) {
    self.file = file
    self.reason = reason
  }
}

/// A function of an app's code that makes a request.
package struct RequestCode: Sendable, Hashable {
  /// Source, without indentation.
  package var text: String
  /// Modules that it needs beside Foundation; headers in Objective-C.
  package var imports: [String]
  /// A declaration that it needs beside it; equal ones are written once.
  package var accessory: String?

  package init(text: String, imports: [String], accessory: String? = nil) {
    self.text = text
    self.imports = imports
    self.accessory = accessory
  }
}
