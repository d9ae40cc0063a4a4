import ClientKit
import Fetching
import FileStore
import Planning
import SQLiteStore
import Text

/// The ledger's row of one file in the cache folder.
package struct LedgerEntry: Hashable, Sendable {
  package var file: String
  /// SHA-256 (hex) of the source's URL. The URL itself may hold a secret, so it is not kept.
  package var sourceID: String
  /// SHA-256 (hex) of all that decides the bytes besides the source and the drawing version: steps, encoding. Behind it
  /// stands how it was drawn, where that is not the device's way.
  package var identity: String
  /// The drawing version of the release that made the file; an entry of another one is made again.
  package var drawing = DrawingVersion.common
  package var size: Int64
  /// SHA-256 (hex) of the file's bytes.
  package var digest: String
  /// Modification time in nanoseconds since 1970, as the file system holds it.
  package var modified: Int64
  /// SHA-256 (hex) of the source's bytes that it was made from.
  package var sourceDigest: String
  /// Validators of the response that brought them; for a local file its size and date in place of the first.
  package var etag: String?
  package var lastModified: String?
  package var origin: EntryOrigin

  /// Whether this release would draw the same bytes. An original is the source's own bytes, whatever the version.
  package var isOfThisDrawing: Bool {
    origin.content == EntryContent.original.rawValue
      || DrawingVersion.isCurrent(drawing, name: origin.source)
  }

  /// Nil for the device's way.
  package var drawn: String? { identity.utf8.count > 65 ? String(identity.dropFirst(65)) : nil }

  package var expected: ExpectedEntry { (file, sourceID, identity, origin) }

  /// As a run knows it that has just made it.
  package var finished: FinishedEntry? {
    EntryContent(rawValue: origin.content).map { content in
      (file, content, origin.expiry.flatMap(EntryExpiry.init(text:)), origin.priority)
    }
  }

  package var version: HTTPKnownVersion {
    HTTPKnownVersion(digest: sourceDigest, etag: etag, lastModified: lastModified)
  }

  /// Size and date of the file as long as it is unchanged.
  package var status: CacheFileStatus { CacheFileStatus(size: size, modified: modified) }
}

/// What a run expects of an entry that it may leave alone; the origin's `content` may be another one.
package typealias ExpectedEntry = (file: String, sourceID: String, identity: String, origin: EntryOrigin)

/// Where an entry comes from, without secrets, for tools that look into a cache later.
package struct EntryOrigin: Hashable, Sendable {
  /// The client with its version: `nuke 12.9.0`.
  package var client: String
  /// The job that asked for it: the job file's path as seen from the cache folder, `-` for standard input.
  package var job: String
  /// The request's key; nil where it holds credentials, since it is made from the whole URL.
  package var key: String?
  /// The source's URL with credentials blotted out.
  package var source: String
  /// The chain's name, or its text.
  package var chain: String
  package var content: String
  /// `never`, seconds (`604800`) or a date (`@1767225600`, seconds since 1970); nil where entries do not expire.
  package var expiry: String?
  /// The job line's `priority`, -2 to 2. A bundle that must be smaller drops low ones first.
  package var priority = 0
}

extension EntryOrigin {
  /// `data:` URLs may be megabytes long, and are of no use to readers.
  private static let longestText = 4096

  /// - Parameters:
  ///   - job: the ledger's name of it.
  ///   - client: the name of the rendition's client.
  package init(
    _ store: PlannedRendition.Store, of rendition: PlannedRendition, job: String, client: String
  ) {
    let source = rendition.redactedSource
    let key = SecretMask.holdsCredential(store.key) ? nil : store.key
    self.init(
      client: client, job: job,
      key: key.flatMap { $0.utf8.count <= Self.longestText ? $0 : nil },
      source: source.utf8.count <= Self.longestText ? source : String(source.prefix(64)) + "...",
      chain: rendition.chain, content: store.content.rawValue, expiry: store.expiry?.text,
      priority: store.priority.rank)
  }
}

extension RenditionTask {
  /// What the ledger says of one of the rendition's files.
  package func origin(of store: PlannedRendition.Store) -> EntryOrigin {
    EntryOrigin(store, of: rendition, job: run.job, client: run.client)
  }
}

/// The ledger's one table: its columns, and the way from a row to an entry and back.
///
/// A change of the columns gets a higher number; a ledger with a lower one is carried over.
enum LedgerTable {
  static let table = SummedTable(
    "entry",
    [
      .init("file", "TEXT NOT NULL PRIMARY KEY"), .init("source_id", "TEXT NOT NULL"),
      .init("identity", "TEXT NOT NULL"), .init("drawing", "INTEGER NOT NULL"),
      .init("size", "INTEGER NOT NULL"), .init("digest", "TEXT NOT NULL"),
      .init("modified", "INTEGER NOT NULL"),
      .init("source_digest", "TEXT NOT NULL"), .init("etag", "TEXT"), .init("last_modified", "TEXT"),
      .init("client", "TEXT NOT NULL"), .init("job", "TEXT NOT NULL"), .init("entry_key", "TEXT"),
      .init("source", "TEXT NOT NULL"), .init("chain", "TEXT NOT NULL"), .init("content", "TEXT NOT NULL"),
      .init("expiry", "TEXT"), .init("priority", "INTEGER NOT NULL"),
    ], version: 6, needed: ["file", "size", "modified"])

  static func entry(_ row: SQLiteDatabase.Statement) -> LedgerEntry {
    func text(_ column: Int32) -> String { row.text(column) ?? "" }
    return LedgerEntry(
      file: text(0), sourceID: text(1), identity: text(2), drawing: Int(row.integer(3)),
      size: row.integer(4), digest: text(5), modified: row.integer(6), sourceDigest: text(7),
      etag: row.text(8),
      lastModified: row.text(9),
      origin: EntryOrigin(
        client: text(10), job: text(11), key: row.text(12), source: text(13),
        chain: text(14), content: text(15), expiry: row.text(16), priority: Int(row.integer(17))))
  }

  static func values(_ entry: LedgerEntry) -> [SQLiteDatabase.Value] {
    let origin = entry.origin
    return table.values([
      .text(entry.file), .text(entry.sourceID), .text(entry.identity), .integer(Int64(entry.drawing)),
      .integer(entry.size), .text(entry.digest), .integer(entry.modified), .text(entry.sourceDigest),
      .init(entry.etag), .init(entry.lastModified), .text(origin.client), .text(origin.job),
      .init(origin.key),
      .text(origin.source), .text(origin.chain), .text(origin.content), .init(origin.expiry),
      .integer(Int64(origin.priority)),
    ])
  }
}
