import ClientKit
import Foundation
import Text

/// What a request of a session found in a cache.
package struct ReplayedRequest: Sendable, Hashable {
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The request's own entry.
    case exact
    /// An entry from earlier in the chain; the app makes the rest.
    case partial
    case miss
    /// It never came to the disk.
    case memory
  }

  /// Its place in the session, from 1.
  package var number: Int
  package var request: RecordedRequest
  package var outcome: Outcome
  /// In words.
  package var reason: String
  /// The entry that answered it.
  package var file: String?
  /// As a job spells it; empty where the key cannot be read.
  package var chain: String
  /// Its options keep it from the disk cache: no job line answers it.
  package var readsNothing = false
  /// Why the request's own entry was gone before the session.
  package var lost: SweepReason?
  /// A job that made the cache names it.
  package var isPlanned = false
  /// The same key was asked for before in this session.
  package var isRepeated: Bool

  /// Whether its own entry would answer it.
  var lacksEntry: Bool { (outcome == .miss || outcome == .partial) && !readsNothing }
  /// Whether a line that no job has yet would answer it.
  package var isCurable: Bool { lacksEntry && lost == nil && !isPlanned }
}

/// What a replay comes to.
package struct ReplayReport: Sendable, Hashable {
  /// A line that a job lacks, and how many of the session's requests it would answer.
  package struct Cure: Sendable, Hashable {
    package var line: String
    package var misses: Int
    /// Requests that now have to be finished on the device.
    package var partials: Int
  }

  package var cache: String
  package var client: CacheClient
  /// Bytes; 0 for none.
  package var sizeLimit: Int
  package var after: TimeInterval
  package var entries: Int
  /// As the client's size limit counts.
  package var bytes: Int

  /// Entries that were gone before the session.
  package var expired = 0
  package var swept = 0

  package private(set) var counts: [ReplayedRequest.Outcome: Int] = [:]
  /// Different keys.
  package private(set) var keys = 0
  /// Why requests missed, and how many did.
  package private(set) var reasons: [String: Int] = [:]
  /// Lines of the session that could not be read.
  package var unread = 0

  /// Sources that need not be fetched, and the bytes of those whose originals the cache has.
  package var sourcesSaved = 0
  package var bytesSaved = 0
  package var sourcesOfUnknownSize = 0
  /// Requests whose processors need not run.
  package var processingSaved = 0

  /// Entries that no request used.
  package var unused: [ReplayedCache.Entry] = []
  package var cures: [Cure] = []
  /// What was missed, the most misses first.
  package var missed: [MissedChain] = []
  /// Keys that missed and that no job line makes: nothing is drawn for processors of the app's own.
  package var incurable = 0

  mutating func count(_ request: ReplayedRequest) {
    counts[request.outcome, default: 0] += 1
    if !request.isRepeated { keys += 1 }
    if request.outcome == .miss { reasons[request.reason, default: 0] += 1 }
  }

  package func count(_ outcome: ReplayedRequest.Outcome) -> Int { counts[outcome] ?? 0 }

  /// Requests that came to the disk cache.
  package var judged: Int { count(.exact) + count(.partial) + count(.miss) }

  /// Requests that need no network, in percent; 100 where nothing was asked.
  package var hitRate: Double { Self.percent(count(.exact) + count(.partial), of: judged) }
  /// Requests that find their own entry, in percent.
  package var exactRate: Double { Self.percent(count(.exact), of: judged) }

  package static func percent(_ part: Int, of whole: Int) -> Double {
    whole == 0 ? 100 : Double(part) * 100 / Double(whole)
  }

  /// Takes the job that makes what was missed, and counts what each of its lines would answer.
  mutating func cure(
    with job: KeyJob, of requests: [ReplayedRequest], spelled: (String) -> String
  ) {
    var misses: [ByteText: (misses: Int, partials: Int)] = [:]
    for request in requests where request.isCurable {
      let key = ByteText(request.request.key)
      if request.outcome == .miss {
        misses[key, default: (0, 0)].misses += 1
      } else {
        misses[key, default: (0, 0)].partials += 1
      }
    }
    cures = job.lines.map { line in
      let counts = line.keys.compactMap { misses[ByteText($0)] }
      return Cure(
        line: spelled(line.text), misses: counts.reduce(0) { $0 + $1.misses },
        partials: counts.reduce(0) { $0 + $1.partials })
    }
    cures.sort { ($1.misses, $1.partials, $0.line) < ($0.misses, $0.partials, $1.line) }
    incurable = job.refusals.count + job.setAsideCount
  }
}

/// Requests of one chain that missed.
package struct MissedChain: Sendable, Hashable {
  /// As a job spells it; empty where the keys cannot be read.
  package var chain: String
  /// What the job of the cache calls it, where that is known.
  package var name: String?
  /// The screen scale of that; nil where it makes no difference.
  package var scale: Double?
  /// Requests, and the sources that they ask for.
  package var misses = 0
  package var sources = 0
}

/// Counts misses by chain.
struct MissedChains {
  private struct Place: Hashable {
    var chain: ByteText
    var source: ByteText
  }

  private var chains: [ByteText: MissedChain] = [:]
  private var seen: Set<Place> = []

  /// - Parameter base: what all requests of the source have in common.
  mutating func add(_ request: ReplayedRequest, base: String) {
    guard request.outcome == .miss, !request.readsNothing else { return }
    let text = ByteText(request.chain)
    var chain = chains[text] ?? MissedChain(chain: request.chain)
    chain.misses += 1
    if seen.insert(Place(chain: text, source: ByteText(base))).inserted { chain.sources += 1 }
    chains[text] = chain
  }

  /// Those with the most misses first, with names from the jobs of the cache.
  func list(_ names: [ByteText: ReplayedJobs.Name]) -> [MissedChain] {
    chains.map { text, chain in
      var chain = chain
      (chain.name, chain.scale) = (names[text]?.chain, names[text]?.scale)
      return chain
    }.sorted { ($1.misses, $0.chain) < ($0.misses, $1.chain) }
  }
}
