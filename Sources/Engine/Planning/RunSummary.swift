import ClientKit
import FileStore
import JobFile

/// The counts of a run; those of renditions add up to the plan.
package struct RunCounts: Sendable, Hashable, Codable {
  package var planned = 0
  package var made = 0
  package var current = 0
  package var notStored = 0
  package var failed = 0
  /// Of `failed`: job lines that were left out, each counted as one rendition.
  package var skippedLines = 0
  /// Of `failed`: those that a later run may make without any change.
  package var retryable = 0
  /// Not failed, and an app finds only an entry from earlier in the chain, or nothing.
  package var foundInPart = 0
  package var notFound = 0
  /// Those of animated sources that were stored, or left out, as their client does it.
  package var animated = 0
  /// Sources fetched, and bytes of their bodies.
  package var sourcesFetched = 0
  package var bytesFetched = 0
  /// Sources that are unchanged, as their servers say: no body was transferred.
  package var sourcesValidated = 0
  /// Sources whose body came out of the HTTP cache.
  package var sourcesCached = 0
  package var filesWritten = 0
  package var bytesWritten = 0

  package init() {}

  package var settled: Int { made + current + notStored + failed }

  package var leftUndone: Int { max(0, planned - settled) }

  package mutating func count(_ outcome: RenditionOutcome) {
    count(outcome.found)
    if outcome.rendition.animated.map({ $0 != .rarer }) ?? false { animated += 1 }
    switch outcome.status {
    case .made: made += 1
    case .current: current += 1
    case .notStored: notStored += 1
    case .failed(let failure):
      failed += 1
      if failure.isRetryable { retryable += 1 }
    }
  }

  package mutating func count(_ found: PlannedRendition.Found?) {
    switch found {
    case .part: foundInPart += 1
    case .nothing: notFound += 1
    case .exact, nil: break
    }
  }

  /// A plan before its run. Lines that were left out have failed already.
  package mutating func count(_ plan: Plan) {
    planned += plan.renditionCount
    count(skippedLines: plan.skipped.count)
  }

  package mutating func count(skippedLines count: Int) {
    planned += count
    failed += count
    skippedLines += count
  }

  /// Adds those of another part of the job.
  package mutating func add(_ other: RunCounts) {
    let numbers: [WritableKeyPath<Self, Int>] = [
      \.planned, \.made, \.current, \.notStored, \.failed, \.skippedLines, \.retryable, \.foundInPart,
      \.notFound, \.animated,
      \.sourcesFetched, \.bytesFetched, \.sourcesValidated, \.sourcesCached, \.filesWritten, \.bytesWritten,
    ]
    for number in numbers { self[keyPath: number] += other[keyPath: number] }
  }
}

/// How a run ended: its counts and what is to be known besides.
@dynamicMemberLookup
package struct RunSummary: Sendable, Hashable, Decodable {
  /// What stands beside the counts.
  package struct Facts: Sendable, Hashable, Decodable {
    /// `preheat 0.1.0`.
    package var program: String
    package var jobs: [String]
    /// What is to be printed of the releases of the jobs' clients.
    package var releases: [String] = []
    /// How jobs draw, where that is not the device's way.
    package var drawings: [String] = []
    /// Seconds since 1970.
    package var started: Double
    package var seconds = 0.0
    package var exit: Int
    /// The exit code in words.
    package var meaning: String
    package var isInterrupted = false
    /// Why the run could not begin, or could not go on: a sentence.
    package var stopped: String?
    /// The code of `stopped`, if the cache could no longer be written: `store.full`.
    package var stoppedCode: String?
    /// What kept the decoders of all pictures from the system, in words; nil where nothing was decoded.
    package var confinement: [String]?
    /// Those that had another number of connections than usual.
    package var connections: [HostConnections] = []
    /// Entries that no job named any more and that were removed; nil where it was not asked for.
    package var prunedFiles: Int?
    package var prunedBytes: Int?
    /// Renditions that are counted but not in the record.
    package var omittedRenditions = 0
    package var omittedFindings = 0

    /// The names that a line of JSON has for them.
    private enum CodingKeys: String, CodingKey {
      case program, jobs, releases, drawings, started, seconds, exit, meaning, confinement, connections
      case prunedFiles, prunedBytes, omittedRenditions, omittedFindings
      case isInterrupted = "interrupted"
      case stopped = "reason"
      case stoppedCode = "stopped"
    }
  }

  package var counts = RunCounts()
  private var facts: Facts

  package init(program: String, jobs: [String], started: Double, exit: Int, meaning: String) {
    facts = Facts(program: program, jobs: jobs, started: started, exit: exit, meaning: meaning)
  }

  package subscript<Value>(dynamicMember member: WritableKeyPath<Facts, Value>) -> Value {
    get { facts[keyPath: member] }
    set { facts[keyPath: member] = newValue }
  }

  /// The counts stand beside the other members.
  package init(from decoder: any Decoder) throws {
    (facts, counts) = (try Facts(from: decoder), try RunCounts(from: decoder))
  }
}

