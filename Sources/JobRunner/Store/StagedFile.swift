/// A finished file on its way into the cache folder.
struct StagedFile: Sendable {
  /// The bytes of the entry.
  var bytes: [UInt8]
  /// The row to be written once the file is in place; `modified` is filled in then.
  var entry: LedgerEntry
}
