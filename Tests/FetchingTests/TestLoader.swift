import Concurrency
import Foundation
import Signposts

@testable import Fetching

extension HTTPConfiguration {
  /// Short waits before retries, and the loopback addresses of the test servers allowed.
  static var test: HTTPConfiguration {
    var configuration = HTTPConfiguration()
    configuration.allowPrivate = ["127.0.0.1"]
    configuration.retryDelay = .milliseconds(10)
    configuration.retries = 0
    // What hangs on purpose is cancelled by its test, which a busy machine may let wait.
    configuration.longestSilence = .seconds(600)
    return configuration
  }

  func with(_ change: (inout HTTPConfiguration) -> Void) -> HTTPConfiguration {
    var copy = self
    change(&copy)
    return copy
  }
}

extension HTTPLoader {
  /// As the tests have it, but for what is changed.
  static func test(_ change: (inout HTTPConfiguration) -> Void) -> HTTPLoader {
    HTTPLoader(configuration: .test.with(change))
  }

  /// The failures of loads that run beside each other; nil for each that succeeded.
  func failures(_ urls: some Sequence<String>) async -> [HTTPFailure?] {
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for url in urls { group.addTask { await self.failure(url) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Has what the server echoes as one field of the request.
  func echo(_ request: HTTPRequest, _ field: String) async throws -> String? {
    let lines = String(decoding: try await load(request).body, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("\(field): ") }.map { String($0.dropFirst(field.count + 2)) }
  }

  func load(_ url: String) async throws(HTTPFailure) -> HTTPResponse {
    try await load(HTTPRequest(url: url))
  }

  /// The failure of a load that is expected to fail.
  func failure(_ url: String) async -> HTTPFailure? { await failure(HTTPRequest(url: url)) }

  func failure(_ request: HTTPRequest) async -> HTTPFailure? {
    do throws(HTTPFailure) {
      _ = try await load(request)
      return nil
    } catch {
      return error
    }
  }
}

/// The body of the server's plain answers.
func plainBody(_ size: Int) -> [UInt8] { (0..<size).map { UInt8($0 % 251) } }

/// Leaves this process so many file descriptors in all.
func limitDescriptors(to count: UInt) {
  var limit = rlimit(rlim_cur: count, rlim_max: count)
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

extension HTTPRequest {
  init(_ url: String, _ headers: KeyValuePairs<String, String> = [:]) {
    self.init(url: url, headers: [HTTPHeader](headers))
  }
}

extension [HTTPHeader] {
  init(_ fields: some Sequence<(key: String, value: String)>) {
    self = fields.map { HTTPHeader(name: $0.key, value: $0.value) }
  }
}

/// Room of a size, the most of it that was taken, and what is free of it.
final class CountedRoom: HTTPBodyRoom {
  private let state: Locked<(free: Int, least: Int)>
  private let total: Int

  init(_ bytes: Int) { (state, total) = (Locked((bytes, bytes)), bytes) }

  func takeIfFree(_ bytes: Int) -> Bool {
    state.withLock {
      guard $0.free >= bytes else { return false }
      $0 = ($0.free - bytes, min($0.least, $0.free - bytes))
      return true
    }
  }

  func takeAnyway(_ bytes: Int) {
    state.withLock { $0 = ($0.free - bytes, min($0.least, $0.free - bytes)) }
  }

  func give(_ bytes: Int) { state.withLock { $0.free += bytes } }

  var free: Int { state.withLock { $0.free } }
  var most: Int { total - state.withLock { $0.least } }
}

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

extension HTTPConfiguration {
  /// Before an answer and within it.
  var longestSilence: Duration {
    get { stallTimeout }
    set { (answerTimeout, stallTimeout) = (newValue, newValue) }
  }
}
