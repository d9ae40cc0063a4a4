import Concurrency
import Fetching
import Signposts

/// Counts what a loader does, by its signposts.
final class TransferTally: Sendable {
  struct Counts {
    /// Exchanges that ended, well or not: each redirect and each retry is one of its own.
    var transfers = 0
    /// Header and body bytes received, before any decoding.
    var bytesOnWire = 0
    var connectionsOpened = 0
    var retries = 0
    /// When each exchange began and ended.
    fileprivate var spans: [Range<Int64>] = []

    /// The most exchanges that ran at one time.
    var mostAtOnce: Int {
      spans.map { span in spans.count { $0.contains(span.lowerBound) } }.max() ?? 0
    }
  }

  private final class Counter: SignpostExporter {
    let counts = Locked(Counts())

    func write(_ records: [SignpostRecord]) {
      counts.withLock { counts in
        for record in records {
          switch record {
          case .interval(let span, _) where span.name == .loadImageData:
            counts.transfers += 1
            if span.begin < span.end { counts.spans.append(span.begin..<span.end) }
            if case .integer(let bytes)? = span.metadata[.bytes] { counts.bytesOnWire += bytes }
          case .interval(let span, _) where span.name == .connectHost: counts.connectionsOpened += 1
          case .event(let span) where span.name == .retryLoad: counts.retries += 1
          default: break
          }
        }
      }
    }
  }

  private let counter = Counter()
  private let recorder: SignpostRecorder

  init() { recorder = SignpostRecorder(exporters: [counter]) }

  deinit { recorder.close() }

  /// For the configuration of the loader.
  var signposts: Signposter { Signposter(recorder) }

  /// Until now.
  var counts: Counts {
    recorder.flush()
    return counter.counts.withLock { $0 }
  }
}
