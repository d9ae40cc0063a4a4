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
  package var drawing = RenditionTask.drawingVersion
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
    drawing == RenditionTask.drawingVersion || origin.content == EntryContent.original.rawValue
  }

  /// Nil for the device's way.
  package var drawn: String? { identity.utf8.count > 65 ? String(identity.dropFirst(65)) : nil }

  package var expected: ExpectedEntry {
    ExpectedEntry(file: file, sourceID: sourceID, identity: identity, origin: origin)
  }

  /// As a run knows it that has just made it.
  package var finished: FinishedEntry? {
    EntryContent(rawValue: origin.content).map { content in
      (file, content, origin.expiry.flatMap(EntryExpiry.init(text:)), origin.priority)
    }
  }

  package var version: HTTPKnownVersion {
    HTTPKnownVersion(digest: sourceDigest, etag: etag, lastModified: lastModified)
  }

  package var versionMark: VersionMark { VersionMark(digest: sourceDigest, etag: etag) }

  /// Size and date of the file as long as it is unchanged.
  package var status: CacheFileStatus { CacheFileStatus(size: size, modified: modified) }
}

/// What a run expects of an entry that it may leave alone; ``LedgerTable/columns`` says in which columns.
package struct ExpectedEntry: Hashable, Sendable {
  package var file: String
  package var sourceID: String
  package var identity: String
  /// Its `content` may be another one.
  package var origin: EntryOrigin

  package init(file: String, sourceID: String, identity: String, origin: EntryOrigin) {
    (self.file, self.sourceID, self.identity, self.origin) = (file, sourceID, identity, origin)
  }
}

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

/// The ledger's one table: its columns, its statements, and the way from a row to an entry and back.
///
/// There is one form. A change of the columns gets a higher number; a ledger with a lower one is carried over.
enum LedgerTable {
  static let version: Int64 = 5

  enum Form: Hashable {
    case none, current
    /// Of an earlier release, which did not have these columns.
    case earlier(lacking: [String])
  }

  struct Column: Sendable {
    let name: String
    let type: String
    /// What a run expects in it; nil where the column does not say whether an entry is as this run would make it.
    let expected: (@Sendable (ExpectedEntry) -> String?)?

    init(_ name: String, _ type: String, _ expected: (@Sendable (ExpectedEntry) -> String?)? = nil) {
      (self.name, self.type, self.expected) = (name, type, expected)
    }
  }

  static let columns: [Column] = [
    Column("file", "TEXT NOT NULL PRIMARY KEY"), Column("source_id", "TEXT NOT NULL") { $0.sourceID },
    Column("identity", "TEXT NOT NULL") { $0.identity }, Column("drawing", "INTEGER NOT NULL"),
    Column("size", "INTEGER NOT NULL"), Column("digest", "TEXT NOT NULL"),
    Column("modified", "INTEGER NOT NULL"), Column("source_digest", "TEXT NOT NULL"), Column("etag", "TEXT"),
    Column("last_modified", "TEXT"), Column("client", "TEXT NOT NULL") { $0.origin.client },
    Column("job", "TEXT NOT NULL") { $0.origin.job }, Column("entry_key", "TEXT") { $0.origin.key },
    Column("source", "TEXT NOT NULL") { $0.origin.source },
    Column("chain", "TEXT NOT NULL") { $0.origin.chain }, Column("content", "TEXT NOT NULL"),
    Column("expiry", "TEXT") { $0.origin.expiry },
    Column("priority", "INTEGER NOT NULL") { "\($0.origin.priority)" },
  ]

  private static let names = columns.map(\.name).joined(separator: ", ")

  /// What a run compares with its job, the file and the source tells damage by itself. These are what a bundle says of the
  /// file, and what a server is asked with: unseen, a later date would keep an old picture.
  static let proved = MarkedTable(
    "entry", key: "file", marked: ["digest", "last_modified"])

  /// The form of what is there. A database of something else is a failure, also one whose `entry` is a view, or has a
  /// trigger: what is not a plain table may do anything when it is read.
  static func form(of database: SQLiteDatabase, path: String) throws(LedgerFailure) -> Form {
    let (version, schema, found) = try LedgerFailure.of(path) { () throws(SQLiteDatabase.Failure) in
      (try database.userVersion(), try database.schema(), try database.columns(of: "entry"))
    }
    if version == 0, schema.isEmpty { return .none }
    guard version <= Self.version else { throw LedgerFailure(.newer(version), path: path) }
    if version == Self.version, schema == [table] { return .current }
    let lacking = columns.map(\.name).filter { !found.contains($0) }
    guard version > 0, version < Self.version, schema.count == 1, schema[0].hasPrefix("CREATE TABLE entry ("),
      !lacking.contains(where: ["file", "size", "modified"].contains)
    else { throw LedgerFailure(.damaged("it does not have this release's form"), path: path) }
    return .earlier(lacking: lacking)
  }

