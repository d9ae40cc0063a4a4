import FileStore
import Foundation
import Testing

@testable import CacheStore
@testable import SQLiteStore

/// Which columns of the ledger say whether a file is current.
@Suite(.timeLimit(.minutes(10)))
struct ListedRowsTests {
  private let scene: LedgerScene
  private let row: LedgerEntry
  private let listing: FolderListing

  init() throws {
    scene = try LedgerScene()
    for folder in [scene.folder, scene.temporary.file("cache")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try Data([1, 2, 3]).write(to: scene.temporary.file("cache/aa"))
    listing = try FileStore(existing: scene.temporary.file("cache")).listing()
    var row = scene.entry("aa")
    row.modified = listing.entries[0].status.modified
    row.origin.key = "key"
    row.lastModified = "then"
    self.row = row
  }

  private func change(_ column: LedgerTable.Column) throws {
    try LedgerWriter(path: scene.path).record([row])
    let value = column.type.hasPrefix("INTEGER") ? "\(column.name) + 1" : "\(column.name) || 'x'"
    try SQLiteDatabase(path: scene.path).execute(
      "UPDATE entry SET \(column.name) = \(value); UPDATE entry SET mark = \(LedgerTable.proved.mark)")
  }

  /// All columns that there are: a new one is expected, or has to be named here.
  @Test(arguments: LedgerTable.columns.indices)
  func aChangedColumnMakesAFileStaleOrIsNamedHere(index: Int) throws {
    let column = LedgerTable.columns[index]
    try change(column)
    let ledger = try LedgerWriter(path: scene.path)
    let version = try ledger.rows(of: listing).version(of: row.expected, at: 0)
    switch column.name {
    // The bytes of the file, which its size and date stand for, and what only servers are asked with.
    case "digest", "last_modified": #expect(version == row.versionMark)
    // An animated source has other content than was planned.
    case "content": #expect(version == row.versionMark)
    // The version itself.
    case "source_digest", "etag": #expect(version != nil && version != row.versionMark)
    // Columns of the file and of the drawing.
    case "file", "size", "modified", "drawing": #expect(version == nil && column.expected == nil)
    default: #expect(version == nil && column.expected != nil, "\(column.name)")
    }
  }

  @Test(arguments: LedgerTable.columns.indices)
  func aRowSaysTheSameAsItsEntry(index: Int) throws {
    let column = LedgerTable.columns[index]
    guard let expected = column.expected else { return }
    try change(column)
    let found = try #require(try LedgerWriter(path: scene.path).entry(file: "aa"))
    #expect(found.expected != row.expected && expected(found.expected) != expected(row.expected))
    var others = LedgerTable.columns.filter { $0.name != column.name }.compactMap(\.expected)
    #expect(others.count == LedgerTable.columns.count { $0.expected != nil } - 1)
    others.removeAll { $0(found.expected) == $0(row.expected) }
    #expect(others.isEmpty)
    #expect(try LedgerWriter(path: scene.path).rows(of: listing).version(of: found.expected, at: 0) != nil)
  }
}
