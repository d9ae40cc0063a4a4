import ClientKit

/// What a run may store, whatever its sources turn out to be.
extension Plan {
  /// The names of all files that a run may store for a row, whatever its source turns out to be.
  package func possibleFiles(at row: Row) -> [String] {
    let storage = storage(of: row)
    let base = baseKey(of: row)
    let client = client(of: row)
    return storage.possibleEntries.flatMap { client.fileNames(forKey: client.key(base: base, $0.key)) }
  }

  /// The names under which its request has the source as it came.
  package func originalFiles(at row: Row) -> [String] { client(of: row).fileNames(forKey: baseKey(of: row)) }

  /// What a run is responsible for once all files are in place: all that it may store, whatever its sources turn out
  /// to be.
  package func forEachFinishedEntry(_ body: (FinishedEntry) -> Void) {
    for row in rows {
      let (base, client) = (baseKey(of: row), client(of: row))
      let options = options[Int(row.options)]
      let expiry = client.folder.expiry(options)
      for rule in storage(of: row).possibleEntries {
        for file in client.fileNames(forKey: client.key(base: base, rule.key)) {
          body((file, rule.content, expiry, options.priority.rank))
        }
      }
    }
  }
}
