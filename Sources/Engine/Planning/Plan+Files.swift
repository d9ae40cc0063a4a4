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

  /// All that a run may store for a row, whatever its source turns out to be.
  package func possibleStores(at row: Row) -> [PlannedRendition.Store] {
    let storage = storage(of: row)
    var stores = rendition(at: row).stores
    for (kind, animated) in storage.animated
    where !animated.entries.allSatisfy({ entry in storage.entries.contains { $0.key == entry.key } }) {
      stores += rendition(at: row, as: kind).stores.filter { store in
        !stores.contains { $0.fileName.hasBytes(of: store.fileName) }
      }
    }
    return stores
  }

  /// What a run is responsible for once all files are in place: all that it may store, whatever its sources turn out
  /// to be.
  package func forEachFinishedEntry(_ body: (FinishedEntry) -> Void) {
    for number in sources.indices {
      let source = sources[number]
      let sourceClass = sourceClass(of: source)
      for row in rows(ofSource: number) {
        let (options, client) = (options[Int(row.options)], client(of: row))
        let base = client.baseKey(url: source.url, options: options, stripQuery: stripQuery)
        let expiry = client.folder.expiry(options)
        for rule in judgedStorage(of: row, sourceClass: sourceClass).storage.possibleEntries {
          for file in client.fileNames(forKey: client.key(base: base, rule.key)) {
            body((file, rule.content, expiry, options.priority.rank))
          }
        }
      }
    }
  }
}
