import Text

/// The rows of a ledger, found by the names of their files.
package struct LedgerRows: Sendable {
  /// In the order of their names' bytes.
  package let entries: [LedgerEntry]

  /// - Parameter entries: in the order of their names' bytes.
  package init(_ entries: [LedgerEntry] = []) { self.entries = entries }

  package var count: Int { entries.count }
  package var names: some RandomAccessCollection<String> { entries.lazy.map(\.file) }
  /// The clients that made the entries, as the rows say it.
  package var clients: Set<String> { Set(entries.lazy.map(\.origin.client)) }

  package subscript(file: String) -> LedgerEntry? {
    let name = ByteText(file)
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if ByteText(entries[middle].file) < name { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].file.hasBytes(of: file) ? entries[low] : nil
  }
}
