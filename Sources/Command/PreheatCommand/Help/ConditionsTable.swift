import ClientKit
import ClientRegistry

/// What voids a warm cache in an app, as a Markdown table: the part of `docs/caches.md` that lists it.
struct ConditionsTable {
  package var text: String {
    var lines = [
      "| Client | Name | What voids the cache | Releases | What to write |",
      "| --- | --- | --- | --- | --- |",
    ]
    for library in ClientRegistry.libraries {
      guard let client = ClientRegistry.make(CacheClient(name: library.name, release: library.newest)) else {
        continue
      }
      for row in client.conditions {
        let cells = [library.title, "`\(row.name)`", row.condition, row.releases, row.remedy]
        lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
