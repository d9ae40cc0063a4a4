import Text

/// The rows of a ledger, found by the names of their files.
package struct LedgerRows: Sendable {
  /// In the order of their names' bytes.
  package let entries: [LedgerEntry]
  private let places: [ByteText: Int]

  /// - Parameter entries: in the order of their names' bytes.
  package init(_ entries: [LedgerEntry] = []) {
    self.entries = entries
    let names = entries.lazy.map { ByteText($0.file) }
    places = Dictionary(zip(names, entries.indices)) { _, last in last }
  }

  package var count: Int { entries.count }
  package var names: some RandomAccessCollection<String> { entries.lazy.map(\.file) }
  /// The clients that made the entries, as the rows say it.
  package var clients: Set<String> { Set(entries.lazy.map(\.origin.client)) }

  package subscript(file: String) -> LedgerEntry? { places[ByteText(file)].map { entries[$0] } }
}

/// Texts that many rows have in common are kept once.
struct CommonTexts {
  private var texts: Set<ByteText> = []

  mutating func one(_ text: String) -> String {
    texts.insert(ByteText(text)).memberAfterInsert.text
  }
}
