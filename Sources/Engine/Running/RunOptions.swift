import ClientKit
import Fetching
import Foundation
import JobFile
import Pictures
import Planning
import Rendering
import Signposts

/// How a run goes about its work; none of it changes a byte of the result.
package struct RunOptions: Sendable {
  package var workers: Int
  package var http = HTTPConfiguration()
  /// The credentials for jobs whose requests are signed.
  package var credentials: HTTPSigning.Credentials?
  package var limits = RenderLimits()
  package var formats = ImageFormat.trusted
  package var isStrict = false
  package var workerBytes = RenderLimits.workerBytes
  /// Decode even where nothing confines the decoders.
  package var allowsUnconfined = false
  /// Wait for another run on the same cache instead of failing.
  package var waitsForLock = false
  /// Fetch nothing: build from what is there, and fail the rest.
  package var isOffline = false
  /// Fetch and render everything again, as if each entry said `reload`.
  package var reloads = false
  package var renderer: String
  /// The moment that dates in the cache are counted from, see `RunDate`.
  package var date: RunDate
  /// Compressed bytes that may wait between download and rendering. Downloads pause beyond it.
  var maxBytesInFlight = 64 << 20
  /// Since when the run's time is counted; nil for its own beginning, when the jobs have been read already.
  package var started: ContinuousClock.Instant?
  /// How long a finished file waits for others, to be put in its place together with them.
  package var publishingDelay = Duration.seconds(1)
  /// Records everything that the run does, and for how long.
  package var signposts = Signposter.disabled

  package init(
    renderer: String = "", workers: Int = ProcessInfo.processInfo.activeProcessorCount,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    date = RunDate(environment: environment)
    self.renderer = renderer
    self.workers = workers
    credentials = HTTPSigning.Credentials(environment: environment)
  }

  /// With workers that have the memory that any of the jobs allows, and no more than there are descriptors for: each
  /// takes up to four, all the rest 24. Each job's limits hold picture by picture.
  func widened(for plans: [Plan]) -> RunOptions {
    var options = self
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < 1 << 20 {
      options.workers = min(workers, max(1, (Int(limit.rlim_cur) - 24) / 4))
    }
    options.workerBytes =
      plans.map { $0.settings.values[JobKey.maxMemory] ?? workerBytes }.max() ?? workerBytes
    return options
  }

  /// The options of the worker's program; none where its defaults do.
  var workerArguments: [String] {
    (workerBytes == RenderLimits.workerBytes ? [] : ["--memory", "\(workerBytes)"])
      + (allowsUnconfined ? [RenderPool.allowUnconfined] : [])
  }
}

extension SourceWork {
  var request: HTTPRequest { HTTPRequest(url: url, headers: headers, redirectHeaders: redirectHeaders) }
}

extension HTTPRequest {
  init(url: String, headers: [HostHeader], redirectHeaders: [HostHeader]) {
    func field(_ given: HostHeader) -> HTTPHeader { HTTPHeader(name: given.name, value: given.value) }
    self.init(url: url, headers: headers.map(field))
    self.redirectHeaders = redirectHeaders.map { HTTPHostHeader(host: $0.host, header: field($0)) }
  }
}

extension NetworkRules {
  /// To one host over HTTP/1.1: what a small origin bears.
  private static let mostConnections = 16

  /// The loader's configuration with the job's own rules in it.
  func apply(to configuration: HTTPConfiguration, credentials: HTTPSigning.Credentials?) -> HTTPConfiguration
  {
    var configuration = configuration
    configuration.allowPrivate += values[JobKey.allowPrivate]
    let limits = values[JobKey.rateLimit].map {
      HTTPRateLimit(host: $0.host, requestsPerSecond: $0.requestsPerSecond, burst: $0.burst)
    }
    configuration.rateLimits = limits + configuration.rateLimits
    if let most = values[JobKey.perHost] {
      (configuration.maxConcurrentPerHost, configuration.maxStreamsPerHost) = (most, most)
    } else {
      configuration.mostPerHost = Self.mostConnections
    }
    if let credentials {
      configuration.signings += values[JobKey.signature].map {
        HTTPSigning(host: $0.host, scope: $0.scope, credentials: credentials)
      }
    }
    return configuration
  }
}

/// What all sources of a run have in common. They refer to it: a plan has thirty tables, and there may be a million of them.
final class RunFrame: Sendable {
  /// A plan and where its entries go.
  final class Job: Sendable {
    let plan: Plan
    /// Index of its cache folder among the run's sessions.
    let session: Int
    /// Servers are asked whether a source has changed.
    let revalidates: Bool
    /// What a picture may cost. Jobs that share a source have the same.
    let limits: RenderLimits

    init(_ plan: Plan, session: Int, _ options: RunOptions) {
      (self.plan, self.session) = (plan, session)
      limits = plan.settings.values.limits(over: options.limits)
      revalidates = plan.settings.values[JobKey.httpCache] != nil
    }
  }

  /// In the order of the plans.
  let jobs: [Job]
  let identities: EntryIdentities
  let options: RunOptions

  /// - Parameter session: of a cache folder.
  init(_ plans: [Plan], _ options: RunOptions, session: (String) -> Int) {
    jobs = plans.map { Job($0, session: session($0.settings.cache), options) }
    identities = EntryIdentities(plans: plans)
    self.options = options
  }
}