/// What the engine knows of a run: while it goes, and at its end.
package struct RunReport: Sendable, Hashable {
  package var counts = RunCounts()
  /// What each cache of the run takes on a device, once it is whole.
  package var caches: [CacheSize] = []
  /// What is in each cache folder, by its path.
  package var listings: [String: FolderListing] = [:]
  /// Seconds, from the monotonic clock.
  package var duration = 0.0
  /// Stopped by a signal before all was done; a later run completes it.
  package var isInterrupted = false
  /// Why the cache could no longer be written: then the run ended there.
  package var storeFailure: StoreFailure?
  /// What kept the decoders of all pictures from the system, in words; nil where nothing was decoded.
  package var confinement: [String]?
  /// Those that had another number of connections than usual, the most first.
  package var connections: [HostConnections] = []
  /// Entries that no job named any more and that were removed; nil where it was not asked for.
  package var prunedFiles: Int?
  package var prunedBytes = 0

  package init() {}
}

/// How many connections over HTTP/1.1 an origin had at once.
package struct HostConnections: Sendable, Hashable, Codable {
  /// `https://img.example.com`.
  package var origin: String
  package var most: Int
  /// How often 429, 503, a broken connection or a time-out halved them.
  package var halvings: Int

  package init(origin: String, most: Int, halvings: Int) {
    (self.origin, self.most, self.halvings) = (origin, most, halvings)
  }
}

/// Sees a run as it goes: progress, reports, logs.
package protocol RunObserver: Sendable {
  /// A rendition is settled. Called once for each, in no fixed order, from any thread.
  func settled(_ outcome: RenditionOutcome, report: RunReport)
  /// Something that a person should know, and that stops nothing.
  func warned(_ text: String, evenIfQuiet: Bool)
}

extension RunObserver {
  package func warned(_ text: String) { warned(text, evenIfQuiet: false) }
}

/// Why the cache or its state folder could not be written. Each ends the run, not one picture.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// No space, quota or a read-only file system.
    case full = "store.full"
    case notWritable = "store.not-writable"
    /// It is not known what is there.
    case unreadable = "store.unreadable"
    /// Another run holds the lock.
    case locked = "store.locked"
    case ledger = "store.ledger"
    /// More would be pruned than the jobs allow. All else is done.
    case pruning = "store.prune-most"
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (\(code.rawValue))" }
}

/// What a cache takes on the device, against what the app lets it take.
package struct CacheSize: Sendable, Hashable, Codable {
  package var path: String
  /// `nuke 12.9.0`.
  package var client: String
  package var files: Int
  /// Bytes of content.
  package var bytes: Int
  /// Bytes on the device, where a file takes whole blocks.
  package var allocatedBytes: Int
  /// The app's limit; 0 for none.
  package var sizeLimit: Int
  /// What the client holds against its limit: one of the two numbers of bytes.
  package var countedBytes: Int
  /// Down to which size the app removes entries once the limit is passed.
  package var sweepTarget: Int
  /// The app's first sweep will remove entries.
  package var isBeyondLimit: Bool
  /// Most bytes of content that a bundle of it may have; nil where the job does not say.
  package var maxSize: Int?

  package var isBeyondMaxSize: Bool { maxSize.map { bytes > $0 } ?? false }
}

extension CacheSize {
  /// A block of APFS.
  private static let blockSize = 4096

  /// - Parameter sizeLimit: the app's own limit; nil for the client's.
  package init(
    path: String, client: CacheClient, rules: FolderRules, sizeLimit: Int?, fileSizes: some Sequence<Int>
  ) {
    var (files, bytes, allocatedBytes) = (0, 0, 0)
    for size in fileSizes {
      files += 1
      bytes += size
      allocatedBytes += (size + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    }
    let limit = sizeLimit ?? rules.defaultSizeLimit
    let counted = rules.countsBlocks ? allocatedBytes : bytes
    self.init(
      path: path, client: client.description, files: files, bytes: bytes, allocatedBytes: allocatedBytes,
      sizeLimit: limit, countedBytes: counted,
      sweepTarget: Int(Double(limit / 10) * (rules.sweepKeeps * 10).rounded()),
      isBeyondLimit: rules.isBeyond(limit, bytes: counted))
  }
}

extension Plan {
  package func size(of fileSizes: some Sequence<Int>) -> CacheSize {
    var size = CacheSize(
      path: settings.cache, client: settings.client, rules: client.folder,
      sizeLimit: settings.values[JobKey.sizeLimit],
      fileSizes: fileSizes)
    size.maxSize = settings.values[JobKey.maxSize]
    return size
  }
}
