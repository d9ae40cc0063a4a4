import ClientKit
import Text

/// Requests of one chain that missed.
package struct MissedChain: Sendable, Hashable {
  /// As a job spells it; empty where the keys cannot be read.
  package var chain: String
  /// What the job of the cache calls it, where that is known.
  package var name: String?
  /// Requests, and the sources that they ask for.
  package var misses = 0
  package var sources = 0
}

/// Counts misses by chain.
struct MissedChains {
  private struct Place: Hashable {
    var chain: String
    var source: ByteText
  }

  private var chains: [String: MissedChain] = [:]
  private var seen: Set<Place> = []

  /// - Parameter base: what all requests of the source have in common.
  mutating func add(_ request: ReplayedRequest, base: String) {
    guard request.outcome == .miss, !request.readsNothing else { return }
    var chain = chains[request.chain] ?? MissedChain(chain: request.chain)
    chain.misses += 1
    if seen.insert(Place(chain: request.chain, source: ByteText(base))).inserted {
      chain.sources += 1
    }
    chains[request.chain] = chain
  }

  /// Those with the most misses first, with names from the cache.
  func list(of cache: ReplayedCache) -> [MissedChain] {
    let names = names(in: cache)
    return chains.values.map { chain in
      var chain = chain
      chain.name = names[chain.chain]
      return chain
    }.sorted { ($1.misses, $0.chain) < ($0.misses, $1.chain) }
  }

  /// Number of entries that show what a job calls its chains.
  private static let readEntries = 4000

  private func names(in cache: ReplayedCache) -> [String: String] {
    var names: [String: String] = [:]
    for entry in cache.entries.values.sorted(by: { $0.file.path < $1.file.path }).prefix(Self.readEntries) {
      if names.count == chains.count { break }
      guard let key = entry.key, let name = entry.chain else { continue }
      let calls = cache.client.reading(ofKey: key, base: nil, scale: nil).calls
      let text = cache.client.processorRows.text(calls)
      if !calls.isEmpty, chains[text] != nil, names[text] == nil { names[text] = name }
    }
    return names
  }
}
