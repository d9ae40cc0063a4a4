import ClientKit
import Text

/// Requests of one chain that missed.
package struct MissedChain: Sendable, Hashable {
  package struct Sample: Sendable, Hashable {
    package var url: String
    /// An entry of the cache that shows the source; nil where it has none.
    package var file: String?
  }

  /// As a job spells it; empty where the keys cannot be read.
  package var chain: String
  /// What the job of the cache calls it, where that is known.
  package var name: String?
  /// Requests, and the sources that they ask for.
  package var misses = 0
  package var sources = 0
  /// The first sources of the session.
  package var samples: [Sample] = []

  static let mostSamples = 12
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
      if chain.samples.count < MissedChain.mostSamples {
        chain.samples.append(MissedChain.Sample(url: request.request.url ?? base))
      }
    }
    chains[request.chain] = chain
  }

  /// Those with the most misses first, with names and pictures from the cache.
  func list(of cache: ReplayedCache) -> [MissedChain] {
    guard !chains.isEmpty else { return [] }
    let (names, files) = (names(in: cache), files(in: cache))
    return chains.values.map { chain in
      var chain = chain
      chain.name = names[chain.chain]
      for index in chain.samples.indices {
        chain.samples[index].file = files[URLRedaction.redacted(chain.samples[index].url)]
      }
      return chain
    }.sorted { ($1.misses, $0.chain) < ($0.misses, $1.chain) }
  }

  /// So many entries tell what a job calls its chains.
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

  /// Of each source that was missed the smallest file: enough to see what it is.
  private func files(in cache: ReplayedCache) -> [String: String] {
    let wanted = Set(chains.values.flatMap { $0.samples.map { URLRedaction.redacted($0.url) } })
    var found: [String: ReplayedCache.Entry] = [:]
    for entry in cache.entries.values {
      guard let source = entry.source, wanted.contains(source), entry.size > 0 else { continue }
      if let known = found[source], (known.size, known.file.path) <= (entry.size, entry.file.path) {
        continue
      }
      found[source] = entry
    }
    return found.mapValues(\.file.path)
  }
}