  /// Rows have numbers, and the names an index of their own: names are digests, and finding one touches few pages where
  /// the rows do not lie between them.
  private static let table =
    "CREATE TABLE entry (\(columns.map { "\($0.name) \($0.type), " }.joined())\(MarkedTable.column))"
  static let creation = "\(table); PRAGMA user_version = \(version);"

  /// The columns as a table of an earlier form has them: what it lacks is empty, so that the entry is known and made again.
  private static func names(lacking: [String]) -> String {
    columns.map { column in
      guard lacking.contains(column.name) else { return column.name }
      let value = column.type.hasPrefix("TEXT NOT") ? "''" : column.type.hasPrefix("TEXT") ? "NULL" : "0"
      return "\(value) AS \(column.name)"
    }.joined(separator: ", ")
  }

  /// Gives a ledger of an earlier form this one, with all its rows.
  static func carryOver(_ database: SQLiteDatabase, lacking: [String]) throws(SQLiteDatabase.Failure) {
    try database.transaction { () throws(SQLiteDatabase.Failure) in
      try database.execute("ALTER TABLE entry RENAME TO earlier; \(creation)")
      try database.execute(
        """
        INSERT OR REPLACE INTO entry (\(names), mark) SELECT \(names), \(proved.mark)
        FROM (SELECT \(names(lacking: lacking)) FROM earlier);
        DROP TABLE earlier;
        """)
    }
  }

  static func lookup(by column: String) -> String { "SELECT \(names) FROM entry WHERE \(column) = ?" }
  static let replacement =
    "INSERT OR REPLACE INTO entry (\(names), mark) \(proved.values(of: columns.map(\.name)))"
  static let removal = "DELETE FROM entry WHERE file = ?"
  static let clearing = "DELETE FROM entry"

  static func prove(_ database: SQLiteDatabase, _ form: Form) throws(SQLiteDatabase.Failure) {
    // The rows of an earlier form are taken as they are.
    if form == .current { try database.proveWhole(proved) } else { try database.checkPages() }
  }

  /// Calls `body` for the rows as they lie in the file, so that each of its pages is read once.
  static func forEach(
    in database: SQLiteDatabase, _ form: Form = .current, _ body: (LedgerEntry) -> Void
  ) throws(SQLiteDatabase.Failure) {
    var columns = names
    if case .earlier(let lacking) = form { columns = names(lacking: lacking) }
    try database.prepare("SELECT \(columns) FROM entry").run { body(Self.entry($0)) }
  }

  static func entry(_ row: SQLiteDatabase.Statement) -> LedgerEntry {
    func text(_ column: Int32) -> String { row.text(column) ?? "" }
    return LedgerEntry(
      file: text(0), sourceID: text(1), identity: text(2), drawing: Int(row.integer(3)), size: row.integer(4),
      digest: text(5), modified: row.integer(6), sourceDigest: text(7), etag: row.text(8),
      lastModified: row.text(9),
      origin: EntryOrigin(
        client: text(10), job: text(11), key: row.text(12), source: text(13), chain: text(14),
        content: text(15), expiry: row.text(16), priority: Int(row.integer(17))))
  }

  /// The same as ``LedgerEntry/isOfThisDrawing`` of a row with these columns.
  static func isOfThisDrawing(_ row: SQLiteDatabase.Statement, drawing: Int32, content: Int32) -> Bool {
    Int(row.integer(drawing)) == RenditionTask.drawingVersion
      || row.withBytes(content) { $0?.elementsEqual(EntryContent.original.rawValue.utf8) ?? false }
  }

  static func values(_ entry: LedgerEntry) -> [SQLiteDatabase.Value] {
    func text(_ text: String?) -> SQLiteDatabase.Value { text.map(SQLiteDatabase.Value.text) ?? .null }
    let origin = entry.origin
    return [
      .text(entry.file), .text(entry.sourceID), .text(entry.identity), .integer(Int64(entry.drawing)),
      .integer(entry.size), .text(entry.digest), .integer(entry.modified), .text(entry.sourceDigest),
      text(entry.etag), text(entry.lastModified), .text(origin.client), .text(origin.job), text(origin.key),
      .text(origin.source), .text(origin.chain), .text(origin.content), text(origin.expiry),
      .integer(Int64(origin.priority)),
    ]
  }
}
